import type { Handle, Rung } from '@shared/domain'
import { readMove } from '@shared/figures'
import type { Comparison } from '@shared/recall'
import { count, dateTime, plural, term } from '../lib/format'
import { isProse } from '../lib/words'

/** A line of the comparison: a fact, or, without a handle, the heading of a group. */
export interface CompareRow {
  key: string
  handle: Handle | null
  from: Rung | null
  to: Rung | null
  text: string
  /** Whether the text is prose, whose marks are shown as what they mean. */
  prose: boolean
  /** The score, or how far it moved. */
  figure: string
}

/** Decimals a term and a score are shown with; what moved by less has not moved for a reader. */
export const DECIMALS = 2

/** What differs between two frames, in groups: only in A, only in B, at another rung, at another score. */
export function compareRows({ before, after, added, removed, changed, moved }: Comparison): CompareRow[] {
  const facts = {
    before: new Map(before.facts.map((fact) => [fact.handle, fact])),
    after: new Map(after.facts.map((fact) => [fact.handle, fact])),
  }
  const row = (handle: Handle, figure: string): CompareRow => {
    const [a, b] = [facts.before.get(handle), facts.after.get(handle)]
    const fact = b ?? a
    return {
      key: handle,
      handle,
      from: a?.level ?? null,
      to: b?.level ?? null,
      text: fact?.text ?? '',
      prose: fact !== undefined && isProse[fact.kind],
      figure,
    }
  }
  const rerunged = new Set(changed.map(({ handle }) => handle))
  const shifted = moved.filter(
    ({ handle, from, to }) => !rerunged.has(handle) && readMove(from, to, DECIMALS) !== 0,
  )
  const score = (value: number | undefined): string => (value === undefined ? '' : value.toFixed(2))
  return [
    ...group('Only in A', removed, (handle) => row(handle, score(facts.before.get(handle)?.score))),
    ...group('Only in B', added, (handle) => row(handle, score(facts.after.get(handle)?.score))),
    ...group('At another rung', changed, ({ handle }) => row(handle, '')),
    ...group('At another score', shifted, ({ handle, from, to }) =>
      row(handle, signed(readMove(from, to, DECIMALS))),
    ),
  ]
}

function group<T>(title: string, list: readonly T[], line: (one: T) => CompareRow): CompareRow[] {
  if (list.length === 0) return []
  const heading = { key: title, handle: null, from: null, to: null, prose: false, figure: '' }
  return [{ ...heading, text: `${title}: ${plural(list.length, 'fact')}` }, ...list.map(line)]
}

export const signed = (value: number): string => (value > 0 ? `+${term(value)}` : term(value))

const fieldName: Record<string, string> = {
  goal: 'goal',
  plane: 'plane',
  budget: 'budget',
  asOf: 'as of',
  viewer: 'asked by',
  tokenizer: 'tokens counted with',
  project: 'project',
  segments: 'segments',
  filters: 'read from the words',
  words: 'words looked up',
  zone: 'days counted in',
}

/** In what the two requests differ, in a person's words. The goals stand above and are left out. */
export function requestWords({ request }: Comparison, now: number): Comparison['request'] {
  const told = (field: string, value: string): string => {
    if (value === '' || value === 'null') return 'none'
    if (field === 'asOf') return dateTime(Number(value), now)
    if (field === 'budget') return `${count(Number(value))} tokens`
    return listed(value)
  }
  return request
    .filter(({ field }) => field !== 'goal')
    .map(({ field, before, after }) => ({
      field: fieldName[field] ?? field,
      before: told(field, before),
      after: told(field, after),
    }))
    .filter(({ before, after }) => before !== after)
}

/** A list of words as words; whatever else it is, as it stands. */
function listed(value: string): string {
  try {
    const parsed: unknown = JSON.parse(value)
    return Array.isArray(parsed) ? parsed.join(', ') : value
  } catch {
    return value
  }
}
