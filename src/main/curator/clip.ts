/** A sentence of a rung is no longer than this; a longer one is cut at a word. */
export const SENTENCE = 240

/** At most `length` characters, cut at a word, with `…` when cut. */
export function clip(text: string, length: number): string {
  const flat = text.replace(/\s+/g, ' ').trim()
  if (flat.length <= length) return flat
  const cut = flat.slice(0, length - 1)
  const space = cut.lastIndexOf(' ')
  const at = space > length * 0.6 ? space : cut.length
  return `${cut
    .slice(0, at)
    .replace(/[\ud800-\udbff]$/, '')
    .replace(/[,;:\s]+$/, '')}…`
}
