import { existsSync, readdirSync } from 'node:fs'
import { join, sep } from 'node:path'
import type { Redactor } from './redaction'

/** Paths as they are stored, and the way back to the disk. */
export interface Paths {
  /** The path with every secret in the name of a folder or file masked; nearly always the path itself. */
  stored(path: string): string
  /** The path on this disk that a stored one stands for; null when there is none any more. */
  onDisk(stored: string): string | null
}

const MARK = '[secret:'
/** No key is shorter, and a UUID has no run as long. */
const LONG_RUN = /[A-Za-z0-9]{16,}/
const REMEMBERED = 20_000
/** What a session file or folder is usually called: nothing in it to look for. */
const PLAIN = /^(?:[A-Za-z]{0,24}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?:\.jsonl)?)$/

/**
 * A mark hides the name it was made from. On the disk it is found again by looking through the folder for the name
 * that gives the same mark.
 */
export function makePaths(redact: Redactor): Paths {
  const masked = new Map<string, string>()
  const maskName = (name: string): string => {
    if (PLAIN.test(name)) return name
    const known = masked.get(name)
    if (known !== undefined) return known
    // A name may be no well-formed text; such a name is on this disk as the bytes it stands for.
    const text = name.isWellFormed() ? maskParts(name, redact).replaceAll(sep, '_') : name
    if (masked.size >= REMEMBERED) masked.clear()
    masked.set(name, text)
    return text
  }
  const stored = (path: string): string => path.split(sep).map(maskName).join(sep)
  return { stored, onDisk: (path) => findOnDisk(path, maskName) }
}

/** In a name a key may follow a dash or a dot, where in running text it would be part of a word. */
function maskParts(name: string, redact: Redactor): string {
  const whole = redact(name, 'name')
  if (whole.masked > 0 || !LONG_RUN.test(name)) return whole.text
  for (const joint of name.matchAll(/[-_.=@+~]/g)) {
    const from = joint.index + 1
    const rest = redact(name.slice(from))
    if (rest.masked > 0) return name.slice(0, from) + rest.text
  }
  return name
}

function findOnDisk(stored: string, maskName: (name: string) => string): string | null {
  if (!stored.includes(MARK) || existsSync(stored)) return stored
  let at = ''
  for (const name of stored.split(sep)) {
    const next = name.includes(MARK) ? entryOf(at || sep, name, maskName) : name
    if (next === null) return null
    at = at === '' && name === '' ? sep : join(at, next)
  }
  return at
}

function entryOf(folder: string, name: string, maskName: (name: string) => string): string | null {
  try {
    return readdirSync(folder).find((entry) => maskName(entry) === name) ?? null
  } catch {
    return null
  }
}
