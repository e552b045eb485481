import { strip } from './envelope'

/** Text as the journal keeps it: well-formed UTF-16, NFC, no NUL, no terminal colour codes, `\n` line ends. */
export function normalise(text: string): string {
  let out = text.isWellFormed() ? text : text.toWellFormed()
  if (out.includes('\r')) out = out.replaceAll('\r\n', '\n')
  if (out.includes('\0')) out = out.replaceAll('\0', '\uFFFD')
  if (out.includes('\x1b')) out = out.replace(/\x1b\[[0-9;?]{0,32}[A-Za-z]|\x1b\][^\x07]{0,256}\x07/g, '')
  return isLatin1(out) ? out : out.normalize('NFC')
}

// Latin-1 text is NFC already; testing is much cheaper than normalising.
const isLatin1 = (text: string): boolean => !/[^\0-\xFF]/.test(text)

/**
 * The first and the last part of a text, so that its ending survives: two thirds head, one third tail, with a line
 * between that says how many characters were left out. Never cuts inside a surrogate pair, and no envelope of Fovea's:
 * that goes first, while it can still be told whether it is one.
 */
export function headTail(given: string, limit: number): string {
  if (given.length <= limit) return given
  const text = strip(given)
  if (text.length <= limit) return text
  const head = Math.floor((limit * 2) / 3)
  const tail = limit - head
  const part = text.length > HUGE ? copied : (some: string): string => some
  const left = part(text.slice(0, head).toWellFormed())
  const right = part(text.slice(text.length - tail).toWellFormed())
  return `${left}\n[… ${text.length - head - tail} characters left out …]\n${right}`
}

/** A part of a longer text than this is copied: as a mere view of it, it would keep the whole in memory. */
const HUGE = 1024 * 1024

const copied = (part: string): string => Buffer.from(part, 'utf16le').toString('utf16le')

/** A turn told as text: the line that begins it, and what follows. */
export function headAndBody(text: string): { head: string; body: string } {
  const end = text.indexOf('\n')
  return end === -1 ? { head: text, body: '' } : { head: text.slice(0, end), body: text.slice(end + 1) }
}

/** First line of a text that says something, shortened to `limit` characters. */
export function firstLine(text: string, limit = 120): string {
  const line = text.split('\n', 40).find((candidate) => candidate.trim() !== '') ?? ''
  const plain = line.replace(/^#{1,6}\s+/, '').trim()
  return plain.length <= limit ? plain : `${plain.slice(0, limit - 1).toWellFormed()}…`
}

const LATEST = Date.UTC(2200, 0, 1)

/** A time a transcript may state: whole milliseconds from 1970 to 2200. null for anything else. */
export const saneTime = (ms: number | null | undefined): number | null =>
  typeof ms === 'number' && ms >= 0 && ms < LATEST ? Math.trunc(ms) : null

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const asString = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : null
