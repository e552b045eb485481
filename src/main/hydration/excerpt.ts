// The passages of a long text that say what a goal asks for. Verbatim, in their order, what lies between them marked.

/** Words of a goal with what each tells, the rarest most. */
export type Telling = ReadonlyMap<string, number>

interface Passage {
  from: number
  to: number
  /** Which of the words it says, by number. */
  says: number[]
}

/** Of a longer text the beginning and the end are read. */
const HEAD = 16_000
const TAIL = 4_000
/** Characters of a passage: shorter ones go with the next, longer ones are parted at a word's end. */
const LEAST = 40
const MOST = 240
/** What follows a passage tells what came of it; what begins a text tells what it is about. */
const FOLLOWS = 0.4
const BEGINS = 0.25
const AGAIN = 0.2
const GAP = ' … '

/**
 * At most about `length` characters of a text, the passages first that say the most of the goal that no other has
 * said. Null when no passage fits, or all of the text would.
 */
export function excerpt(text: string, telling: Telling, length: number): string | null {
  const read = text.length <= HEAD + TAIL ? text : `${text.slice(0, HEAD)}\n${text.slice(-TAIL)}`
  const passages = passagesOf(read)
  if (passages.length < 2) return null
  const weights = [...telling.values()]
  mark(read, passages, [...telling.keys()])
  const taken = choose(passages, weights, length)
  if (taken.length === 0 || taken.length === passages.length) return null
  return joined(read, passages, taken)
}

/** How much of what a goal asks for a text says, 0 to 1, of what `all` says of it; 1 when that is nothing. */
export function saysOf(text: string, telling: Telling, all: number): number {
  return all === 0 ? 1 : Math.min(1, said(text, telling) / all)
}

/** The summed weight of the words a text says. */
export function said(text: string, telling: Telling): number {
  const lower = text.slice(0, HEAD + TAIL).toLowerCase()
  let sum = 0
  for (const [word, weight] of telling) if (places(lower, rootOf(word), 1).length > 0) sum += weight
  return sum
}

function passagesOf(text: string): Passage[] {
  const passages: Passage[] = []
  let from = 0
  const close = (to: number): void => {
    if (text.slice(from, to).trim() !== '') passages.push({ from, to, says: [] })
    from = to
  }
  for (let at = 0; at < text.length; at++) {
    const long = at + 1 - from
    if (long >= MOST && !/[\uD800-\uDBFF]/.test(text[at] ?? '')) {
      const space = text.lastIndexOf(' ', at)
      close(space > from + MOST / 2 ? space + 1 : at + 1)
    } else if (long >= LEAST && endsAt(text, at)) close(at + 1)
  }
  close(text.length)
  return passages
}

/** Whether a line or a sentence ends here. */
function endsAt(text: string, at: number): boolean {
  const char = text[at]
  if (char === '\n') return true
  return (char === '.' || char === '!' || char === '?') && /\s/.test(text[at + 1] ?? ' ')
}

function mark(text: string, passages: readonly Passage[], words: readonly string[]): void {
  const lower = text.toLowerCase()
  words.forEach((word, number) => {
    let i = 0
    for (const at of places(lower, rootOf(word), 200)) {
      while (i < passages.length - 1 && (passages[i]?.to ?? 0) <= at) i++
      const says = passages[i]?.says
      if (says && says.at(-1) !== number) says.push(number)
    }
  })
}

/** Where a word, or what is left of it without its ending, begins. */
function places(lower: string, root: string, most: number): number[] {
  const found: number[] = []
  for (
    let at = lower.indexOf(root);
    at !== -1 && found.length < most;
    at = lower.indexOf(root, at + root.length)
  )
    if (at === 0 || !LETTER.test(lower[at - 1] ?? '')) found.push(at)
  return found
}

const LETTER = /[\p{L}\p{N}]/u
const rootOf = (word: string): string => (word.length > 5 ? word.slice(0, -2) : word)

function choose(passages: readonly Passage[], weights: readonly number[], length: number): number[] {
  const covered = new Set<number>()
  const taken = new Set<number>()
  const most = weights.reduce((max, weight) => Math.max(max, weight), 0) || 1
  const own = (passage: Passage | undefined): number =>
    (passage?.says ?? []).reduce((sum, n) => sum + (weights[n] ?? 0) * (covered.has(n) ? AGAIN : 1), 0)
  const worth = (i: number): number =>
    own(passages[i]) + FOLLOWS * own(passages[i - 1]) + (i === 0 ? BEGINS * most : 0)
  let left = length
  for (;;) {
    let best = -1
    let bestWorth = 0
    passages.forEach(({ from, to }, i) => {
      if (taken.has(i) || to - from > left) return
      const value = worth(i)
      if (value > bestWorth) [best, bestWorth] = [i, value]
    })
    const chosen = passages[best]
    if (!chosen) break
    taken.add(best)
    left -= chosen.to - chosen.from
    for (const n of chosen.says) covered.add(n)
  }
  return [...taken].sort((a, b) => a - b)
}

function joined(text: string, passages: readonly Passage[], taken: readonly number[]): string {
  let out = ''
  let end = 0
  for (const i of taken) {
    const { from, to } = passages[i] ?? { from: end, to: end }
    const passage = text.slice(from, to)
    if (from > end) out = `${out.trimEnd()}${GAP}${passage.trimStart()}`
    else out += passage
    end = to
  }
  return (end < text.length ? `${out.trimEnd()}${GAP}` : out).trim()
}
