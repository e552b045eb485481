import { createWriteStream, existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { hashFile } from './files.mjs'

const connectMs = 8_000
const stallMs = 30_000

/**
 * Fetches one file and checks its hash. What an interrupted download left in `<target>.part` is kept and
 * continued; the file appears under its own name only when it is whole and right.
 *
 * @param {string} url
 * @param {string} target
 * @param {{ sha256: string, onBytes?: (done: number, total: number | undefined) => void }} options
 */
export async function download(url, target, { sha256, onBytes = () => {} }) {
  if (existsSync(target) && (await hashFile(target)) === sha256) return
  const part = `${target}.part`
  mkdirSync(dirname(target), { recursive: true })
  const continued = await fetchInto(url, part, onBytes)
  if ((await hashFile(part)) !== sha256) {
    // What was kept may be of another version: once more from the start, before it is called wrong.
    rmSync(part)
    if (!continued) throw new Error(`${url} is not the pinned file (its hash differs)`)
    return download(url, target, { sha256, onBytes })
  }
  renameSync(part, target)
}

/** @returns {Promise<boolean>} whether an earlier part was continued */
async function fetchInto(url, part, onBytes) {
  const have = existsSync(part) ? statSync(part).size : 0
  const abort = new AbortController()
  let timer = setTimeout(() => abort.abort(new Error(`${new URL(url).host} did not answer`)), connectMs)
  try {
    const headers = have > 0 ? { range: `bytes=${have}-` } : {}
    const response = await fetch(url, { headers, signal: abort.signal })
    if (response.status === 416) {
      // The part is already as long as the file; its hash will tell.
      await response.body?.cancel()
      return true
    }
    if (!response.ok || !response.body) throw new Error(`${url} answered ${response.status}`)
    const continued = response.status === 206
    let done = continued ? have : 0
    const length = Number(response.headers.get('content-length'))
    const total = length ? done + length : undefined
    const body = Readable.fromWeb(/** @type {any} */ (response.body))
    body.on('data', (chunk) => {
      clearTimeout(timer)
      timer = setTimeout(() => abort.abort(new Error(`${new URL(url).host} stopped sending`)), stallMs)
      done += chunk.length
      onBytes(done, total)
    })
    await pipeline(body, createWriteStream(part, { flags: continued ? 'a' : 'w' }))
    return continued
  } catch (error) {
    throw abort.signal.aborted ? abort.signal.reason : error
  } finally {
    clearTimeout(timer)
  }
}
