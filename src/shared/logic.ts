import { z } from 'zod'
import { Handle } from './domain'

/** A value in an answer: text, a number, a list; null for a variable that stayed free or a value that is missing. */
export type QueryValue = string | number | null | QueryValue[]
export const QueryValue: z.ZodType<QueryValue> = z.lazy(() =>
  z.union([z.string(), z.number(), z.null(), z.array(QueryValue)]),
)

/** Entries of a list and characters of a text that a person is shown; the whole is in the JSON answer. */
const SHOWN_ENTRIES = 20
const SHOWN_CHARS = 2_000

/** A value as a person reads it: of a long one the beginning, and how much was left out. */
export function inWords(value: QueryValue, nothing: string): string {
  if (value === null) return nothing
  if (!Array.isArray(value)) return shortened(String(value))
  const shown = value.slice(0, SHOWN_ENTRIES).map((one) => inWords(one, nothing))
  const left = value.length - shown.length
  return shortened(
    `[${[...shown, ...(left > 0 ? [`… ${left.toLocaleString('en-US')} more`] : [])].join(', ')}]`,
  )
}

function shortened(text: string): string {
  const left = text.length - SHOWN_CHARS
  return left <= 0 ? text : `${text.slice(0, SHOWN_CHARS)}… ${left.toLocaleString('en-US')} more characters`
}

export const QueryResult = z.object({
  /** The variables in the order they first appear; those that start with `_` are not told. */
  variables: z.array(z.string()),
  answers: z.array(z.record(z.string(), QueryValue)),
  more: z.boolean(),
  ms: z.number(),
})
export type QueryResult = z.infer<typeof QueryResult>

/** Longest subject or object an agent may assert, in characters. */
const term = z.string().trim().min(1).max(2_000)

/** A fact, a constraint or a checkpoint that an agent asserts. */
export const AssertedFact = z.object({
  agent: z.string().regex(/^[\w.:@/-]{1,100}$/, 'an agent is named by letters, digits and . : @ / -'),
  kind: z.enum(['fact', 'constraint', 'checkpoint']).default('fact'),
  subject: term,
  predicate: z.string().regex(/^[a-z][a-z0-9_]{0,63}$/, 'a predicate is lower case letters, digits and _'),
  object: term,
  project: z.string().max(200).optional(),
  /** The item it rests on; when that is forgotten, so is this. */
  handle: Handle.optional(),
})
export type AssertedFact = z.infer<typeof AssertedFact>

/** The name and the number of arguments of each relation, as Prolog writes them. */
export const relationNames = (): string[] =>
  predicates.map(({ head }) => `${head.split('(')[0]}/${head.split(',').length}`)

/** The predicates a query can ask, for the person and the agent who write one. */
export const predicates: readonly { head: string; says: string }[] = [
  { head: 'item(Handle, Kind, Session, Project, Ts)', says: 'one entry of the journal; Ts in milliseconds' },
  { head: 'goal(Handle, Text, Project)', says: 'what a person wanted' },
  { head: 'arc(Arc, Goal, Session, StartedAt)', says: 'a run of items of one goal' },
  { head: 'session(Session, Agent, Project, StartedAt)', says: 'one conversation' },
  {
    head: 'relation(From, Relation, To)',
    says: 'for: item, goal; in: item, arc; part_of: arc, session; child_of: session, session; next: item, item',
  },
  { head: 'rung(Subject, Level, Text)', says: "an item or an arc at 'L0', 'L1', 'L2' or 'L3'" },
  {
    head: 'fact(Subject, Predicate, Object, Handle)',
    says: 'edits, reads, writes, searches, runs, fails_with, installs, imports, has_version, fixes, decided, wants, asks, approves, rejects, mentions',
  },
  {
    head: 'entity(Kind, Name, Project)',
    says: 'path, symbol, command, package, url, issue, error, version, person, model, tool',
  },
  { head: 'names(Handle, Kind, Name)', says: 'which item names what' },
  {
    head: 'asserted(Agent, Subject, Predicate, Object)',
    says: 'what agents told Fovea, apart from the journal',
  },
  { head: 'cell(Cell, Name, Project)', says: 'a neighbourhood of related items' },
  { head: 'contains(Cell, What)', says: 'the items of a cell, and the arcs most of which lie in it' },
  { head: 'adjacent(Cell, Other)', says: 'cells that links lead to' },
  { head: 'nearest(Text, K, Handle, Score)', says: 'the K items nearest in meaning' },
  { head: 'words(Text, K, Handle, Score)', says: 'the K best items by words' },
  { head: 'day(Ts, Day)', says: 'a moment as its day, 2026-11-30 (UTC)' },
]
