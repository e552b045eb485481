/** A token's bytes: as text where they are any, else as numbers. Holes where a rank is not used. */
export type Ranks = readonly (string | readonly number[] | undefined)[]

/** Pieces whose count is remembered; about 100 bytes each. A text says the same words again and again. */
const MOST = 50_000
const LONGEST = 40
/** The rank of what is no token: above all others. */
const NONE = 0xffffffff
/** From so many characters on a part of a string is a view of it. */
const SLICED = 13

/**
 * Counts the tokens of texts by byte pair encoding, without making them: frames are counted line by line, hundreds of
 * lines for each. A text is split into pieces by the encoding's own expression; of a piece the two neighbouring parts
 * with the lowest rank together become one, until no two do.
 */
export class BytePairs {
  /** By the bytes of a token, each as one character. */
  readonly #ranks = new Map<string, number>()
  /** By two bytes as one number, the rank of the token they are; `NONE` where they are none. */
  readonly #pairs = new Uint32Array(0x1_0000).fill(NONE)
  readonly #counts = new Map<string, number>()

  constructor(
    ranks: Ranks,
    private readonly split: RegExp,
  ) {
    ranks.forEach((token, rank) => {
      if (token === undefined) return
      const bytes = bytesOf(token)
      this.#ranks.set(bytes, rank)
      if (bytes.length === 2) this.#pairs[(bytes.charCodeAt(0) << 8) | bytes.charCodeAt(1)] = rank
    })
  }

  count(text: string): number {
    let tokens = 0
    for (const piece of text.match(this.split) ?? []) tokens += this.#counts.get(piece) ?? this.#learn(piece)
    return tokens
  }

  #learn(piece: string): number {
    const bytes = bytesOf(piece)
    const count = this.#ranks.has(bytes) ? 1 : this.#merged(bytes)
    if (piece.length > LONGEST) return count
    if (this.#counts.size >= MOST) this.#counts.clear()
    // A longer slice would keep the whole text it was cut from; V8 copies the short ones itself.
    this.#counts.set(piece.length < SLICED ? piece : Buffer.from(piece, 'utf16le').toString('utf16le'), count)
    return count
  }

  #merged(bytes: string): number {
    const starts: number[] = []
    /** The rank of each part together with the one behind it; there is none behind the last one and the end. */
    const ranks: number[] = []
    for (let i = 0; i <= bytes.length; i++) {
      starts.push(i)
      ranks.push(
        i < bytes.length - 1
          ? (this.#pairs[(bytes.charCodeAt(i) << 8) | bytes.charCodeAt(i + 1)] as number)
          : NONE,
      )
    }
    for (;;) {
      let best = -1
      let lowest = NONE
      for (let i = 0; i < ranks.length; i++) {
        const rank = ranks[i] as number
        if (rank < lowest) [best, lowest] = [i, rank]
      }
      if (best < 0) return starts.length - 1
      starts.splice(best + 1, 1)
      ranks.splice(best + 1, 1)
      ranks[best] = this.#rank(bytes, starts, best)
      if (best > 0) ranks[best - 1] = this.#rank(bytes, starts, best - 1)
    }
  }

  #rank(bytes: string, starts: readonly number[], at: number): number {
    const end = starts[at + 2]
    if (end === undefined) return NONE
    return this.#ranks.get(bytes.slice(starts[at], end)) ?? NONE
  }
}

const ASCII = /^[\0-\x7f]*$/

function bytesOf(token: string | readonly number[]): string {
  if (typeof token !== 'string') return Buffer.from(token).toString('latin1')
  return ASCII.test(token) ? token : Buffer.from(token).toString('latin1')
}
