/** Pieces that are remembered. A text says the same words again and again. */
const MOST = 50_000
/** Places for them: a power of two, so that most are found at the first look. */
const PLACES = 1 << 17
/** Longer pieces are rare, and rarely come again. */
export const LONGEST = 40

/** Numbers by the pieces of texts they belong to: found by where a piece stands, without cutting it out. */
export class KnownPieces {
  /** One more than a piece's number, 0 where a place is free. */
  readonly #places = new Int32Array(PLACES)
  readonly #values = new Uint8Array(MOST)
  /** Where each piece ends among all their characters; it begins where the one before it ends. */
  readonly #ends = new Int32Array(MOST)
  #characters = new Uint16Array(1 << 16)
  #known = 0

  /** What belongs to the piece from `from` to `to`; -1 when it is not known. */
  get(text: Uint16Array, from: number, to: number): number {
    const number = (this.#places[this.#find(text, from, to)] as number) - 1
    return number < 0 ? -1 : (this.#values[number] as number)
  }

  /** `value`: 0 to 255. */
  set(text: Uint16Array, from: number, to: number, value: number): void {
    if (this.#known === MOST) {
      this.#places.fill(0)
      this.#known = 0
    }
    const start = this.#startOf(this.#known)
    const end = start + to - from
    if (end > this.#characters.length) {
      const larger = new Uint16Array(2 * this.#characters.length)
      larger.set(this.#characters)
      this.#characters = larger
    }
    this.#characters.set(text.subarray(from, to), start)
    this.#places[this.#find(text, from, to)] = this.#known + 1
    this.#ends[this.#known] = end
    this.#values[this.#known++] = value
  }

  #startOf(number: number): number {
    return number === 0 ? 0 : (this.#ends[number - 1] as number)
  }

  /** Its place, or the free one it would get. */
  #find(text: Uint16Array, from: number, to: number): number {
    // FNV-1a, its upper bits brought down to where places are told apart.
    let hash = 0x811c9dc5
    for (let i = from; i < to; i++) hash = Math.imul(hash ^ (text[i] as number), 0x01000193)
    let place = (hash ^ (hash >>> 15)) & (PLACES - 1)
    for (;;) {
      const number = this.#places[place] as number
      if (number === 0 || this.#is(number - 1, text, from, to)) return place
      place = (place + 1) & (PLACES - 1)
    }
  }

  #is(number: number, text: Uint16Array, from: number, to: number): boolean {
    const start = this.#startOf(number)
    if ((this.#ends[number] as number) - start !== to - from) return false
    for (let i = from; i < to; i++) if (this.#characters[start + i - from] !== text[i]) return false
    return true
  }
}
