import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { hashFile } from './files.mjs'
import { npmCommand } from './npm.mjs'
import { run } from './run.mjs'
import { megabytes, say } from './say.mjs'
import { StepError } from './step-error.mjs'

/** @typedef {{ package: string, integrity: string, bytes: number }} PinnedPackage */

/**
 * Fetches one package's archive from the npm registry, whatever registry, proxy and cache npm is set to.
 * A kept archive is used again when its hash still matches.
 *
 * @param {string} step
 * @param {PinnedPackage} pin
 * @param {{ downloads: string, fetch?: (pin: PinnedPackage, folder: string, step: string) => Promise<unknown> }} options
 * @returns {Promise<string>} the archive's path
 */
export async function pinnedPackage(step, pin, { downloads, fetch = pack }) {
  const archive = join(downloads, `${pin.package.replace(/[@/]/g, '-')}.tgz`)
  if (existsSync(archive)) {
    if (await matches(archive, pin)) return archive
    say(step, 'the archive kept from before is damaged; fetching it again')
    rmSync(archive)
  }
  const folder = `${archive}.part`
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  say(step, `fetching ${pin.package} from the npm registry (${megabytes(pin.bytes)})`)
  await fetch(pin, folder, step)
  const [name] = readdirSync(folder).filter((file) => file.endsWith('.tgz'))
  if (!name || !(await matches(join(folder, name), pin))) {
    rmSync(folder, { recursive: true, force: true })
    throw new StepError(
      step,
      `${pin.package} from the npm registry is not the pinned file (its hash differs).`,
      {
        todo: 'Run the setup again; if it stays so, check the registry npm is set to (npm config get registry).',
      },
    )
  }
  renameSync(join(folder, name), archive)
  rmSync(folder, { recursive: true, force: true })
  return archive
}

async function pack({ package: name }, folder, step) {
  const npm = npmCommand(['pack', name, '--pack-destination', folder, '--ignore-scripts'])
  await run(step, npm.command, npm.args, {
    env: npm.env,
    doing: 'still fetching',
    todo: 'Check that npm reaches its registry (npm ping), then run the setup again.',
  })
}

async function matches(file, { integrity }) {
  const [algorithm, expected] = integrity.split(/-(.*)/)
  return Buffer.from(await hashFile(file, algorithm), 'hex').toString('base64') === expected
}
