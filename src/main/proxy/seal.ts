import { createHash } from 'node:crypto'

/** JSON with sorted keys and no spaces, so that equal values are equal bytes. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (value !== null && typeof value === 'object') {
    const entries = Object.entries(value)
      .filter(([, entry]) => entry !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, entry]) => `${JSON.stringify(key)}:${canonicalJson(entry)}`)
    return `{${entries.join(',')}}`
  }
  return JSON.stringify(value)
}

/** sha256 in hex over the salt, a line break, and the canonical JSON: fixed before the person decides. */
export function sealOf(value: unknown, salt: string): string {
  return createHash('sha256')
    .update(`${salt}\n${canonicalJson(value)}`, 'utf8')
    .digest('hex')
}

/** Whether a value is the one that was sealed. */
export function sealHolds(value: unknown, salt: string, seal: string): boolean {
  return sealOf(value, salt) === seal
}
