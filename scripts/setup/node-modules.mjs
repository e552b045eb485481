import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readJson, sha256, writeJson } from '../lib/files.mjs'
import { npmCommand } from '../lib/npm.mjs'
import { run } from '../lib/run.mjs'
import { say, secondsSince } from '../lib/say.mjs'

/**
 * Installs what package-lock.json names, when it is not there yet.
 *
 * The stamp lies inside node_modules, because `npm ci` empties that folder first: an interrupted install
 * leaves no stamp, whoever started it.
 *
 * @param {{ paths: ReturnType<typeof import('../lib/paths.mjs').pathsIn>, npm?: (args: string[]) => Promise<unknown> }} options
 * @returns {Promise<'ready' | 'installed'>}
 */
export async function prepareNodeModules({ paths, npm = runNpm }) {
  const stamp = join(paths.nodeModules, '.fovea-lock')
  const lock = sha256(readFileSync(join(paths.root, 'package-lock.json')))
  let result = /** @type {'ready' | 'installed'} */ ('ready')
  if (readJson(stamp)?.lock !== lock) {
    if (!isInstalled(paths)) {
      const started = Date.now()
      say('packages', 'installing from package-lock.json (npm ci, about half a minute)')
      await npm(['ci', '--no-audit', '--no-fund'])
      say('packages', `installed in ${secondsSince(started)}`)
      result = 'installed'
    }
    writeJson(stamp, { lock })
  }
  return result
}

/** npm's own note of what it installed agrees with the lock: someone ran `npm ci` by hand. */
function isInstalled({ root, nodeModules }) {
  const there = readJson(join(nodeModules, '.package-lock.json'))?.packages
  const wanted = readJson(join(root, 'package-lock.json')).packages
  if (!there) return false
  // An optional package of another platform is in the lock and rightly absent.
  return Object.entries(wanted).every(
    ([name, entry]) =>
      name === '' || there[name]?.version === entry.version || (!there[name] && entry.optional),
  )
}

/** @param {string[]} args */
export async function runNpm(args) {
  const npm = npmCommand(args)
  await run('packages', npm.command, npm.args, {
    env: npm.env,
    doing: 'still installing',
    todo: 'Check that npm reaches its registry (npm ping), then run the setup again.',
  })
}
