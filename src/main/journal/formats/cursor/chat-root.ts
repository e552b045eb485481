import { folderOf } from './uri'

// The list of a conversation's messages, as Cursor's agent keeps it: a protocol buffer. Field 1 holds the hash of a
// message, once for each, in their order; field 9 the folder it was held in.

const MESSAGE_FIELD = 1
const FOLDER_FIELD = 9
const HASH_BYTES = 32

export interface ChatRoot {
  /** Hashes in hex. */
  messages: string[]
  folder: string | null
}

/** The fields of a protocol buffer that are needed here; null when it is none. */
export function readRoot(bytes: Buffer): ChatRoot | null {
  const root: ChatRoot = { messages: [], folder: null }
  for (let at = 0; at < bytes.length; ) {
    const tag = varint(bytes, at)
    if (!tag) return null
    const [field, kind] = [Math.floor(tag.value / 8), tag.value % 8]
    at = tag.end
    if (kind === 0) {
      const skipped = varint(bytes, at)
      if (!skipped) return null
      at = skipped.end
    } else if (kind === 1) at += 8
    else if (kind === 5) at += 4
    else if (kind === 2) {
      const length = varint(bytes, at)
      if (!length || length.end + length.value > bytes.length) return null
      const part = bytes.subarray(length.end, length.end + length.value)
      if (field === MESSAGE_FIELD && part.length === HASH_BYTES) root.messages.push(part.toString('hex'))
      else if (field === FOLDER_FIELD) root.folder ??= folderIn(part.toString('utf8'))
      at = length.end + length.value
    } else return null
  }
  return root
}

const folderIn = (text: string): string | null =>
  /^(?:\/|[A-Za-z]:[\\/])[^\0\n]{0,4000}$/.test(text) ? text : folderOf(text)

function varint(bytes: Buffer, from: number): { value: number; end: number } | null {
  let value = 0
  for (let at = from; at < Math.min(bytes.length, from + 7); at++) {
    const byte = bytes[at] ?? 0
    value += (byte & 0x7f) * 2 ** (7 * (at - from))
    if (byte < 0x80) return { value, end: at + 1 }
  }
  return null
}
