import { tidy } from './ladder'

const WIDTH = 180
/** Matches are looked for in the beginning of a long text only. */
const LOOKED_AT = 20_000

/** A window of a text around the place where most of the words stand, on one line. Words match as beginnings. */
export function snippet(text: string, words: readonly string[]): string {
  const flat = tidy(text.slice(0, LOOKED_AT)).replace(/\s+/g, ' ')
  if (flat.length <= WIDTH) return flat
  const places = positions(flat.toLowerCase(), words)
  const start = Math.max(0, bestWindow(places) - 40)
  const from = start === 0 ? 0 : flat.indexOf(' ', start) + 1
  const to = Math.min(flat.length, from + WIDTH)
  const end = to === flat.length ? to : Math.max(from + 1, flat.lastIndexOf(' ', to))
  return `${from > 0 ? '…' : ''}${flat.slice(from, end)}${end < flat.length ? '…' : ''}`
}

/** Where a word, or what is left of it without its ending, begins. */
function positions(text: string, words: readonly string[]): { at: number; word: string }[] {
  const found: { at: number; word: string }[] = []
  for (const word of words) {
    const root = word.length > 5 ? word.slice(0, -2) : word
    for (
      let at = text.indexOf(root);
      at !== -1 && found.length < 500;
      at = text.indexOf(root, at + root.length)
    ) {
      if (at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1] ?? '')) found.push({ at, word })
    }
  }
  return found.sort((a, b) => a.at - b.at)
}

function bestWindow(places: readonly { at: number; word: string }[]): number {
  let best = { at: places[0]?.at ?? 0, count: 0 }
  for (const { at } of places) {
    const inside = new Set(
      places.filter((place) => place.at >= at && place.at < at + WIDTH - 40).map((place) => place.word),
    )
    if (inside.size > best.count) best = { at, count: inside.size }
  }
  return best.at
}
