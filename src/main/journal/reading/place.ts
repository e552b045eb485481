import { readSync } from 'node:fs'
import type { Place } from '../drafts'
import { recordHash } from '../handles'
import { slim } from './slim'

/** A record's place whose hash is worked out only when an item needs it. */
export class RecordPlace implements Place {
  private known: string | null = null

  constructor(
    readonly line: number,
    readonly byteOffset: number,
    readonly byteLength: number,
    private bytes: Buffer | null,
    hash?: string,
  ) {
    this.known = hash ?? null
  }

  get hash(): string {
    this.known ??= this.bytes ? recordHash(this.bytes) : ''
    return this.known
  }

  /** The bytes belong to the reader's buffer: take the hash now, if it will be needed, and let go of them. */
  release(keep: boolean): void {
    if (keep) void this.hash
    this.bytes = null
  }
}

/** Reads the record at a place again. null when it is not there any more. */
export function loadRecord(fd: number, place: Place): unknown {
  const bytes = Buffer.allocUnsafe(place.byteLength)
  const got = readSync(fd, bytes, 0, place.byteLength, place.byteOffset)
  return got === place.byteLength ? parseRecord(bytes, place) : null
}

/** The record these bytes hold. null when they are others than they were, or no record. */
export function parseRecord(bytes: Buffer, place: Place): unknown {
  if (place.hash !== '' && recordHash(bytes) !== place.hash) return null
  const text = slim(bytes).toString('utf8')
  try {
    return JSON.parse(text)
  } catch {
    try {
      return JSON.parse(text.replaceAll('\0', ''))
    } catch {
      return null
    }
  }
}
