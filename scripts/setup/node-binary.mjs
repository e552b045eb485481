import { spawnSync } from 'node:child_process'
import { existsSync, lstatSync, mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { hashFile, readJson, writeJson } from '../lib/files.mjs'
import { outsideNode } from '../lib/npm.mjs'
import { say } from '../lib/say.mjs'
import { StepError } from '../lib/step-error.mjs'
import { runNpm } from './node-modules.mjs'
import { nodeBinaries } from './pins.mjs'

/** The oldest Node that speaks Node-API 10 and that the build tools take. */
const oldestMajor = 22

/** What this step does to the machine; tests pass their own. */
export const doing = {
  npm: runNpm,
  /** @param {string} file @returns {string | undefined} such as 24.21.0 */
  versionOf: (file) => spawnSync(file, ['--version'], { encoding: 'utf8' }).stdout?.trim().slice(1),
  machineNode: () => outsideNode(process.env),
  pins: nodeBinaries,
}

/**
 * The Node of package.json, whatever the machine has: build, tests and command line run on it.
 *
 * Where the npm registry has none for this platform, the machine's own stands in if it is new enough. The
 * stamp lies in node_modules, which `npm ci` empties.
 *
 * @param {{ paths: ReturnType<typeof import('../lib/paths.mjs').pathsIn>, by?: typeof doing }} options
 * @returns {Promise<{ path: string, version: string }>} the path is relative to the project
 */
export async function prepareNode({ paths, by = doing }) {
  const wanted = readJson(join(paths.root, 'package.json')).devDependencies.node
  const stamp = join(paths.nodeModules, '.fovea-node')
  const before = readJson(stamp)
  if (before?.wanted === wanted && existsSync(paths.node)) return record(paths, before.version)

  if (!existsSync(paths.node) || by.versionOf(paths.node) !== wanted) await bring(paths, wanted, by)
  if (!isStandIn(paths.node)) await expectPinned(paths.node, wanted, by.pins)
  const version = by.versionOf(paths.node) ?? ''
  writeJson(stamp, { wanted, version })
  return record(paths, version)
}

const record = (paths, version) => ({ path: relative(paths.root, paths.node), version })

async function bring(paths, wanted, by) {
  say('node', `fetching Node ${wanted} (npm rebuild node)`)
  try {
    // Scripts are switched off in .npmrc; this one brings the binary. npm 10 and 11 both take the flag.
    await by.npm(['rebuild', 'node', '--ignore-scripts=false'])
  } catch (error) {
    standIn(paths, wanted, by, error)
  }
}

function standIn(paths, wanted, by, cause) {
  const own = by.machineNode()
  const version = by.versionOf(own) ?? ''
  if (Number.parseInt(version, 10) >= oldestMajor) {
    say(
      'node',
      `npm has no Node ${wanted} for ${process.platform}-${process.arch}; using this machine's ${version}`,
    )
    rmSync(paths.node, { force: true })
    mkdirSync(dirname(paths.node), { recursive: true })
    symlinkSync(own, paths.node)
    return
  }
  throw new StepError('node', `Node ${wanted} could not be fetched from the npm registry.`, {
    todo: `Check that npm reaches its registry (npm ping), or install Node ${oldestMajor} or newer, then run the setup again.`,
    cause,
  })
}

const isStandIn = (file) => lstatSync(file).isSymbolicLink()

/** `npm rebuild` installs outside the lock: what it brought is checked here. */
async function expectPinned(file, wanted, pins) {
  const pin = pins[`${wanted} ${process.platform}-${process.arch}`]
  if (!pin || (await hashFile(file)) === pin) return
  rmSync(file)
  throw new StepError(
    'node',
    `Node ${wanted} from the npm registry is not the pinned file (its hash differs).`,
    {
      todo: 'Run the setup again; if it stays so, check the registry npm is set to (npm config get registry).',
    },
  )
}
