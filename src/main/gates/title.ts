const LONGEST = 120

/** What a gate is called: its first heading, else its first line, without Markdown marks and "Plan:". */
export function titleOf(text: string, fallback = 'Plan without text'): string {
  const lines = text.slice(0, 20_000).split(/\r?\n/)
  const line =
    lines.find((candidate) => /^#{1,6}\s+\S/.test(candidate)) ?? lines.find((one) => one.trim() !== '')
  const bare = (line ?? '')
    .slice(0, 1000)
    .replace(/^[#>\s*-]+/, '')
    .replace(/[*_`]+/g, '')
    .replace(/^(?:implementation )?plan(?: for)?\s*[:–—-]\s*/i, '')
    .trim()
  if (bare === '') return fallback
  return bare.length <= LONGEST ? bare : `${bare.slice(0, LONGEST - 1).trimEnd()}…`
}
