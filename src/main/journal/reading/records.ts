import { isUtf8 } from 'node:buffer'
import { slim } from './slim'

/** One record found in a line: a value, or why there is none. Offsets are relative to the line's first byte. */
export interface Found {
  offset: number
  length: number
  value?: unknown
  /** Why it could not be read. */
  error?: string
  /** Readable, but something in it was damaged; it counts as an error and is kept all the same. */
  damage?: string
}

const MAX_PIECES = 64
const OPEN_BRACE = 0x7b
const BOM = Buffer.from([0xef, 0xbb, 0xbf])

/**
 * The records of one line. Usually one. Two records glued together are taken apart; a cut record in front of a whole
 * one costs itself only; NULs and bytes that are no UTF-8 are replaced and reported.
 * `unfinished` is true for a file's last bytes without a newline: then only a complete single record counts, and
 * null says "wait for the rest".
 */
export function recordsOf(bytes: Buffer, fileOffset: number, unfinished = false): Found[] | null {
  let from = fileOffset === 0 && bytes.subarray(0, 3).equals(BOM) ? 3 : 0
  let to = bytes.length
  while (to > from && isBlank(bytes[to - 1])) to--
  while (from < to && isBlank(bytes[from])) from++
  if (from === to) return []
  const single = parse(bytes, from, to)
  if (single) return [single]
  if (unfinished) return null
  return pieces(bytes, from, to)
}

const isBlank = (byte: number | undefined): boolean =>
  byte === 0x20 || byte === 0x0d || byte === 0x09 || byte === 0x0a

function parse(bytes: Buffer, from: number, to: number): Found | null {
  const first = bytes[from]
  // A record is an object. Anything else on a line of its own is a loss that can be named at once.
  if (first !== OPEN_BRACE) return null
  const text = slim(bytes.subarray(from, to)).toString('utf8')
  try {
    const value: unknown = JSON.parse(text)
    const found: Found = { offset: from, length: to - from, value }
    if (text.includes('\uFFFD') && !isUtf8(bytes.subarray(from, to))) {
      found.damage = 'bytes that are not UTF-8 (kept, with replacement marks)'
    }
    return found
  } catch {
    return bytes.subarray(from, to).includes(0) ? parseWithoutNul(text, from, to) : null
  }
}

function parseWithoutNul(text: string, from: number, to: number): Found | null {
  try {
    const value: unknown = JSON.parse(text.replaceAll('\0', ''))
    return {
      offset: from,
      length: to - from,
      value,
      damage: 'NUL bytes inside the record (kept, without them)',
    }
  } catch {
    return null
  }
}

function pieces(bytes: Buffer, from: number, to: number): Found[] {
  const found: Found[] = []
  let at = from
  while (at < to && found.length < MAX_PIECES) {
    while (at < to && isBlank(bytes[at])) at++
    if (at === to) break
    const end = bytes[at] === OPEN_BRACE ? objectEnd(bytes, at, to) : -1
    const whole = end === -1 ? null : parse(bytes, at, end)
    if (whole) {
      found.push(whole)
      at = end
      continue
    }
    const next = nextRecord(bytes, at + 1, to)
    found.push({ offset: at, length: (next ?? to) - at, error: reasonFor(bytes.subarray(at, next ?? to)) })
    at = next ?? to
  }
  if (at < to) found.push({ offset: at, length: to - at, error: 'too many broken pieces on one line' })
  return found
}

/** Index behind the `}` that closes the object at `at`, or -1. */
function objectEnd(bytes: Buffer, at: number, to: number): number {
  let depth = 0
  let inString = false
  for (let index = at; index < to; index++) {
    const byte = bytes[index]
    if (inString) {
      if (byte === 0x5c) index++
      else if (byte === 0x22) inString = false
    } else if (byte === 0x22) inString = true
    else if (byte === OPEN_BRACE) depth++
    else if (byte === 0x7d && --depth === 0) return index + 1
  }
  return -1
}

const STARTS = [
  '{"parentUuid":',
  '{"type":',
  '{"uuid":',
  '{"sessionId":',
  '{"session":',
  '{"id":',
  '{"timestamp":',
  '{"ts":',
  '{"role":',
]
const MAX_STARTS = 24

/** Where a whole record begins that reaches to the line's end or to the next record; null when there is none. */
function nextRecord(bytes: Buffer, from: number, to: number): number | null {
  const candidates: number[] = []
  for (const start of STARTS) {
    let at = bytes.indexOf(start, from)
    while (at !== -1 && at < to && candidates.length < MAX_STARTS) {
      candidates.push(at)
      at = bytes.indexOf(start, at + 1)
    }
  }
  for (const at of candidates.sort((a, b) => a - b)) {
    const end = objectEnd(bytes, at, to)
    // Inside a broken record a nested object closes too; a record of its own is followed by nothing or a new one.
    if (end === -1 || (end < to && bytes[end] !== OPEN_BRACE && !isBlank(bytes[end]))) continue
    if (parse(bytes, at, end)) return at
  }
  return null
}

function reasonFor(piece: Buffer): string {
  if (piece.every((byte) => byte === 0)) return 'NUL bytes'
  if (piece[0] !== OPEN_BRACE) return 'not a JSON object'
  if (piece.includes(0)) return 'broken JSON (NUL bytes)'
  return 'broken JSON'
}
