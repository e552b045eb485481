import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { closeSync, fstatSync, fsyncSync, linkSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder } from '../store'
import { openRegular } from './reading/open-regular'

// Memory made in one data folder comes back in a transcript that another one reads: of a second installation, or of
// one that was removed and set up again. A secret of the person's own, outside every data folder, signs the markers,
// so that each of their data folders knows all of theirs, and nobody who only writes a transcript can make one.

/** Signs the markers of envelopes, and knows which were signed. */
export interface EnvelopeKey {
  /** The mark of an envelope of so many characters; `UNSIGNED` where there is no key. Makes the key where there is none. */
  sign(receipt: string, chars: number): string
  signed(receipt: string, chars: number, mac: string): boolean
}

/**
 * 40 bits, which stand twice in every frame: a guess is only tried where a transcript with it is read, and one in a
 * million million is right. Digits are quoted and escaped by nobody, and always cost the same tokens.
 */
const DIGITS = 12
/** As long as a mark, so that a frame costs the same with and without a key. */
const UNSIGNED = '0'.repeat(DIGITS)

const BYTES = 32
const FILE = 'envelope.key'
const CONTENT = /^[0-9a-f]{64}\n?$/

/** Where there is none: envelopes are known by their receipts alone. */
export const noKey: EnvelopeKey = { sign: () => UNSIGNED, signed: () => false }

/**
 * The person's key in their configuration folder, read or made when it is first needed and kept then.
 * @param tell hears once, in a sentence, that there is none and why
 */
export function envelopeKey(folder: string, tell: (sentence: string) => void): EnvelopeKey {
  let key: Buffer | null = null
  let failed = false
  const attempt = (open: () => Buffer | null): Buffer | null => {
    if (key !== null || failed) return key
    try {
      key = open()
    } catch (error) {
      failed = true
      tell(problemOf(keyFile(folder), error))
    }
    return key
  }
  return {
    sign: (receipt, chars) => {
      const own = attempt(() => readKey(folder) ?? makeKey(folder))
      return own ? macOf(own, receipt, chars) : UNSIGNED
    },
    // Nothing was signed before there was a key, so it is not made for that; another process may make it meanwhile.
    signed: (receipt, chars, mac) => {
      if (mac.length !== DIGITS || mac === UNSIGNED) return false
      const own = attempt(() => readKey(folder))
      return own !== null && timingSafeEqual(Buffer.from(macOf(own, receipt, chars)), Buffer.from(mac))
    },
  }
}

/** Where it lies. */
export const keyFile = (folder: string): string => join(folder, FILE)

/** What is wrong with the person's key, in a sentence; null when it is sound or not made yet. Makes none. */
export function keyProblem(folder: string): string | null {
  try {
    readKey(folder)
    return null
  } catch (error) {
    return problemOf(keyFile(folder), error)
  }
}

/** HMAC-SHA-256 over the receipt and the length, as decimal digits. */
function macOf(key: Buffer, receipt: string, chars: number): string {
  const hash = createHmac('sha256', key).update(`fovea envelope\n${receipt}\n${chars}`).digest('hex')
  return String(BigInt(`0x${hash}`) % 10n ** BigInt(DIGITS)).padStart(DIGITS, '0')
}

/** null: there is none yet. @throws when it cannot be read, or is no key */
function readKey(folder: string): Buffer | null {
  let fd: number
  try {
    fd = openRegular(keyFile(folder))
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  }
  try {
    // One byte more than a key with its line's end, to see that there is no more.
    const bytes = Buffer.alloc(BYTES * 2 + 2)
    const text = bytes.toString('latin1', 0, readSync(fd, bytes, 0, bytes.length, 0))
    if (!CONTENT.test(text)) throw Object.assign(new Error('no key'), { code: 'ENOKEY' })
    if (isOpenToOthers(fstatSync(fd).mode))
      throw Object.assign(new Error('open to others'), { code: 'EOPEN' })
    return Buffer.from(text.slice(0, BYTES * 2), 'hex')
  } finally {
    closeSync(fd)
  }
}

/** Whoever else can read it can hide text from memory with it. Windows keeps others out by the folder. */
const isOpenToOthers = (mode: number): boolean => process.platform !== 'win32' && (mode & 0o077) !== 0

/**
 * Makes the key, whole or not at all: it is written beside and linked to its name, which only the first of several
 * processes can; what stands there then is everybody's.
 */
function makeKey(folder: string): Buffer | null {
  makeFolder(folder)
  const draft = join(folder, `.${FILE}.${randomBytes(6).toString('hex')}`)
  const fd = openSync(draft, 'wx', 0o600)
  try {
    try {
      writeSync(fd, `${randomBytes(BYTES).toString('hex')}\n`)
      fsyncSync(fd)
    } finally {
      closeSync(fd)
    }
    linkSync(draft, keyFile(folder))
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  } finally {
    rmSync(draft, { force: true })
  }
  return readKey(folder)
}

const codeOf = (error: unknown): unknown => (error as { code?: unknown }).code

const WITHOUT = 'Memory that one of your data folders gave to an agent is new to the others.'

function problemOf(file: string, error: unknown): string {
  const code = codeOf(error)
  if (code === 'ENOKEY' || code === 'ENOTFILE')
    return `${file} is not a key that Fovea made. Remove it, and a new one is made. ${WITHOUT}`
  if (code === 'EOPEN')
    return `${file} can be read by others, so it proves nothing. Make it yours alone (chmod 600), or remove it. ${WITHOUT}`
  const deed =
    code === 'EACCES' || code === 'EPERM' || code === 'EROFS'
      ? 'may not be read or made'
      : 'cannot be read or made'
  return `${file} ${deed} (${String(code)}). ${WITHOUT}`
}
