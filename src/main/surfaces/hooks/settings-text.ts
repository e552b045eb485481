import { type Member, type Node, type Span, spansOf } from './json-spans'

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

/** The text with the entries in it; null when it is not settings that could hold them. */
export function withHooks(text: string, entries: readonly HookEntry[]): string | null {
  let next = text.trim() === '' ? '{}\n' : text
  for (const entry of entries) {
    const one = withHook(next, entry)
    if (one === null) return null
    next = one
  }
  return next
}

/** The text without the groups whose only commands are `ours`; null when it is no settings. */
export function withoutHooks(text: string, ours: (command: string) => boolean): string | null {
  let next = text
  for (;;) {
    const root = rootOf(next)
    if (!root) return null
    const found = groupsIn(root).find(({ node }) => {
      const commands = commandsIn(next, node)
      return commands.length > 0 && commands.every(ours)
    })
    if (!found) return next
    next = without(next, root, found)
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

/** Without a group; what it was the only one of goes with it. */
function without(text: string, root: ObjectNode, { event, list, node }: Group): string {
  const hooks = memberOf(root, 'hooks')
  if (list.elements.length > 1) return cut(text, list, list.elements, node)
  if (hooks?.value.kind !== 'object') return text
  const named = hooks.value.members.find(({ key, value }) => key === event && value === list)
  if (hooks.value.members.length > 1 && named) return cut(text, hooks.value, hooks.value.members, named)
  return cut(text, root, root.members, hooks)
}

/** Without one child and the comma that belongs to it. */
function cut(text: string, parent: Span, children: readonly Span[], child: Span): string {
  const at = children.indexOf(child)
  const [before, after] = [children[at - 1], children[at + 1]]
  if (before) return text.slice(0, before.end) + text.slice(child.end)
  if (after) return text.slice(0, child.start) + text.slice(after.start)
  return text.slice(0, parent.start + 1) + text.slice(parent.end - 1)
}

function handOf(text: string): Hand {
  const first = /\{[ \t]*(\r?\n)([ \t]+)"/.exec(text)
  if (first) return { newline: first[1] ?? '\n', indent: first[2] ?? '  ' }
  const isOneLine = !/\n\s*\S/.test(text.trim()) && text.trim() !== '{}'
  return { newline: text.includes('\r\n') ? '\r\n' : '\n', indent: isOneLine ? '' : '  ' }
}
