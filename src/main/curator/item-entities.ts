import type { ItemKind } from '../../shared/domain'
import { type EntityType, extractEntities } from './entities'
import { simpleCommands } from './shell'
import { projectPath } from './short-path'
import { errorLine } from './step-sentences'

/** What the entities and facts of an item are made from. */
export interface NamingItem {
  kind: ItemKind
  text: string
  tool: string | null
  data: Record<string, unknown>
  /** The folder its session worked in. */
  cwd: string | null
}

export interface NamedEntity {
  kind: EntityType | 'tool'
  name: string
  /** 1: what the item acted on; 0.6: named in words; 0.3: in an output or in code. */
  weight: number
}

const ACTED = 1
const SAID = 0.6
const SHOWN = 0.3
/** Entities kept of one item, the weightiest first. */
const MOST = 60

/** What an item names, each once, normalised within its project; weightiest first, then in order of appearance. */
export function itemEntities(item: NamingItem): NamedEntity[] {
  const found = new Map<string, NamedEntity>()
  const add = (kind: NamedEntity['kind'], raw: string, weight: number): void => {
    const name = kind === 'path' ? projectPath(raw, item.cwd) : raw.trim()
    if (!name) return
    const key = `${kind} ${name}`
    const known = found.get(key)
    if (known) known.weight = Math.max(known.weight, weight)
    else found.set(key, { kind, name, weight })
  }
  if (item.tool) add('tool', item.tool, SHOWN)
  const path = actedPath(item)
  if (path) add('path', path, ACTED)
  const command = commandOf(item)
  for (const one of simpleCommands(command)) add('command', one, ACTED)
  const { words, output } = partsOf(item, command)
  // Prompts in a command's own text are data it is given.
  for (const one of extractEntities(command)) if (one.type !== 'command') add(one.type, one.value, SAID)
  for (const one of extractEntities(words)) add(one.type, one.value, SAID)
  for (const one of extractEntities(output)) add(one.type, one.value, SHOWN)
  return [...found.values()].sort((a, b) => b.weight - a.weight).slice(0, MOST)
}

/** The file or folder an item acted on, as given; empty when there is none. */
export function actedPath({ data }: Pick<NamingItem, 'data'>): string {
  return typeof data.path === 'string' ? data.path : ''
}

export function commandOf({ data }: Pick<NamingItem, 'data'>): string {
  return typeof data.command === 'string' ? data.command : ''
}

export const hasFailed = ({ kind, data }: Pick<NamingItem, 'kind' | 'data'>): boolean =>
  kind === 'error' || data.failed === true

/** A failure is told in at most this many characters. */
const FAILURE = 100
/** `src/a.ts:12:4: ` says where, and the fact is joined with others over what. */
const PLACE = /^[\w./~@-]{1,200}:\d+(?::\d+)?:\s+/

/** The line that says why an item failed, without its place; null when it did not fail or does not say. */
export function failureOf(item: NamingItem): string | null {
  if (!hasFailed(item)) return null
  const { output } = partsOf(item, commandOf(item))
  // A tool that is no shell says it first, and then may quote the text it was given.
  const line = commandOf(item) === '' && item.kind === 'error' ? firstLine(output) : errorLine(output)
  const plain = line.replace(PLACE, '').replace(/\s+/g, ' ').trim()
  return plain === '' ? null : plain.slice(0, FAILURE).trim()
}

const firstLine = (text: string): string =>
  text
    .slice(0, 4_000)
    .replace(/<\/?tool_use_error>/g, '')
    .split('\n')
    .find((line) => /[\p{L}\p{N}]/u.test(line) && !/^\s*exit code \d+\s*$/i.test(line)) ?? ''

/** Words somebody chose, and what a tool printed. A step's own first lines repeat what its data says. */
function partsOf(item: NamingItem, command: string): { words: string; output: string } {
  const { kind, text } = item
  if (kind === 'goal' || kind === 'conclusion' || kind === 'plan' || kind === 'decision' || kind === 'note')
    return { words: text, output: '' }
  if (command === '') return { words: '', output: withoutHead(item) }
  const at = text.indexOf(`$ ${command}`)
  if (at >= 0) return { words: text.slice(0, at), output: text.slice(at + 2 + command.length) }
  const prompt = /^\$ .*$/m.exec(text)
  if (!prompt) return { words: '', output: text }
  return { words: text.slice(0, prompt.index), output: text.slice(prompt.index + prompt[0].length) }
}

/** Without the line that only names the tool and the path. */
function withoutHead({ text, data }: NamingItem): string {
  const end = text.indexOf('\n')
  const head = end < 0 ? text : text.slice(0, end)
  const path = actedPath({ data })
  return path !== '' && head.trim().endsWith(path) ? text.slice(head.length + 1) : text
}
