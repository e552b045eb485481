import { expect, test } from 'vitest'
import { z } from 'zod'
import { calls } from '../../src/shared/contract'
import { plainProblem } from '../../src/shared/plain-issue'

function problem(schema: z.ZodType, input: unknown): string {
  const parsed = schema.safeParse(input)
  return parsed.success ? 'accepted' : plainProblem(parsed.error)
}
const of = (value: z.ZodType, input: unknown): string =>
  problem(z.object({ dayName: value }), { dayName: input })

test.each([
  [z.string().min(1), '', 'The day name is empty.'],
  [z.string().min(3), 'a', 'The day name is shorter than 3 characters.'],
  [z.string().max(20_000), 'a'.repeat(20_001), 'The day name is longer than 20,000 characters.'],
  [z.string().max(1), 'aa', 'The day name is longer than 1 character.'],
  [z.string().length(4), 'a', 'The day name must have exactly 4 characters.'],
  [z.number().min(1), 0, 'The day name must be at least 1.'],
  [z.number().max(1000), 1001, 'The day name must be at most 1,000.'],
  [z.number().gt(0), 0, 'The day name must be more than 0.'],
  [z.number().lt(5), 5, 'The day name must be less than 5.'],
  [z.number().int(), 1.5, 'The day name must be a whole number.'],
  [z.array(z.string()).min(1), [], 'The day name is empty.'],
  [z.array(z.string()).min(2), ['a'], 'The day name has fewer than 2 entries.'],
  [z.array(z.string()).max(1), ['a', 'b'], 'The day name has more than 1 entry.'],
  [z.array(z.string()), [1], 'The day name must be text.'],
  [z.string(), undefined, 'The day name is missing.'],
  [z.string(), 5, 'The day name must be text.'],
  [z.boolean(), 'yes', 'The day name must be true or false.'],
  [z.string().regex(/^[a-z]$/), 'A1', 'The day name is not written as it should be.'],
  [z.string().regex(/^[a-z]$/, 'a name is one letter'), 'A1', 'A name is one letter.'],
  [z.url(), 'no', 'The day name is not a web address.'],
  [z.enum(['tea', 'milk', 'salt']), 'oil', 'The day name must be tea, milk or salt.'],
  [z.union([z.string(), z.number()]), [], 'The day name is not understood.'],
])('%#: an issue is told in a sentence', (schema, input, told) => {
  expect(of(schema, input)).toBe(told)
})

test('a key that is not known is named', () => {
  expect(problem(z.strictObject({}), { colour: 1 })).toBe('There is no "colour" here.')
})

test.each([
  ['query.run', { goal: '' }, 'The goal is empty.'],
  ['query.run', { goal: 'x'.repeat(20_001) }, 'The goal is longer than 20,000 characters.'],
  ['hydrate.run', { goal: ' ' }, 'The goal is empty.'],
  ['hydrate.run', { goal: 'x'.repeat(100_001) }, 'The goal is longer than 100,000 characters.'],
  ['search.run', { text: '' }, 'The text is empty.'],
  ['nearest.run', { text: 'a', k: 0 }, '--k must be at least 1.'],
  ['cells.list', { limit: 0 }, '--limit must be at least 1.'],
  ['cells.rename', { cell: `cel_${'a'.repeat(16)}`, name: ' ' }, 'The name is empty.'],
  ['items.get', { handle: 'nonsense' }, 'A handle looks like itm_ and 26 letters or digits.'],
  ['settings.set', { models: { window: 5 } }, 'The context window must be at least 2,048.'],
] as const)('%s tells what a person typed', (name, input, told) => {
  expect(problem(calls[name].input, input)).toBe(told)
})
