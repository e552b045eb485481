import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { run } from '../lib/run.mjs'
import { say } from '../lib/say.mjs'
import { StepError } from '../lib/step-error.mjs'

// Each entry lists a package's names, newest first: Debian 13 and Ubuntu 24.04 renamed some.
const electronNeeds = [
  ['libgtk-3-0t64', 'libgtk-3-0'],
  ['libnss3'],
  ['libasound2t64', 'libasound2'],
  ['libgbm1'],
  ['libxss1'],
  ['libatk-bridge2.0-0t64', 'libatk-bridge2.0-0'],
  ['libdrm2'],
  ['libxtst6'],
  ['libnotify4'],
  ['libsecret-1-0'],
  ['fonts-dejavu-core'],
]
const virtualDisplayNeeds = [['xvfb'], ['xauth']]
const compilerNeeds = { python3: 'python3', make: 'make', 'g++': 'g++' }

/** What this module asks of the machine; tests pass their own. */
export const machine = {
  platform: process.platform,
  isRoot: () => process.getuid?.() === 0,
  hasDisplay: () => Boolean(process.env.DISPLAY ?? process.env.WAYLAND_DISPLAY),
  hasCommand: (name) =>
    (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, name))),
  /** @param {string[]} names @returns {Set<string>} those that are installed */
  installed(names) {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: dpkg-query's own placeholders
    const args = ['-W', '-f', '${Package} ${db:Status-Status}\n', ...names]
    const lines = spawnSync('dpkg-query', args, { encoding: 'utf8' }).stdout.split('\n')
    return new Set(lines.filter((line) => line.endsWith(' installed')).map((line) => line.split(' ')[0]))
  },
  exists: (name) => spawnSync('apt-cache', ['show', name]).status === 0,
  ldd: (executable) => spawnSync('ldd', [executable], { encoding: 'utf8' }).stdout ?? '',
  /** @param {string} step @param {string[]} names */
  async install(step, names) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    const args = ['install', '-y', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=300', ...names]
    await run(step, 'apt-get', args, {
      env,
      doing: 'still installing',
      todo: `Install by hand: apt-get install ${names.join(' ')}`,
    })
  },
  async refresh(step) {
    try {
      await run(step, 'apt-get', ['update'], { doing: 'still reading package lists' })
    } catch {
      say(step, 'the package lists could not be read anew; trying with those at hand')
    }
  },
}

/**
 * The libraries Electron needs and, where there is no display, a virtual one.
 * @returns {Promise<string | undefined>} the line to run by hand, where the setup may not install
 */
export async function prepareSystemLibraries(on = machine) {
  if (on.platform !== 'linux') return undefined
  if (!on.hasCommand('dpkg-query')) return undefined
  const needs = on.hasDisplay() ? electronNeeds : [...electronNeeds, ...virtualDisplayNeeds]
  const installed = on.installed(needs.flat())
  const missing = needs.filter((names) => !names.some((name) => installed.has(name)))
  if (missing.length === 0) return undefined
  if (!on.isRoot()) {
    const line = `sudo apt-get install -y ${missing.map((names) => names.at(-1)).join(' ')}`
    say('system', `Electron needs libraries this machine lacks. Run: ${line}`)
    return line
  }
  say('system', `installing ${missing.length} system packages with apt`)
  await on.refresh('system')
  await on.install(
    'system',
    missing.map((names) => names.find(on.exists) ?? names.at(-1)),
  )
  return undefined
}

/** A compiler and Python for node-gyp. @param {string} step */
export async function ensureTools(step, on = machine) {
  const missing = Object.keys(compilerNeeds).filter((command) => !on.hasCommand(command))
  if (missing.length === 0) return
  const packages = missing.map((command) => compilerNeeds[command])
  if (on.isRoot() && on.hasCommand('apt-get')) {
    say(step, `installing ${packages.join(', ')} with apt`)
    await on.refresh(step)
    await on.install(step, packages)
    return
  }
  throw new StepError(step, `compiling SQLite for this Electron needs ${missing.join(', ')}.`, {
    todo: `Run: sudo apt-get install -y ${packages.join(' ')} (or your system's packages of that name), then the setup again.`,
  })
}

/**
 * Shared libraries the runtime asks for and the machine lacks, where there is no dpkg to ask.
 * @param {string} executable
 */
export function tellMissingLibraries(executable, on = machine) {
  if (on.platform !== 'linux' || on.hasCommand('dpkg-query') || !on.hasCommand('ldd')) return
  const lines = on
    .ldd(executable)
    .split('\n')
    .filter((line) => line.includes('not found'))
  const names = lines.map((line) => line.trim().split(' ')[0])
  if (names.length > 0)
    say(
      'system',
      `Electron needs libraries this machine lacks; install the packages that hold ${names.join(', ')}`,
    )
}
