import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readJson } from './files.mjs'
import { projectRoot } from './paths.mjs'
import { StepError } from './step-error.mjs'

/**
 * What the setup chose, as written in .runtime/runtime.json; paths are relative to the project.
 * @typedef {object} RuntimeRecord
 * @property {import('../setup/electron.mjs').ElectronRecord} electron
 * @property {{ nativeBinding: string | null }} sqlite
 * @property {import('../setup/model.mjs').ModelRecord} model
 * @property {{ path: string, version: string }} node
 */

/**
 * @param {string} [root]
 * @returns {RuntimeRecord}
 */
export function readRuntime(root = projectRoot) {
  const record = readJson(join(root, '.runtime/runtime.json'))
  if (!record?.electron || !existsSync(join(root, record.electron.path))) {
    throw new StepError('electron', 'there is no Electron to start.', { todo: 'Run: npm run setup' })
  }
  return record
}

/**
 * How to start the app: the same for `npm start`, Playwright's `_electron.launch` and the screenshots.
 * Spread the result into `_electron.launch`; put further arguments after `args`.
 *
 * @param {{ root?: string, env?: NodeJS.ProcessEnv }} [options]
 * @returns {{ executablePath: string, args: string[], env: Record<string, string>, cwd: string }}
 */
export function electronLaunch({ root = projectRoot, env = process.env } = {}) {
  const { electron, sqlite } = readRuntime(root)
  const args = []
  // Chromium refuses to run as root inside its sandbox; everybody else keeps the sandbox.
  if (process.getuid?.() === 0) args.push('--no-sandbox')
  // A virtual display has no graphics card behind it.
  if (process.platform === 'linux' && env.FOVEA_VIRTUAL_DISPLAY) args.push('--disable-gpu')
  // The registry build starts the project by itself and ignores this; with it, process.argv is the same in both.
  args.push(root)
  const extra = sqlite.nativeBinding ? { FOVEA_SQLITE_BINDING: join(root, sqlite.nativeBinding) } : {}
  const { ELECTRON_RUN_AS_NODE: _, ...inherited } = definedOnly(env)
  return { executablePath: join(root, electron.path), args, env: { ...inherited, ...extra }, cwd: root }
}

/** @returns {Record<string, string>} */
function definedOnly(env) {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined))
}
