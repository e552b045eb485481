import { readSync } from 'node:fs'
import type { JsonRecord } from '../drafts'
import { type Frames, type Piece, readRange, type Step } from './frames'
import { LINE_LIMIT } from './lines'

const BLOCK = 1024 * 1024
/** Members beside the streamed array are small; a larger one is left out. */
const MEMBER_LIMIT = 1024 * 1024

const QUOTE = 0x22
const BACKSLASH = 0x5c
const NEWLINE = 0x0a
const COMMA = 0x2c
const COLON = 0x3a

interface Value {
  start: number
  end: number
  line: number
}

/**
 * One big JSON value, read by a byte scanner: the elements of the array at its root, or of the arrays among its root
 * members that `streamed` names, come out one by one; the file is never in memory as a whole. The other members come
 * out together, before the first element and after the last one. A file cut in the middle gives every whole element
 * and one error.
 */
export class JsonFrames implements Frames {
  private readonly block = Buffer.allocUnsafe(BLOCK)
  /** block[at - blockStart] is the byte at `at`; the block holds `held` bytes. */
  private blockStart = 0
  private held = 0
  private at = 0
  private line = 1
  private state: 'root' | 'members' | 'elements' | 'done' = 'root'
  private inObject = false
  private members: Piece | null = null
  private values: Record<string, unknown> = {}

  constructor(
    private readonly fd: number,
    private readonly to: number,
    private readonly streamed: readonly string[],
  ) {}

  next(): Step | null {
    if (this.state === 'done') return null
    const pieces: Piece[] = []
    while (pieces.length === 0 && !this.isDone()) this.advance(pieces)
    return { pieces, offset: this.isDone() ? this.to : this.at, lines: this.line - 1 }
  }

  private isDone(): boolean {
    return this.state === 'done'
  }

  private advance(pieces: Piece[]): void {
    if (this.state === 'root') this.root(pieces)
    else if (this.state === 'members') this.member(pieces)
    else this.element(pieces)
  }

  private root(pieces: Piece[]): void {
    if (this.peek() === 0xef) this.at += 3
    const first = this.skipBlank()
    if (first === 0x5b || first === 0x7b) {
      this.at++
      this.inObject = first === 0x7b
      this.state = this.inObject ? 'members' : 'elements'
    } else this.lost(pieces, 'not a JSON array or object', this.at)
  }

  private element(pieces: Piece[]): void {
    const byte = this.skipBlank()
    const from = this.at
    if (byte === COMMA) this.at++
    else if (byte === 0x5d) {
      this.at++
      if (this.inObject) this.state = 'members'
      else this.finish(pieces)
    } else {
      const value = byte === -1 ? null : this.value()
      if (!value) this.lost(pieces, 'the file ends inside the array (cut while it was written)', from)
      else if (value.end === value.start) this.lost(pieces, 'broken JSON', from)
      else pieces.push(this.piece(value))
    }
  }

  private member(pieces: Piece[]): void {
    const byte = this.skipBlank()
    const from = this.at
    if (byte === COMMA) this.at++
    else if (byte === 0x7d) {
      this.at++
      this.finish(pieces)
    } else if (byte !== QUOTE) {
      this.lost(
        pieces,
        byte === -1 ? 'the file ends inside the object (cut while it was written)' : 'broken JSON',
        from,
      )
    } else this.keyAndValue(pieces, from)
  }

  private keyAndValue(pieces: Piece[], from: number): void {
    const name = this.value()
    const colon = name ? this.skipBlank() : -1
    if (colon === COLON) this.at++
    const opener = colon === COLON ? this.skipBlank() : -1
    const key = name && this.parse(name)
    if (typeof key === 'string' && opener === 0x5b && this.streamed.includes(key)) {
      this.at++
      this.state = 'elements'
      this.emitMembers(pieces)
      return
    }
    const value = opener === -1 ? null : this.value()
    if (!value) this.lost(pieces, 'the file ends inside the object (cut while it was written)', from)
    else if (value.end === value.start) this.lost(pieces, 'broken JSON', from)
    else this.keep(String(key), value, from)
  }

