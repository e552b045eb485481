import { isUtf8 } from 'node:buffer'
import { sha256 } from '../handles'
import type { Frames, Piece, Step } from '../reading/frames'
import { LINE_LIMIT } from '../reading/lines'
import type { StoredRecord, StoredSession, StoredValue } from './store'

/**
 * The records of one session, one after the other, as if they stood in one file: a record's line is its number, its
 * offset the bytes of the records before it.
 */
export class StoredFrames implements Frames {
  constructor(
    private readonly session: StoredSession,
    private readonly records: readonly StoredRecord[],
    /** How many are read and how many bytes they had; reading ends before record `to`. */
    private at: number,
    private offset: number,
    private readonly to: number,
  ) {}

  next(): Step | null {
    const record = this.at < this.to ? this.records[this.at] : undefined
    if (!record) return null
    const piece = pieceOf(this.session, record, this.at + 1, this.offset)
    this.at++
    this.offset += piece.length
    return { pieces: [piece], offset: this.offset, lines: this.at }
  }
}

function pieceOf(session: StoredSession, record: StoredRecord, line: number, offset: number): Piece {
  const place = { line, offset, length: Math.max(1, record.size), bytes: null }
  if (record.size > LINE_LIMIT) return { ...place, tooLong: sha256(record.stamp).slice(0, 32) }
  const bytes = record.read()
  if (bytes === null) return { ...place, error: 'a record that is gone' }
  const there = { ...place, length: Math.max(1, bytes.length), bytes }
  const value = recordIn(session, record, bytes)
  if (value === null) return { ...there, error: 'broken JSON' }
  const damage = 'bytes that are not UTF-8 (kept, with replacement marks)'
  return { ...there, value, ...(isUtf8(bytes) ? {} : { damage }) }
}

/** A record as its format's reader gets it; null when it is no JSON. */
export function recordIn(session: StoredSession, record: StoredRecord, bytes: Buffer): StoredValue | null {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'))
    return { key: record.key, header: session.header, about: record.about, value }
  } catch {
    return null
  }
}
