import { hash } from 'node:crypto'
import type { Agent, Handle } from '../../shared/domain'

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567'
const HANDLE_CHARS = 26

/** RFC 4648 base32 in lower case, without padding, cut to `length` characters. */
export function base32(bytes: Uint8Array, length: number): string {
  let out = ''
  let buffer = 0
  let bits = 0
  for (const byte of bytes) {
    buffer = (buffer << 8) | byte
    bits += 8
    while (bits >= 5 && out.length < length) {
      bits -= 5
      out += ALPHABET[(buffer >>> bits) & 31]
    }
    buffer &= (1 << bits) - 1
  }
  return out
}

/**
 * An item's handle: `itm_` and 130 bits of sha256 over what identifies it. Either (format, native record id, part)
 * where record ids are unique in themselves, or (format, native session id, ordinal, content, part).
 */
export function handleOf(...identity: readonly (string | number)[]): Handle {
  // A NUL between the fields: ids never hold one, so ('a', 'bc') and ('ab', 'c') differ.
  const digest = hash('sha256', identity.join('\0'), 'buffer')
  return `itm_${base32(digest, HANDLE_CHARS)}` as Handle
}

/** Hash of a record's bytes as stored in `items.record_hash`: the first 32 hex digits of its sha256. */
export function recordHash(bytes: Uint8Array): string {
  return hash('sha256', bytes, 'hex').slice(0, 32)
}

/** Full sha256 in hex. */
export function sha256(value: string | Uint8Array): string {
  return hash('sha256', value, 'hex')
}

/** What ties a plan to the goal that implements it: sha256 of the plan's trimmed text. */
export function planHash(plan: string): string {
  return sha256(plan.trim())
}

export const sessionKey = (agent: Agent, native: string): string => `${agent}:${native}`
