// Differences of sign codes, counted by a few dozen bytes of WebAssembly: JavaScript has no instruction that counts the
// bits of 64, and without it two million codes take 40 ms instead of 8. Codes lie in blocks of 65,536, so that a
// growing memory never moves what it holds.

/** Codes of a block; chosen so that each part of a block starts where a page does. */
export const BLOCK = 65_536
const CODE = 48
const PAGE = 65_536
/** A block: codes, two gates of a byte for each code, and the last scan's differences of two bytes each. */
const PAGES = CODE + 1 + 1 + 2
/** The question stands at 0, the histogram behind it; one page for both, and four for the places that were picked. */
const HISTOGRAM = 64
const PICKED = PAGE
const BEFORE = 5
/** What a code that the gate keeps out gets; no code differs in so many bits. */
export const KEPT_OUT = 385

interface Block {
  codes: Uint8Array
  /** Bits that say what a code is; 0 for one that is gone. */
  kinds: Uint8Array
  /** The same for one filter, 0 where the filter keeps it out. */
  passes: Uint8Array
  differences: Uint16Array
}

type Scan = (gate: number, codes: number, out: number, count: number, mask: number) => void
type Pick = (differences: number, out: number, count: number, edge: number) => number

export class HammingBlocks {
  readonly #memory = new WebAssembly.Memory({ initial: BEFORE })
  readonly #scan: Scan
  readonly #pick: Pick
  #blocks: Block[] = []

