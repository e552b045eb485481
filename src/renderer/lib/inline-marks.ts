// A line of prose from a transcript as it was meant to be read: `**this**` strong, `` `that` `` as code, headings and
// list marks without their signs. Pieces of text only; nothing in them is ever markup.

export interface Run {
  text: string
  mark: 'strong' | 'code' | null
}

/** Longer than this between two signs, and they did not belong together. */
const MOST = 400
const signs = new RegExp(
  `\`([^\`\\n]{1,${MOST}})\`|(?<![*\\w])\\*\\*(?=\\S)([^*\\n]{1,${MOST}}?)(?<=\\S)\\*\\*(?![*\\w])|(?<![_\\w])__(?=\\S)([^_\\n]{1,${MOST}}?)(?<=\\S)__(?![_\\w])`,
  'g',
)
const lineStart = /(^|\n)[ \t]*#{1,6}[ \t]+/g

/** The runs of a text, in order; their texts joined are the text without the signs. */
export function inlineMarks(text: string): Run[] {
  const plain = text.replace(lineStart, '$1')
  const runs: Run[] = []
  let from = 0
  for (const found of plain.matchAll(signs)) {
    const { index } = found
    const [whole, code, stars, lines] = found
    if (index > from) runs.push({ text: plain.slice(from, index), mark: null })
    runs.push(
      code === undefined
        ? { text: (stars ?? lines ?? '').replaceAll('`', ''), mark: 'strong' }
        : { text: code, mark: 'code' },
    )
    from = index + whole.length
  }
  if (from < plain.length || runs.length === 0) runs.push({ text: plain.slice(from), mark: null })
  return runs
}
