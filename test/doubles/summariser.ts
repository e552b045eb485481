import type { ChatRequest } from './ollama'

// What a model that does as it is asked would answer to Fovea's prompt for summaries, and what one that obeys the texts
// would. It reads the prompt as a model does: by its marks.

export interface PromptText {
  n: number
  kind: string
  text: string
}

/** The texts of a prompt, or none when it is another prompt. */
export function textsOf({ messages }: ChatRequest): PromptText[] {
  const prompt = messages.at(-1)?.content ?? ''
  const seal = /\[\[data (\w+) text=1 /.exec(prompt)?.[1]
  if (seal === undefined) return []
  const block = new RegExp(
    `\\[\\[data ${seal} text=(\\d+) kind=(\\w+)\\]\\]\\n([\\s\\S]*?)\\n\\[\\[end ${seal}\\]\\]`,
    'g',
  )
  return [...prompt.matchAll(block)].map(([, n, kind, text]) => ({
    n: Number(n),
    kind: kind ?? '',
    text: text ?? '',
  }))
}

const sentencesOf = (text: string): string[] =>
  text
    .split(/(?<=[.!?])\s+|\n+/)
    .map((one) => one.replace(/^(?:goal|steps|conclusion|plan|note|decision|arc): /, '').trim())
    .filter((one) => one.length > 20)

/** The longest sentence first, a decision and an outcome by their words. */
export function faithful(request: ChatRequest): object {
  return {
    summaries: textsOf(request).map(({ n, text }) => {
      const all = sentencesOf(text)
      return {
        text: n,
        sentence: [...all].sort((a, b) => b.length - a.length)[0]?.slice(0, 200) ?? text.slice(0, 100),
        entities: [...new Set(text.match(/\b[\w/-]+\.(?:ts|py|sql)\b/g) ?? [])].slice(0, 8),
        decisions: all.filter((one) => /\bdecided\b/i.test(one)).slice(0, 3),
        constraints: [],
        outcomes: all.filter((one) => /\b(?:fixed|added|pass)/i.test(one)).slice(0, 3),
        open_questions: all.filter((one) => one.endsWith('?')).slice(0, 2),
      }
    }),
  }
}

export const say = (value: object): string => JSON.stringify(value)
