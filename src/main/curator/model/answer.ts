import { z } from 'zod'

const sentences = (most: number) => z.array(z.string().max(400)).max(most)

/** What a model is asked for. Everything in it is checked against the text before it is kept. */
export const Summaries = z.object({
  summaries: z
    .array(
      z.object({
        text: z.number().int().min(1),
        sentence: z.string().max(600),
        entities: z.array(z.string().max(200)).max(16),
        decisions: sentences(6),
        constraints: sentences(6),
        outcomes: sentences(10),
        open_questions: sentences(6),
      }),
    )
    .max(32),
})
export type Summary = z.infer<typeof Summaries>['summaries'][number]

/** Tokens of one summary, generously. */
export const ANSWER_EACH = 400
