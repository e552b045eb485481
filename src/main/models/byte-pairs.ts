import { KnownPieces, LONGEST } from './known-pieces'

/** A token's bytes: as text where they are any, else as numbers. Holes where a rank is not used. */
export type Ranks = readonly (string | readonly number[] | undefined)[]

/** The rank of what is no token: above all others. */
const NONE = 0xffffffff

/** Where the pieces of a text end, for texts it can tell that of. Quicker than the expression, and the same. */
export interface Splitter {
  isPlain(text: Uint16Array, length: number): boolean
  pieceEnd(text: Uint16Array, length: number, from: number): number
}

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
  readonly #counts = new KnownPieces()
  /** The text that is being counted, and what is left of longer ones before it. */
  #units = new Uint16Array(4096)
  #bytes = Buffer.from(this.#units.buffer)

  constructor(
    ranks: Ranks,
    private readonly split: RegExp,
    private readonly splitter?: Splitter,
  ) {
    ranks.forEach((token, rank) => {
      if (token === undefined) return
      const bytes = bytesOf(token)
      this.#ranks.set(bytes, rank)
      if (bytes.length === 2) this.#pairs[(bytes.charCodeAt(0) << 8) | bytes.charCodeAt(1)] = rank
    })
  }

  count(text: string): number {
    const { length } = text
    const units = this.#unitsOf(text)
    let tokens = 0
    if (this.splitter?.isPlain(units, length)) {
      for (let from = 0, to = 0; from < length; from = to) {
        to = this.splitter.pieceEnd(units, length, from)
        tokens += this.#countOf(text, from, to)
      }
      return tokens
    }
    let from = 0
    for (const piece of text.match(this.split) ?? []) {
      tokens += this.#countOf(text, from, from + piece.length)
      from += piece.length
    }
    return tokens
  }

  #unitsOf(text: string): Uint16Array {
    if (text.length > this.#units.length) {
      this.#units = new Uint16Array(2 * text.length)
      this.#bytes = Buffer.from(this.#units.buffer)
    }
    this.#bytes.write(text, 'utf16le')
    return this.#units
  }

  /** Of a part of the text whose units lie ready. */
  #countOf(text: string, from: number, to: number): number {
    if (to - from > LONGEST) return this.#counted(text.slice(from, to))
    const known = this.#counts.get(this.#units, from, to)
    if (known >= 0) return known
    const count = this.#counted(text.slice(from, to))
    this.#counts.set(this.#units, from, to, count)
    return count
  }

  #counted(piece: string): number {
    const bytes = bytesOf(piece)
    return this.#ranks.has(bytes) ? 1 : this.#merged(bytes)
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
