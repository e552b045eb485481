import { createHash, randomBytes } from 'node:crypto'
import { GateId } from '../../shared/domain'
import type { Embedder } from '../models'
import type { ReadDb, WriteDb } from '../store'

/** What the gates room is given. Chance and time are here, so that tests can set them. */
export interface GateDeps {
  read: ReadDb
  write: WriteDb
  embedder: Embedder
  clock: () => number
  /** Masks secrets; every text a person types or hands over passes it before it is stored. */
  redact: (text: string) => string
  /** At least 16 random bytes. */
  random: () => Uint8Array
}

export const systemRandom = (): Uint8Array => randomBytes(16)

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567'

/** A fresh gate id. */
export function newGateId(random: () => Uint8Array): GateId {
  return GateId.parse(`gat_${base32(random())}`)
}

/** The id of a gate found in a transcript: the same plan is the same gate, on every machine. */
export function importedGateId(planHandle: string): GateId {
  return GateId.parse(
    `gat_${base32(createHash('sha256').update(`gate\n${planHandle}`).digest().subarray(0, 16))}`,
  )
}

export const newSalt = (random: () => Uint8Array): string => Buffer.from(random()).toString('hex')

export const sha256 = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex')

/** Lower-case RFC 4648 without padding. */
export function base32(bytes: Uint8Array): string {
  let out = ''
  let buffer = 0
  let bits = 0
  for (const byte of bytes) {
    buffer = (buffer << 8) | byte
    bits += 8
    while (bits >= 5) {
      out += ALPHABET.charAt((buffer >>> (bits - 5)) & 31)
      bits -= 5
    }
    buffer &= (1 << bits) - 1
  }
  return bits > 0 ? out + ALPHABET.charAt((buffer << (5 - bits)) & 31) : out
}
