import { z } from 'zod'

const Shape = z.object({
  entities: z.array(z.string()),
  decisions: z.array(z.string()),
  constraints: z.array(z.string()),
  outcomes: z.array(z.string()),
  open_questions: z.array(z.string()),
})

const TITLES = [
  ['outcomes', 'Done'],
  ['decisions', 'Decided'],
  ['constraints', 'Bound by'],
  ['open_questions', 'Open'],
] as const

/** An L2 rung as a person reads it: one line for each list that holds something. Text of another shape stays as it is. */
export function distillationText(json: string): string {
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch {
    return json
  }
  const parsed = Shape.safeParse(value)
  if (!parsed.success) return json
  const lines = TITLES.map(([key, title]) => [title, parsed.data[key].join(' ')] as const)
  const named = ['About', parsed.data.entities.join(', ')] as const
  return [...lines, named]
    .filter(([, text]) => text !== '')
    .map(([title, text]) => `${title}: ${text}`)
    .join('\n')
}
