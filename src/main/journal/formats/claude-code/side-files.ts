import { basename, dirname, join } from 'node:path'
import type { Draft, FormatContext } from '../../drafts'
import { planHash } from '../../handles'
import type { ItemData } from '../../item-data'
import { asString, headTail, isObject, normalise } from '../../text'
import type { ResultBlock } from './blocks'
import { PROSE_LIMIT } from './desk'

// What Claude Code keeps in files beside a session: outputs too long for a record, and plans.

type Reader = Pick<FormatContext, 'path' | 'beside'>

const SPILLED = '<persisted-output>'
const SAVED_TO = /(?:saved to|stored at|written to):?\s+(\S[^\n]{0,1000}?\.(?:txt|log|json))\s*(?:\n|$)/i
const NAME = /^[\w.-]{1,200}$/

/** A result whose text is a stub for a file: the file's text where it can be read, else the preview in the stub. */
export function unspilled(context: Reader, block: ResultBlock, twin: unknown, session: unknown): ResultBlock {
  const text = block.text.trimStart()
  if (!text.startsWith(SPILLED)) return block
  const named =
    (isObject(twin) ? asString(twin.persistedOutputPath) : null) ?? SAVED_TO.exec(text)?.[1]?.trim() ?? null
  const whole = named === null ? null : spilledText(context, named, asString(session))
  return { ...block, text: whole ?? preview(text) }
}

/** By its own path, else where this session keeps its outputs: the folder may have moved. */
function spilledText(context: Reader, named: string, session: string | null): string | null {
  const name = basename(named.replaceAll('\\', '/'))
  if (!NAME.test(name)) return null
  const here = dirname(context.path)
  const stem = basename(context.path).replace(/\.jsonl$/i, '')
  const folders = [
    join(here, stem),
    ...(session && NAME.test(session) ? [join(here, session)] : []),
    dirname(here),
  ]
  const places = [named, ...folders.map((folder) => join(folder, 'tool-results', name))]
  for (const place of places) {
    const text = context.beside?.(place) ?? null
    if (text !== null) return text
  }
  return null
}

function preview(text: string): string {
  const at = text.indexOf('\nPreview')
  const from = at === -1 ? SPILLED.length : text.indexOf('\n', at + 1)
  const body = from === -1 ? '' : text.slice(from)
  return body
    .replace(/\.{3}\s*<\/persisted-output>\s*$/, '…')
    .replace(/<\/persisted-output>\s*$/, '')
    .trim()
}

/** An approved plan that came without its text: its file has it. The plan then says where it is from. */
export function withPlanFile(context: Reader, draft: Draft): Draft {
  const data = draft.data as ItemData<'plan'>
  if (draft.kind !== 'plan' || draft.text.trim() !== '' || !data.planFile) return draft
  const name = basename(data.planFile.replaceAll('\\', '/'))
  const config = /^(.*)[\\/]projects[\\/]/.exec(context.path)?.[1]
  const places = [data.planFile, ...(config && NAME.test(name) ? [join(config, 'plans', name)] : [])]
  for (const place of places) {
    const text = context.beside?.(place) ?? null
    if (text === null || text.trim() === '') continue
    const plan = headTail(normalise(text), PROSE_LIMIT)
    return { ...draft, text: plan, data: { ...data, planHash: planHash(plan), fromFile: true } }
  }
  return draft
}
