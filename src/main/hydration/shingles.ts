import { wordsOf } from './goal-words'

/** Only the beginning of a long text is compared. */
const MAX_CHARS = 2000

/** The hashed word triples of a text; of a text under three words, the whole. */
export function shingles(text: string): Set<number> {
  const hashes = wordsOf(text.slice(0, MAX_CHARS)).map(hash)
  if (hashes.length < 3) return new Set([hashes.reduce((sum, word) => Math.imul(sum, 31) + word, 7) | 0])
  const triples = new Set<number>()
  for (let i = 2; i < hashes.length; i++) {
    const [a = 0, b = 0, c = 0] = [hashes[i - 2], hashes[i - 1], hashes[i]]
    triples.add((Math.imul(Math.imul(a, 31) + b, 31) + c) | 0)
  }
  return triples
}

/** FNV-1a over UTF-16 units. */
function hash(word: string): number {
  let value = 0x811c9dc5
  for (let i = 0; i < word.length; i++) value = Math.imul(value ^ word.charCodeAt(i), 0x01000193)
  return value | 0
}

/** Remembers what was chosen and answers how much a new text repeats of it (Jaccard over shingles, 0 to 1). */
export class Repeats {
  private readonly holders = new Map<number, number[]>()
  private readonly sizes: number[] = []

  mostLike(set: ReadonlySet<number>): number {
    const shared = new Map<number, number>()
    for (const shingle of set) {
      for (const holder of this.holders.get(shingle) ?? []) shared.set(holder, (shared.get(holder) ?? 0) + 1)
    }
    let most = 0
    for (const [holder, count] of shared) {
      most = Math.max(most, count / (set.size + (this.sizes[holder] ?? 0) - count))
    }
    return most
  }

  add(set: ReadonlySet<number>): void {
    const holder = this.sizes.push(set.size) - 1
    for (const shingle of set) {
      const holders = this.holders.get(shingle)
      if (holders) holders.push(holder)
      else this.holders.set(shingle, [holder])
    }
  }
}
