import type { ForeignRow } from '../../../store'
import type { StoredRecord } from '../../stores/store'

/** A message longer than this is not taken into memory. */
export const LIMIT = 64 * 1024 * 1024

/** Where the messages of a conversation lie: each under the hash of its content. */
export interface Blobs {
  find(id: string): ForeignRow | null
  /** The column that holds the message. */
  column: string
  /** Told of each message that is listed and not there. */
  missing(): void
  /** What the reader is told beside each record; nothing when left out. */
  about?: unknown
}

/** Records of the messages with these hashes, in their order. */
export function blobRecords(ids: readonly string[], blobs: Blobs): StoredRecord[] {
  const times = new Map<string, number>()
  return ids.flatMap((id): StoredRecord[] => {
    const row = blobs.find(id)
    if (!row) {
      blobs.missing()
      return []
    }
    // The same words may be said twice.
    const time = times.get(id) ?? 0
    times.set(id, time + 1)
    return [
      {
        key: time === 0 ? id : `${id}#${time}`,
        stamp: id.slice(0, 16),
        size: row.size(blobs.column),
        closed: true,
        about: blobs.about ?? null,
        read: () => content(blobs, id),
      },
    ]
  })
}

function content(blobs: Blobs, id: string): Buffer | null {
  const row = blobs.find(id)
  const bytes = row && row.size(blobs.column) <= LIMIT ? row.bytes(blobs.column) : null
  // Some versions write the bytes in hex: a message begins with a brace.
  const hex = bytes?.toString('latin1', 0, 2) === '7b' && /^[0-9a-f]+$/i.test(bytes.toString('latin1'))
  return bytes && hex ? Buffer.from(bytes.toString('latin1'), 'hex') : bytes
}
