import { z } from 'zod'
import { Handle } from './domain'

/** A value in an answer: text, a number, a list; null for a variable that stayed free or a value that is missing. */
export type QueryValue = string | number | null | QueryValue[]
export const QueryValue: z.ZodType<QueryValue> = z.lazy(() =>
  z.union([z.string(), z.number(), z.null(), z.array(QueryValue)]),
)

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
