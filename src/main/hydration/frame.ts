import { dayText } from '../../shared/days'
import type { ItemKind, Rung } from '../../shared/domain'
import { withoutControls } from '../../shared/plain-text'

/** One fact as it may stand in a frame. */
export interface Line {
  handle: string
  /** The handle's shortest beginning that is unlike every other's here. */
  short: string
  level: Rung
  /** Only passages of a long text stand here. */
  part?: true
  kind: ItemKind
  name: string | null
  text: string
  session: string
  position: number
  ts: number
  project: string | null
  utility: number
}

/**
 * What the tokens of a frame are counted with in place of its receipt's id: one token for each character, the dearest
 * an id can be. So what was spent never depends on which id was drawn, and the true frame is never larger.
 */
export const DEAREST_ID = 'rcp_q7w2k5x3z6j4v2h7'

/**
 * `[L1 k3f7 error] text`: the rung, the handle's beginning, the kind unless it is someone speaking. `L0…` is verbatim,
 * but not the whole of it.
 */
export function lineText(line: Pick<Line, 'level' | 'part' | 'short' | 'kind' | 'name' | 'text'>): string {
  const spoken = line.kind === 'note' || line.name !== null
  const tag = `[${line.level}${line.part ? '…' : ''} ${line.short}${spoken ? '' : ` ${line.kind}`}]`
  return `${tag} ${line.name === null ? '' : `${inert(line.name).replace(/\s+/g, ' ')}: `}${inert(line.text)}`
}

/**
 * Text from a transcript cannot pass for Fovea's own: its lines are indented, so that none starts with a tag or a
 * heading, what looks like an envelope's marker is broken, and nothing in it reorders what is seen.
 */
export function inert(text: string): string {
  return withoutControls(text)
    .replace(/\[\[(?=fovea:)/gi, '[ [')
    .replace(/\r\n?|\n|\u2028|\u2029/g, '\n  ')
}

/** `§ 2023-05-08 payments · Retry the webhook` over the facts of one session's day. */
export function headingText(
  line: Pick<Line, 'ts' | 'project'>,
  title: string | undefined,
  withProject: boolean,
): string {
  const project = withProject && line.project ? ` ${inert(line.project)}` : ''
  return `§ ${day(line.ts)}${project}${title ? ` · ${inert(title)}` : ''}`
}

/** The calendar day on this machine, as the timeline and the index count them. */
export function day(ts: number): string {
  // Every zone's midnight is at a whole quarter of an hour.
  const number = Math.floor(ts / 900_000)
  const known = days.get(number)
  if (known !== undefined) return known
  if (days.size > 10_000) days.clear()
  const text = dayText(ts)
  days.set(number, text)
  return text
}

/** By the quarter of an hour: every line of a frame asks for its own day, several times. */
const days = new Map<number, string>()

/** Lines that share a heading: one session's day. */
export const groupOf = (line: Pick<Line, 'session' | 'ts'>): string => `${line.session} ${day(line.ts)}`

/**
 * The frame's text: groups by their best fact, the best first, the second best last and so on inwards, since what
 * stands at the edges is read best; within a group in the order it happened.
 */
export function frameText(
  lines: readonly Line[],
  headings: ReadonlyMap<string, string>,
  tail: readonly string[],
): string {
  const groups = Map.groupBy(lines, groupOf)
  const ranked = [...groups].sort(([a, one], [b, two]) => strongest(two) - strongest(one) || (a < b ? -1 : 1))
  const parts = edgesFirst(ranked).map(([group, members]) => {
    const ordered = [...members].sort((a, b) => a.position - b.position || (a.handle < b.handle ? -1 : 1))
    return [headings.get(group) ?? '§', ...ordered.map(lineText)].join('\n')
  })
  return [...parts, ...tail].join('\n')
}

const strongest = (lines: readonly Line[]): number => Math.max(...lines.map((line) => line.utility))

/** 1, 3, 5, … 6, 4, 2 */
export function edgesFirst<T>(ranked: readonly T[]): T[] {
  const first = ranked.filter((_, i) => i % 2 === 0)
  const second = ranked.filter((_, i) => i % 2 === 1)
  return [...first, ...second.reverse()]
}

/** A frame that says only that there was no room for one. */
export const minimalFrame = (receipt: string): string => `[fovea ${receipt}: no room for a frame]`

/** For each handle its shortest beginning of at least four characters that no other has. */
export function shortHandles(handles: readonly string[]): Map<string, string> {
  const bare = (handle: string): string => handle.replace(/^itm_/, '')
  const sorted = [...handles].sort()
  return new Map(
    sorted.map((handle, i) => {
      const own = bare(handle)
      const near = [sorted[i - 1], sorted[i + 1]].filter((other) => other !== undefined)
      const shared = Math.max(0, ...near.map((other) => commonLength(own, bare(other))))
      return [handle, own.slice(0, Math.max(4, shared + 1))]
    }),
  )
}

function commonLength(a: string, b: string): number {
  let i = 0
  while (i < a.length && a[i] === b[i]) i++
  return i
}
