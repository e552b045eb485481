import { linkSync, mkdirSync, readFileSync, rmSync, statSync, unlinkSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { readJson } from './files.mjs'
import { onChildrenChange } from './run.mjs'

/**
 * Runs `work` while no other process runs under the same lock; waits for its turn.
 *
 * The lock names the holder and the commands it started. It counts as left over only when all of them are
 * gone: after a `kill -9` of the setup, its `npm ci` may still be writing.
 *
 * @template T
 * @param {string} file
 * @param {() => Promise<T>} work
 * @param {{ onWait?: () => void, everyMs?: number }} [options]
 * @returns {Promise<T>}
 */
export async function underLock(file, work, { onWait = () => {}, everyMs = 300 } = {}) {
  mkdirSync(dirname(file), { recursive: true })
  for (let told = false; !take(file); await wait(everyMs)) {
    if (isLeftOver(file)) {
      removeLeftOver(file)
      continue
    }
    if (!told) onWait()
    told = true
  }
  const release = () => rmSync(file, { force: true })
  const forget = onChildrenChange((pids) =>
    writeFileSync(file, JSON.stringify({ pids: [process.pid, ...pids] })),
  )
  process.once('exit', release)
  try {
    return await work()
  } finally {
    process.off('exit', release)
    forget()
    release()
  }
}

/** A link appears whole or not at all: nobody reads a lock without its holder. */
function take(file) {
  const mine = `${file}.${process.pid}`
  writeFileSync(mine, JSON.stringify({ pids: [process.pid] }))
  try {
    linkSync(mine, file)
    return true
  } catch (error) {
    if (/** @type {any} */ (error).code === 'EEXIST') return false
    throw error
  } finally {
    unlinkSync(mine)
  }
}

function isLeftOver(file) {
  const pids = readJson(file)?.pids
  return Array.isArray(pids) && !pids.some(isAlive)
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return !isZombie(pid)
  } catch (error) {
    return /** @type {any} */ (error).code === 'EPERM'
  }
}

/** In a container nobody may collect a dead process: it answers signals and does nothing. */
function isZombie(pid) {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.startsWith('Z') ?? false
  } catch {
    return false
  }
}

/** Two waiters may find the same left-over lock; the second must not remove the first one's new lock. */
function removeLeftOver(file) {
  const guard = `${file}.removal`
  try {
    writeFileSync(guard, '', { flag: 'wx' })
  } catch {
    // The other waiter is at it; one that died in these few lines must not block for ever.
    if (Date.now() - (statSync(guard, { throwIfNoEntry: false })?.mtimeMs ?? 0) > 10_000)
      rmSync(guard, { force: true })
    return
  }
  if (isLeftOver(file)) rmSync(file, { force: true })
  rmSync(guard, { force: true })
}
