import { closeSync, openSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import type { SourceStatus } from '../../shared/domain'
import { recordHash } from './handles'
import type { Paths } from './paths'
import { isCompressed, ZstContent } from './reading/zst'
import { storeOf } from './stores/names'
import { verifyStored } from './stores/verify-stored'

/** Where an item says its record lies. */
export interface StoredPointer {
  file_path: string
  byte_offset: number
  byte_length: number
  record_hash: string
  record_id?: string | null
  line?: number
}

/** What is hashed at once; a longer record is told by its neighbourhood alone. */
const LIMIT = 64 * 1024 * 1024
/** How far around its old place a record is looked for. */
const SEARCH = 4 * 1024 * 1024

/**
 * Whether the record an item points to is still there: `unchanged` at its place, `moved` within the file (something
 * before it was removed or added), `changed` when the file holds other bytes, `gone` when there is no such file.
 */
export async function verifyPointer(pointer: StoredPointer, paths?: Paths): Promise<SourceStatus> {
  if (pointer.file_path.startsWith('stream:')) return 'gone'
  const path = paths ? paths.onDisk(pointer.file_path) : pointer.file_path
  if (path === null) return 'gone'
  const stored = storeOf(path)
  if (stored) return verifyStored(stored, pointer)
  if (isCompressed(path)) return verifyCompressed({ ...pointer, file_path: path })
  let file: FileHandle
  try {
    file = await open(path, 'r')
  } catch {
    return 'gone'
  }
  try {
    const length = Math.min(pointer.byte_length, LIMIT)
    const there = await read(file, pointer.byte_offset, length)
    if (there.length === pointer.byte_length && recordHash(there) === pointer.record_hash) return 'unchanged'
    if (pointer.byte_length > LIMIT) return there.length === length ? 'unchanged' : 'changed'
    return (await isNearby(file, pointer)) ? 'moved' : 'changed'
  } catch {
    return 'gone'
  } finally {
    await file.close()
  }
}

/** A compressed file is unpacked up to the record; nothing in it can have moved without the file being another one. */
function verifyCompressed(pointer: StoredPointer): SourceStatus {
  let fd: number
  try {
    fd = openSync(pointer.file_path, 'r')
  } catch {
    return 'gone'
  }
  try {
    const bytes = Buffer.allocUnsafe(Math.min(pointer.byte_length, LIMIT))
    const got = new ZstContent(fd).read(bytes, 0, bytes.length, pointer.byte_offset)
    return got === pointer.byte_length && recordHash(bytes) === pointer.record_hash ? 'unchanged' : 'changed'
  } catch {
    return 'changed'
  } finally {
    closeSync(fd)
  }
}

async function read(file: FileHandle, from: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length)
  const { bytesRead } = await file.read(bytes, 0, length, from)
  return bytes.subarray(0, bytesRead)
}

async function isNearby(file: FileHandle, pointer: StoredPointer): Promise<boolean> {
  const from = Math.max(0, pointer.byte_offset - SEARCH)
  const bytes = await read(file, from, SEARCH * 2 + pointer.byte_length)
  let at = 0
  while (at < bytes.length) {
    const newline = bytes.indexOf(10, at)
    const end = newline === -1 ? bytes.length : newline
    if (end - at === pointer.byte_length && recordHash(bytes.subarray(at, end)) === pointer.record_hash)
      return true
    at = end + 1
  }
  return false
}
