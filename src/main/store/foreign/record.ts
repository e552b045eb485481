import type { Pager } from './pager'
import { damaged } from './problem'

// Records of a database file (https://www.sqlite.org/fileformat2.html#record_format).

export type ForeignValue = null | number | string | Buffer

/** A variable-length integer: its value and the position behind it. Beyond 2^53 the value is not exact. */
export function varint(bytes: Buffer, at: number): [value: number, next: number] {
  let value = 0
  for (let n = 0; n < 8; n++) {
    const byte = bytes[at + n]
    if (byte === undefined) throw damaged('a number is cut')
    value = value * 128 + (byte & 0x7f)
    if (byte < 0x80) return [value, at + n + 1]
  }
  const last = bytes[at + 8]
  if (last === undefined) throw damaged('a number is cut')
  const whole = value * 256 + last
  // Nine bytes hold all 64 bits, the sign among them.
  return [whole >= 2 ** 63 ? whole - 2 ** 64 : whole, at + 9]
}

/** What a cell holds: its first bytes on the page, the rest on pages of its own, read only when asked for. */
export class Payload {
  private readonly chain: number[] = []

  constructor(
    private readonly pager: Pager,
    readonly length: number,
    readonly local: Buffer,
    overflow: number,
  ) {
    if (overflow !== 0) this.chain.push(overflow)
  }

  /** Bytes `[from, to)`. @throws ForeignProblem */
  read(from: number, to: number): Buffer {
    if (to > this.length || from > to) throw damaged('a value reaches beyond its record')
    if (to <= this.local.length) return this.local.subarray(from, to)
    const out = Buffer.allocUnsafe(to - from)
    let filled = from < this.local.length ? this.local.copy(out, 0, from) : 0
    const perPage = this.pager.head.usable - 4
    while (filled < out.length) {
      const at = from + filled - this.local.length
      const page = this.pager.page(this.link(Math.floor(at / perPage)))
      const start = 4 + (at % perPage)
      filled += page.copy(out, filled, start, Math.min(4 + perPage, start + out.length - filled))
    }
    return out
  }

  private link(n: number): number {
    for (let have = this.chain.length; have <= n; have++) {
      const last = this.chain[have - 1]
      const next = last === undefined ? 0 : this.pager.page(last).readUInt32BE(0)
      if (next === 0) throw damaged('a value’s pages end too early')
      this.chain.push(next)
    }
    return this.chain[n] as number
  }
}

interface Field {
  type: number
  from: number
  to: number
}

const INT_BYTES = [0, 1, 2, 3, 4, 6, 8]

/** The columns of one record, read one by one. */
export class ForeignRecord {
  private readonly fields: Field[] = []

  constructor(
    private readonly payload: Payload,
    private readonly encoding: Pager['head']['encoding'],
  ) {
    const [size, first] = varint(payload.read(0, Math.min(9, payload.length)), 0)
    const header = payload.read(0, size)
    let from = size
    for (let at = first; at < size; ) {
      const [type, next] = varint(header, at)
      const to = from + widthOf(type)
      this.fields.push({ type, from, to })
      from = to
      at = next
    }
  }

  get columns(): number {
    return this.fields.length
  }

  /** Bytes a column takes; 0 for one that the record does not have. */
  size(column: number): number {
    const field = this.fields[column]
    return field ? field.to - field.from : 0
  }

  /** A column's value; null for one that was added after the record was written. @throws ForeignProblem */
  value(column: number): ForeignValue {
    const field = this.fields[column]
    if (!field || field.type === 0 || field.type === 10 || field.type === 11) return null
    const { type, from, to } = field
    if (type === 8) return 0
    if (type === 9) return 1
    const bytes = this.payload.read(from, to)
    if (type < 7) return integer(bytes)
    if (type === 7) return bytes.readDoubleBE(0)
    if (type % 2 === 0) return Buffer.from(bytes)
    return this.decode(bytes)
  }

  /** A text's or a blob's bytes, a text's as UTF-8; null for anything else. @throws ForeignProblem */
  bytes(column: number): Buffer | null {
    const field = this.fields[column]
    if (!field || field.type < 12) return null
    const bytes = this.payload.read(field.from, field.to)
    if (field.type % 2 === 0 || this.encoding === 'utf8') return Buffer.from(bytes)
    return Buffer.from(this.decode(bytes), 'utf8')
  }

  private decode(bytes: Buffer): string {
    if (this.encoding === 'utf8') return bytes.toString('utf8')
    const even = Buffer.from(bytes.subarray(0, bytes.length - (bytes.length % 2)))
    return (this.encoding === 'utf16be' ? even.swap16() : even).toString('utf16le')
  }
}

function widthOf(type: number): number {
  if (type < 0) throw damaged('a value of no type')
  if (type >= 12) return Math.floor((type - 12) / 2)
  return type === 7 ? 8 : (INT_BYTES[type] ?? 0)
}

const integer = (bytes: Buffer): number =>
  bytes.length === 8 ? Number(bytes.readBigInt64BE(0)) : bytes.readIntBE(0, bytes.length)