  private keep(key: string, value: Value, from: number): void {
    this.members ??= { line: value.line, offset: from, length: 0, bytes: null }
    this.members.length = value.end - this.members.offset
    if (value.end - value.start <= MEMBER_LIMIT) this.values[key] = this.parse(value)
  }

  private emitMembers(pieces: Piece[]): void {
    if (!this.members) return
    const record: JsonRecord = { part: 'members', value: this.values }
    pieces.push({ ...this.members, value: record })
    this.members = null
    this.values = {}
  }

  private finish(pieces: Piece[]): void {
    this.emitMembers(pieces)
    if (this.skipBlank() === -1) this.state = 'done'
    else this.lost(pieces, 'more text behind the end of the JSON value', this.at)
  }

  /** The rest of the file is one loss. */
  private lost(pieces: Piece[], error: string, from: number): void {
    this.emitMembers(pieces)
    const offset = Math.min(from, this.to)
    pieces.push({ line: this.line, offset, length: this.to - offset, bytes: null, error })
    this.state = 'done'
  }

  private piece({ start, end, line }: Value): Piece {
    const place = { line, offset: start, length: end - start }
    if (place.length > LINE_LIMIT) {
      const error = `an element of ${Math.round(place.length / 1024 / 1024)} MB, over the limit of 32 MB`
      return { ...place, bytes: null, error }
    }
    const bytes = readRange(this.fd, start, end)
    try {
      const record: JsonRecord = { part: 'element', value: JSON.parse(bytes.toString('utf8')) }
      return { ...place, bytes, value: record }
    } catch {
      return { ...place, bytes: null, error: 'broken JSON' }
    }
  }

  private parse({ start, end }: Value): unknown {
    try {
      return JSON.parse(readRange(this.fd, start, end).toString('utf8'))
    } catch {
      return undefined
    }
  }

  /** Reads over one value. null when the file ends inside it; empty when none begins here. */
  private value(): Value | null {
    const start = this.at
    const line = this.line
    const first = this.peek()
    if (first === QUOTE) return this.string() ? { start, end: this.at, line } : null
    if (first !== 0x5b && first !== 0x7b) return this.scalar(start, line)
    let depth = 0
    for (let byte = this.peek(); byte !== -1; byte = this.peek()) {
      if (byte === QUOTE) {
        if (!this.string()) return null
        continue
      }
      this.at++
      if (byte === NEWLINE) this.line++
      else if (byte === 0x5b || byte === 0x7b) depth++
      else if ((byte === 0x5d || byte === 0x7d) && --depth === 0) return { start, end: this.at, line }
    }
    return null
  }

  private scalar(start: number, line: number): Value | null {
    for (let byte = this.peek(); byte !== -1; byte = this.peek()) {
      const isPart =
        (byte >= 0x61 && byte <= 0x7a) || (byte >= 0x2b && byte <= 0x39 && byte !== COMMA) || byte === 0x45
      if (!isPart) return { start, end: this.at, line }
      this.at++
    }
    return null
  }

  private string(): boolean {
    this.at++
    for (let byte = this.peek(); byte !== -1; byte = this.peek()) {
      this.at += byte === BACKSLASH ? 2 : 1
      if (byte === QUOTE) return true
      if (byte === NEWLINE) this.line++
    }
    return false
  }

  private skipBlank(): number {
    for (let byte = this.peek(); ; byte = this.peek()) {
      if (byte !== 0x20 && byte !== 0x09 && byte !== 0x0d && byte !== NEWLINE) return byte
      if (byte === NEWLINE) this.line++
      this.at++
    }
  }

  /** The byte at `at`, or -1 at the end. */
  private peek(): number {
    const index = this.at - this.blockStart
    if (index >= 0 && index < this.held) return this.block[index] ?? -1
    const room = Math.min(BLOCK, this.to - this.at)
    if (room <= 0) return -1
    this.blockStart = this.at
    this.held = readSync(this.fd, this.block, 0, room, this.at)
    return this.held === 0 ? -1 : (this.block[0] ?? -1)
  }
}
