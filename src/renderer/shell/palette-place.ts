/** Ids are letters by chance: they count only where one is typed. */
const ID = /\b(?:gat|rcp)_[a-z2-7]+$/

/**
 * Whether a line of the palette is offered for what is typed, and how high: every typed word stands in it as it is
 * written. Letters strewn over a long goal are no match.
 */
export function palettePlace(line: string, typed: string): number {
  const text = (typed.includes('_') ? line : line.replace(ID, '')).toLowerCase()
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  if (!words.every((word) => text.includes(word))) return 0
  return words.every((word) => text.startsWith(word) || text.includes(` ${word}`)) ? 1 : 0.5
}
