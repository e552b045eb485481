import { type Member, type Node, type Span, spansOf } from './json-spans'
import type { Standing } from './standing'

// A hook in the text of an agent's settings: put in and taken out again, everything else byte for byte as it was.

/** One entry under `hooks`, as Claude Code reads it. */
export interface HookEntry {
  event: string
  /** What the event must match; not given, always. */
  matcher?: string
  command: string
  /** Seconds until the agent goes on without an answer. */
  timeout: number
}

type ObjectNode = Extract<Node, { kind: 'object' }>
type ArrayNode = Extract<Node, { kind: 'array' }>

/** How the text is written: its line breaks and the blanks of one level. */
interface Hand {
  newline: string
  /** Empty: all on one line. */
  indent: string
}

/** The commands of all hooks of a text, with their event; null when the text is no settings. */
export function hookCommands(text: string): { event: string; command: string }[] | null {
  const root = rootOf(text)
  if (!root) return null
  return groupsIn(root).flatMap(({ event, node }) =>
    commandsIn(text, node).map((command) => ({ event, command })),
  )
}

/** What settings are made of where there are none. */
export const EMPTY = '{}\n'

/** What stands in a text, or in no file, where the entries would be put in. */
export function standingIn(text: string | null, entries: readonly HookEntry[]): Standing {
  const blank = text === null || text.trim() === '' ? { blank: text } : {}
  const root = rootOf('blank' in blank ? EMPTY : (text ?? ''))
  const hooks = memberOf(root ?? undefined, 'hooks')?.value
  const places: [string, Node | undefined][] = [
    [ROOT, root ?? undefined],
    [HOOKS, hooks],
    ...entries.map(({ event }): [string, Node | undefined] => [
      eventPlace(event),
      memberOf(hooks, event)?.value,
    ]),
  ]
  const inner: Standing['inner'] = {}
  for (const [place, node] of places) {
    if (node === undefined) inner[place] = null
    else if (isEmpty(node)) inner[place] = (text ?? '').slice(node.start + 1, node.end - 1)
  }
  return { ...blank, inner: 'blank' in blank ? { ...inner, [ROOT]: '' } : inner }
}

const isEmpty = (node: Node): boolean =>
  (node.kind === 'object' && node.members.length === 0) ||
  (node.kind === 'array' && node.elements.length === 0)

const ROOT = ''
const HOOKS = 'hooks'
const eventPlace = (event: string): string => `hooks/${event}`

/** The text with the entries in it; null when it is not settings that could hold them. */
export function withHooks(text: string, entries: readonly HookEntry[]): string | null {
  let next = text.trim() === '' ? EMPTY : text
  for (const entry of entries) {
    const one = withHook(next, entry)
    if (one === null) return null
    next = one
  }
  return next
}

/**
 * The text without the groups whose only commands are `ours`; null when it is no settings. Brackets that hold nothing then
 * go where `stood` says that they were made for the hook; any other may be the person's and stay.
 */
export function withoutHooks(
  text: string,
  ours: (command: string) => boolean,
  stood: Standing['inner'] = {},
): string | null {
  let next = text
  for (;;) {
    const root = rootOf(next)
    if (!root) return null
    const found = groupsIn(root).find(({ node }) => {
      const commands = commandsIn(next, node)
      return commands.length > 0 && commands.every(ours)
    })
    if (!found) return next
    next = without(next, root, found, stood)
  }
}

interface Group {
  event: string
  list: ArrayNode
  node: Node
}

function rootOf(text: string): ObjectNode | null {
  const root = spansOf(text)
  return root?.kind === 'object' ? root : null
}

const memberOf = (node: Node | undefined, key: string): Member | undefined =>
  node?.kind === 'object' ? node.members.findLast((member) => member.key === key) : undefined

function groupsIn(root: ObjectNode): Group[] {
  const hooks = memberOf(root, 'hooks')?.value
  if (hooks?.kind !== 'object') return []
  return hooks.members.flatMap(({ key, value }) =>
    value.kind === 'array' ? value.elements.map((node) => ({ event: key, list: value, node })) : [],
  )
}

