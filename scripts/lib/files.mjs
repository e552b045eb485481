import { createHash } from 'node:crypto'
import {
  createReadStream,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'

/**
 * @param {string} file
 * @param {string} [algorithm]
 * @returns {Promise<string>} hex
 */
export async function hashFile(file, algorithm = 'sha256') {
  const hash = createHash(algorithm)
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}

/** @param {string | Buffer} data */
export const sha256 = (data) => createHash('sha256').update(data).digest('hex')

/**
 * @param {string} file
 * @returns {any} undefined when the file is missing or is no JSON (an interrupted write counts as missing)
 */
export function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

/**
 * Written beside and renamed, so that a reader sees the old or the new file, never half of one.
 * @param {string} file
 * @param {unknown} value
 */
export function writeJson(file, value) {
  mkdirSync(dirname(file), { recursive: true })
  const part = `${file}.${process.pid}.part`
  writeFileSync(part, `${JSON.stringify(value, null, 2)}\n`)
  renameSync(part, file)
}

/**
 * Fills a folder beside its place and renames it there when `fill` is done, so that it is whole or absent.
 * @param {string} target
 * @param {(folder: string) => Promise<void>} fill
 */
export async function wholeFolder(target, fill) {
  const part = `${target}.part`
  rmSync(part, { recursive: true, force: true })
  mkdirSync(part, { recursive: true })
  await fill(part)
  if (existsSync(target)) rmSync(target, { recursive: true, force: true })
  renameSync(part, target)
}
