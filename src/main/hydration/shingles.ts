import { wordsOf } from './goal-words'

/** Only the beginning of a long text is compared. */
const MAX_CHARS = 2000

/** The hashed word triples of a text; of a text under three words, the whole. */
export function shingles(text: string): Set<number> {
  const hashes = hashesOf(text.length > MAX_CHARS ? text.slice(0, MAX_CHARS) : text)
  if (hashes.length < 3) return new Set([hashes.reduce((sum, word) => Math.imul(sum, 31) + word, 7) | 0])
  const triples = new Set<number>()
  for (let i = 2; i < hashes.length; i++) {
    const [a, b, c] = [hashes[i - 2] as number, hashes[i - 1] as number, hashes[i] as number]
    triples.add((Math.imul(Math.imul(a, 31) + b, 31) + c) | 0)
  }
  return triples
}

/** The hashes of a text's words as `wordsOf` tells them; of plain letters without making the words. */
function hashesOf(text: string): number[] {
  const hashes: number[] = []
  let value = START
  let inside = false
  for (let i = 0; i < text.length; i++) {
    let code = text.charCodeAt(i)
    if (code > 127) return wordsOf(text).map(hash)
    if (code >= 65 && code <= 90) code += 32
    if ((code >= 97 && code <= 122) || (code >= 48 && code <= 57)) {
      value = Math.imul(value ^ code, PRIME)
      inside = true
    } else if (inside) {
      hashes.push(value | 0)
      value = START
      inside = false
    }
  }
  if (inside) hashes.push(value | 0)
  return hashes
}

const START = 0x811c9dc5
const PRIME = 0x01000193

/** FNV-1a over UTF-16 units. */
function hash(word: string): number {
  let value = START
  for (let i = 0; i < word.length; i++) value = Math.imul(value ^ word.charCodeAt(i), PRIME)
  return value | 0
}

/** Remembers what was chosen and answers how much a new text repeats of it (Jaccard over shingles, 0 to 1). */
export class Repeats {
  /** The last place at which each shingle was put down; from there a chain leads to who else holds it. */
  private readonly last = new Map<number, number>()
  private places = new Int32Array(4096)
  private holders = new Int32Array(4096)
  private used = 0
  private readonly sizes: number[] = []
  private shared = new Int32Array(256)

  mostLike(set: ReadonlySet<number>): number {
    const touched: number[] = []
    for (const shingle of set) {
      for (let at = this.last.get(shingle) ?? -1; at >= 0; at = this.places[at] as number) {
        const holder = this.holders[at] as number
        if (this.shared[holder] === 0) touched.push(holder)
        this.shared[holder] = (this.shared[holder] as number) + 1
      }
    }
    let most = 0
    for (const holder of touched) {
      const count = this.shared[holder] as number
      most = Math.max(most, count / (set.size + (this.sizes[holder] ?? 0) - count))
      this.shared[holder] = 0
    }
    return most
  }

  add(set: ReadonlySet<number>): void {
    const holder = this.sizes.push(set.size) - 1
    if (holder >= this.shared.length) this.shared = new Int32Array(2 * this.shared.length)
    if (this.used + set.size > this.places.length) this.grow(this.used + set.size)
    for (const shingle of set) {
      this.places[this.used] = this.last.get(shingle) ?? -1
      this.holders[this.used] = holder
      this.last.set(shingle, this.used++)
    }
  }

  private grow(least: number): void {
    const [places, holders] = [new Int32Array(2 * least), new Int32Array(2 * least)]
    places.set(this.places)
    holders.set(this.holders)
    this.places = places
    this.holders = holders
  }
}