function commandsIn(text: string, group: Node): string[] {
  const list = memberOf(group, 'hooks')?.value
  if (list?.kind !== 'array') return []
  return list.elements.map((one) => {
    const command = memberOf(one, 'command')?.value
    const said: unknown = command ? JSON.parse(text.slice(command.start, command.end)) : null
    return typeof said === 'string' ? said : ''
  })
}

function withHook(text: string, entry: HookEntry): string | null {
  const root = rootOf(text)
  if (!root) return null
  const hooks = memberOf(root, 'hooks')?.value
  const list = memberOf(hooks, entry.event)?.value
  const hand = handOf(text)
  const group = {
    ...(entry.matcher === undefined ? {} : { matcher: entry.matcher }),
    hooks: [{ type: 'command', command: entry.command, timeout: entry.timeout }],
  }
  if (hooks === undefined)
    return inserted(text, root, written('hooks', { [entry.event]: [group] }, hand, 1), hand)
  if (hooks.kind !== 'object') return null
  if (list === undefined) return inserted(text, hooks, written(entry.event, [group], hand, 2), hand, 2)
  return list.kind === 'array' ? inserted(text, list, json(group, hand, 3), hand, 3) : null
}

const written = (key: string, value: unknown, hand: Hand, depth: number): string =>
  `${JSON.stringify(key)}: ${json(value, hand, depth)}`

function json(value: unknown, { newline, indent }: Hand, depth: number): string {
  if (indent === '') return JSON.stringify(value)
  return JSON.stringify(value, null, indent).replaceAll('\n', newline + indent.repeat(depth))
}

/** A new last child. */
function inserted(
  text: string,
  parent: ObjectNode | ArrayNode,
  child: string,
  hand: Hand,
  depth = 1,
): string {
  const children: readonly Span[] = parent.kind === 'object' ? parent.members : parent.elements
  const last = children.at(-1)
  const line = hand.indent === '' ? '' : hand.newline + hand.indent.repeat(depth)
  if (last) return `${text.slice(0, last.end)},${line || ' '}${child}${text.slice(last.end)}`
  const close = hand.indent === '' ? '' : hand.newline + hand.indent.repeat(depth - 1)
  return `${text.slice(0, parent.start + 1)}${line}${child}${close}${text.slice(parent.end - 1)}`
}

function without(
  text: string,
  root: ObjectNode,
  { event, list, node }: Group,
  stood: Standing['inner'],
): string {
  const hooks = memberOf(root, HOOKS)
  if (hooks?.value.kind !== 'object') return text
  const named = hooks.value.members.find(({ key, value }) => key === event && value === list)
  const levels: [place: string, parent: Span, children: readonly Span[], child: Span | undefined][] = [
    [eventPlace(event), list, list.elements, node],
    [HOOKS, hooks.value, hooks.value.members, named],
    [ROOT, root, root.members, hooks],
  ]
  for (const [place, parent, children, child] of levels) {
    if (child && children.length > 1) return cut(text, children, child)
    const inner = stood[place]
    if (inner !== null || place === ROOT)
      return `${text.slice(0, parent.start + 1)}${inner ?? ''}${text.slice(parent.end - 1)}`
  }
  return text
}

/** Without one child and the comma that belongs to it. */
function cut(text: string, children: readonly Span[], child: Span): string {
  const at = children.indexOf(child)
  const [before, after] = [children[at - 1], children[at + 1]]
  if (before) return text.slice(0, before.end) + text.slice(child.end)
  return after ? text.slice(0, child.start) + text.slice(after.start) : text
}

function handOf(text: string): Hand {
  const first = /\{[ \t]*(\r?\n)([ \t]+)"/.exec(text)
  if (first) return { newline: first[1] ?? '\n', indent: first[2] ?? '  ' }
  const isOneLine = !/\n\s*\S/.test(text.trim()) && text.trim() !== '{}'
  return { newline: text.includes('\r\n') ? '\r\n' : '\n', indent: isOneLine ? '' : '  ' }
}
