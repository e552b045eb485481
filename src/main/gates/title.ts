const LONGEST = 120

/** What a gate is called: its first heading, else its first line, without Markdown marks, "Plan:" and commands. */
export function titleOf(text: string, fallback = 'Plan without text'): string {
  const lines = text.slice(0, 20_000).split(/\r?\n/)
  const line =
    lines.find((candidate) => /^#{1,6}\s+\S/.test(candidate)) ?? lines.find((one) => one.trim() !== '')
  const bare = withoutCommand(line ?? '')
    .slice(0, 1000)
    .replace(/^[#>\s*-]+/, '')
    .replace(/[*_`]+/g, '')
    .replace(/^(?:implementation )?plan(?: for)?\s*[:–—-]\s*/i, '')
    .trim()
  if (bare === '') return fallback
  return bare.length <= LONGEST ? bare : `${bare.slice(0, LONGEST - 1).trimEnd()}…`
}

/** A gate without a text of its own is called by what was asked: the first sentence, without a slash command. */
export function goalTitle(goal: string): string | undefined {
  const line = goal.split(/\r?\n/, 200).find((one) => withoutCommand(one).trim() !== '') ?? ''
  const sentences = withoutCommand(line)
    .slice(0, 1000)
    .split(/(?<=[.!?])\s+/)
  // "first." alone after a command says nothing.
  const telling = sentences.find((one) => one.trim().split(/\s+/).length >= 3) ?? sentences[0] ?? ''
  const title = titleOf(telling.trim().replace(/[.]$/, ''), '')
  return title === '' ? undefined : title
}

/** `/superpowers:write-plan first.` begins with a command to the agent; a path such as `/srv/app` is none. */
const withoutCommand = (line: string): string =>
  line.replace(/^\s*\/[a-z][\w:-]{0,80}(?=\s|$)/i, '').trimStart()
