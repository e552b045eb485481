import { existsSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { readJson } from '../lib/files.mjs'
import { run } from '../lib/run.mjs'
import { say } from '../lib/say.mjs'

const reachable = 15 * 60_000
const unreachable = 30_000

/**
 * The official binary, if it is in place and whole.
 * @param {string} folder node_modules/electron
 * @returns {{ version: string, path: string } | undefined}
 */
export function installedElectron(folder) {
  const version = readJson(join(folder, 'package.json'))?.version
  try {
    const unpacked = readFileSync(join(folder, 'dist/version'), 'utf8').trim().replace(/^v/, '')
    const path = join(folder, 'dist', readFileSync(join(folder, 'path.txt'), 'utf8'))
    return version && unpacked === version && existsSync(path) ? { version, path } : undefined
  } catch {
    return undefined
  }
}

/**
 * Fetches it with the `electron` package's own installer, which checks the archive against the hashes in
 * that package (or, with electron_use_remote_checksums=1, the mirror's) and honours ELECTRON_MIRROR and
 * electron_config_cache.
 *
 * @param {{ node: string, folder: string, env: NodeJS.ProcessEnv, logs?: string }} options
 * @returns {Promise<{ version: string, path: string }>}
 */
export async function fetchOfficialElectron({ node, folder, env, logs }) {
  const version = readJson(join(folder, 'package.json')).version
  const from =
    env.ELECTRON_MIRROR ?? env.npm_config_electron_mirror ?? 'https://github.com/electron/electron/releases/'
  say('electron', `fetching the official Electron ${version} from ${new URL(from).host}`)
  // An archive kept in Electron's cache installs without a network, so an unreachable host only shortens
  // the wait: on a network that swallows packets the installer itself would wait for minutes.
  const problem = await connectionProblem(new URL(from), env)
  const timeoutMs = problem ? unreachable : reachable
  try {
    const options = { cwd: folder, env, timeoutMs, logs, doing: 'still fetching' }
    await run('electron', node, [join(folder, 'install.js')], options)
  } catch (error) {
    throw problem ? new Error(`${new URL(from).host} is not reachable: ${problem}`, { cause: error }) : error
  }
  const installed = installedElectron(folder)
  if (!installed) throw new Error('The installer ended well but left no Electron.')
  return installed
}

/**
 * @param {URL} url
 * @returns {Promise<string | undefined>} why no connection came about
 */
function connectionProblem(url, env) {
  // Behind a proxy only the installer knows the way.
  if (env.HTTPS_PROXY ?? env.https_proxy ?? env.HTTP_PROXY ?? env.http_proxy)
    return Promise.resolve(undefined)
  return new Promise((done) => {
    const port = Number(url.port) || (url.protocol === 'http:' ? 80 : 443)
    const socket = connect({ host: url.hostname, port, timeout: 6_000 })
    const end = (/** @type {string | undefined} */ problem) => {
      socket.destroy()
      done(problem)
    }
    socket.once('connect', () => end(undefined))
    socket.once('error', (error) => end(/** @type {any} */ (error).code ?? error.message))
    socket.once('timeout', () => end('no answer'))
  })
}
