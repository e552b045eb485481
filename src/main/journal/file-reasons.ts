import { isDamage, type sourcesSql } from '../store'
import { FORMATS_VERSION } from './formats'

// Why a file is not read, and whether another try is worth it.

export function openReason(error: unknown): string {
  const code = (error as { code?: string }).code
  if (code === 'EACCES' || code === 'EPERM') return 'Fovea may not read this file'
  if (code === 'ENOENT') return 'the file is gone'
  if (code === 'ELOOP') return 'a link that leads to itself'
  if (code === 'EISDIR') return 'a folder with the name of a transcript'
  if (code === 'ENOTFILE') return 'it is no file any more'
  if (code === 'EMFILE' || code === 'ENFILE')
    return 'too many files are open on this computer; it is read at the next look'
  return `the file cannot be opened (${code ?? 'unknown reason'})`
}

export function ioReason(error: unknown): string | null {
  const code = (error as { code?: string; syscall?: string }).code
  const call = (error as { syscall?: string }).syscall
  if (code === 'EISDIR') return 'a folder with the name of a transcript'
  return call === 'read' || call === 'fstat' ? `the file cannot be read (${code ?? 'unknown reason'})` : null
}

export const UNKNOWN_FORMAT = 'no transcript format that Fovea knows'
export const DAMAGED = 'the compressed file is cut or damaged'

export const isNoTranscript = (reason: string | null): boolean => reason === UNKNOWN_FORMAT

type Decided = Pick<sourcesSql.FileRow, 'format' | 'reason' | 'used' | 'attached' | 'sniffed'>

/** No agent's format took it, and nothing came out of it; the formats of today have not looked at it yet. */
export const isOpen = (row: Decided): boolean =>
  row.sniffed < FORMATS_VERSION &&
  (row.format === 'generic' ? row.used + row.attached === 0 : isNoTranscript(row.reason))

/** What makes a file unreadable is in its content: there is no use in another try before it changes. */
export const isLasting = (reason: string | null): boolean =>
  reason === UNKNOWN_FORMAT || reason === DAMAGED || isDamage(reason)
