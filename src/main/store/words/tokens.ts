import { openScratch } from '../open'
import { TOKEN_TABLES, tokensOf } from '../word-index.queries'

/** Words remembered, about 150 bytes each. */
const MOST = 20_000
/** A word of these letters is one word to the index too. */
const PLAIN = /^[a-z0-9]+$/

/** What the index looks up for a word: mostly one stem, for some signs nothing, for a few two. */
export class Tokens {
  readonly #db = openScratch(TOKEN_TABLES)
  readonly #known = new Map<string, readonly string[]>()

  of(words: readonly string[]): (readonly string[])[] {
    if (this.#known.size > MOST) this.#known.clear()
    const fresh = [...new Set(words.filter((word) => !this.#known.has(word)))]
    if (fresh.length > 0) this.#learn(fresh)
    return words.map((word) => this.#known.get(word) ?? [])
  }

  /** A text for each word costs more than all words in one. */
  #learn(words: readonly string[]): void {
    const plain = words.filter((word) => PLAIN.test(word))
    const other = words.filter((word) => !PLAIN.test(word))
    const [together = [], ...each] = tokensOf(this.#db, [plain.join(' '), ...other])
    plain.forEach((word, i) => void this.#known.set(word, together.slice(i, i + 1)))
    other.forEach((word, i) => void this.#known.set(word, each[i] ?? []))
  }
}