  constructor() {
    const module = new WebAssembly.Module(program())
    const instance = new WebAssembly.Instance(module, { js: { memory: this.#memory } })
    this.#scan = instance.exports.scan as Scan
    this.#pick = instance.exports.pick as Pick
  }

  get bytes(): number {
    return this.#memory.buffer.byteLength
  }

  block(index: number): Block {
    while (this.#blocks.length <= index) this.#grow()
    return this.#blocks[index] as Block
  }

  /** Growing detaches every view, so they are made anew. */
  #grow(): void {
    const count = this.#blocks.length + 1
    this.#memory.grow(PAGES)
    const { buffer } = this.#memory
    this.#blocks = Array.from({ length: count }, (_, i) => {
      const at = (BEFORE + i * PAGES) * PAGE
      return {
        codes: new Uint8Array(buffer, at, CODE * BLOCK),
        kinds: new Uint8Array(buffer, at + CODE * PAGE, BLOCK),
        passes: new Uint8Array(buffer, at + (CODE + 1) * PAGE, BLOCK),
        differences: new Uint16Array(buffer, at + (CODE + 2) * PAGE, BLOCK),
      }
    })
  }

  /**
   * Counts, for the first `count` codes whose gate shares a bit with `mask`, the bits in which they differ from `code`.
   * @returns how many codes there are of each difference, 0 to 384; the differences stand in the blocks
   */
  scan(code: Uint8Array, count: number, gate: 'kinds' | 'passes', mask: number): Int32Array {
    const { buffer } = this.#memory
    new Uint8Array(buffer, 0, CODE).set(code)
    const histogram = new Int32Array(buffer, HISTOGRAM, KEPT_OUT + 1).fill(0)
    for (let i = 0; i * BLOCK < count; i++) {
      const { codes, differences, [gate]: gates } = this.block(i)
      const here = Math.min(BLOCK, count - i * BLOCK)
      this.#scan(gates.byteOffset, codes.byteOffset, differences.byteOffset, here, mask)
    }
    return histogram
  }

  /** Places of a block whose code differed in at most `edge` bits in the last scan; holds until the next call. */
  within(index: number, count: number, edge: number): Uint32Array {
    const end = this.#pick(this.block(index).differences.byteOffset, PICKED, count, edge)
    return new Uint32Array(this.#memory.buffer, PICKED, (end - PICKED) / 4)
  }
}

const I32 = 0x7f
const I64 = 0x7e
const GET = 0x20
const SET = 0x21
const [gate, codes, out, count, mask, bits] = [0, 1, 2, 3, 4, 5]
/** Locals that hold the question's six words. */
const word = (i: number): number => 6 + i

/** An unsigned number as WebAssembly writes it (LEB128). */
function leb(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...leb(value >>> 7)]
}
/** A signed one, below 2^13. */
const signed = (value: number): number[] =>
  value < 0x40 ? [value] : [(value & 0x7f) | 0x80, (value >>> 7) & 0x7f]

const get = (local: number): number[] => [GET, local]
const constant = (value: number): number[] => [0x41, ...signed(value)]
const ADD = 0x6a
const load64 = (offset: number): number[] => [0x29, 0, ...leb(offset)]
const step = (local: number, by: number): number[] => [...get(local), ...constant(by), ADD, SET, local]
const section = (id: number, content: number[]): number[] => [id, ...leb(content.length), ...content]
const name = (text: string): number[] => [text.length, ...Buffer.from(text)]

/**
 * `scan(gate, codes, out, count, mask)`: for each code, bits = gate & mask ? Σ popcnt(code ^ question) : 385; stored as
 * 16 bits and counted in the histogram. `count` is at least 1. The opcodes are those of the WebAssembly core
 * specification, section 5.4.
 */
function program(): Uint8Array<ArrayBuffer> {
  const words = [0, 1, 2, 3, 4, 5]
  const difference = words.flatMap((i) => [
    ...get(codes),
    ...load64(8 * i),
    ...get(word(i)),
    0x85, // i64.xor
    0x7b, // i64.popcnt
    ...(i === 0 ? [] : [0x7c]), // i64.add
  ])
  const body = [
    ...words.flatMap((i) => [...constant(0), ...load64(8 * i), SET, word(i)]),
    ...[0x03, 0x40], // loop
    ...[...get(gate), 0x2d, 0, 0, ...get(mask), 0x71], // i32.load8_u, i32.and
    ...[0x04, I32, ...difference, 0xa7, 0x05, ...constant(KEPT_OUT), 0x0b, SET, bits], // if, i32.wrap_i64, else, end
    ...[...get(out), ...get(bits), 0x3b, 0, 0], // i32.store16
    ...[...get(bits), ...constant(2), 0x74, 0x22, bits], // i32.shl, local.tee
    ...[...get(bits), 0x28, 0, ...leb(HISTOGRAM), ...constant(1), ADD, 0x36, 0, ...leb(HISTOGRAM)], // i32.load, i32.store
    ...[...step(gate, 1), ...step(codes, CODE), ...step(out, 2)],
    ...[...get(count), ...constant(1), 0x6b, 0x22, count, 0x0d, 0, 0x0b], // i32.sub, local.tee, br_if, end
    0x0b,
  ]
  const scan = [2, 1, I32, 6, I64, ...body]
  const pick = [1, 1, I32, ...picking()]
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [2, 0x60, 5, I32, I32, I32, I32, I32, 0, 0x60, 4, I32, I32, I32, I32, 1, I32]),
    ...section(2, [1, ...name('js'), ...name('memory'), 0x02, 0x00, 1]),
    ...section(3, [2, 0, 1]),
    ...section(7, [2, ...name('scan'), 0x00, 0, ...name('pick'), 0x00, 1]),
    ...section(10, [2, ...leb(scan.length), ...scan, ...leb(pick.length), ...pick]),
  ])
}

/** `pick(differences, out, count, edge)`: writes down each place, and steps on where its difference is at most `edge`. */
function picking(): number[] {
  const [differences, out, count, edge, place] = [0, 1, 2, 3, 4]
  return [
    ...[0x03, 0x40], // loop
    ...[...get(out), ...get(place), 0x36, 2, 0], // i32.store
    ...[...get(out), ...get(differences), 0x2f, 1, 0, ...get(edge), 0x4d], // i32.load16_u, i32.le_u
    ...[...constant(2), 0x74, ADD, SET, out], // i32.shl
    ...[...step(differences, 2), ...step(place, 1)],
    ...[...get(count), ...constant(1), 0x6b, 0x22, count, 0x0d, 0, 0x0b], // i32.sub, local.tee, br_if, end
    ...[...get(out), 0x0b],
  ]
}
