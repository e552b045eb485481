import { basename } from 'node:path'
import { journalSql, unpackText } from '../../store'
import type { JournalContext } from '../context'
import { renderings } from '../formats'
import { sha256 } from '../handles'

// Two renderings of one session tell everything twice: SpecStory's Markdown beside the agent's own file. What the
// original tells too is the original's; the rendering's item goes and its handle is an alias from then on. What only
// the rendering tells stays.

/** A rendering gives times in whole seconds. */
const SAME_TIME = 2_000
/** So much of a text is compared; a closing statement keeps only its head and tail. */
const COMPARED = 1_000

/** Ties what several files tell of one session. Depends on what is stored only, not on the order it came in. */
export function tieRenderings({ db }: JournalContext, sessionId: string): boolean {
  const told = journalSql.toldItems(db, sessionId, renderings())
  const rendered = told.filter((item) => item.rendered === 1)
  if (rendered.length === 0 || rendered.length === told.length) return false
  const originals = new Originals(told.filter((item) => item.rendered === 0))
  let tied = false
  for (const item of rendered) {
    const target = originals.find(item)
    if (target === null) continue
    journalSql.aliasItem(db, item, target)
    tied = true
  }
  return tied
}

class Originals {
  private readonly byKey = new Map<string, string>()
  private readonly done: journalSql.ToldItem[]

  /** Earliest first, so that of equal ones the earliest is the target. */
  constructor(items: readonly journalSql.ToldItem[]) {
    for (const item of items) {
      const key = keyOf(item)
      if (key !== null && !this.byKey.has(key)) this.byKey.set(key, item.handle)
    }
    this.done = items.filter((item) => item.tool !== null)
  }

  find(item: journalSql.ToldItem): string | null {
    const key = keyOf(item)
    const same = key === null ? undefined : this.byKey.get(key)
    if (same !== undefined) return same
    // What was said is told by its words; what was done is shown in many ways, but at one time.
    if (item.tool === null) return null
    const near = this.done.filter(({ ts }) => Math.abs(ts - item.ts) <= SAME_TIME)
    const like = near.find(({ tool }) => tool?.toLowerCase() === item.tool?.toLowerCase())
    // Programs name their tools differently; a note may be anything.
    return (like ?? near.find(({ kind }) => kind === item.kind && kind !== 'note'))?.handle ?? null
  }
}

/** What makes two items of one session the same; null when only the time can tell. */
function keyOf(item: journalSql.ToldItem): string | null {
  const { kind, role, tool } = item
  const data = JSON.parse(item.data) as Record<string, unknown>
  if (kind === 'command') return keyed('command', String(data.command))
  if (kind === 'decision') return keyed('decision', data.of, data.verdict, data.words, data.tool)
  if (kind === 'error') return keyed('error', tool, withoutSubject(unpackText(item)))
  if (kind === 'plan' && data.planHash) return keyed('plan', data.planHash)
  if (kind === 'file_op')
    return keyed('file_op', data.op, basename(String(data.path)), Math.round(item.ts / 60_000))
  return tool === null && kind !== 'image'
    ? keyed(role === 'user' ? 'user' : 'agent', unpackText(item))
    : null
}

const keyed = (...parts: readonly unknown[]): string =>
  sha256(parts.map((part) => String(part).replace(/\s+/g, ' ').trim().slice(0, COMPARED)).join('\0'))

/** An error's text without the command or path that failed. */
const withoutSubject = (text: string): string =>
  /^(?:\$ |[./~\w-]*\/)/.test(text) ? text.slice(text.indexOf('\n') + 1) : text
