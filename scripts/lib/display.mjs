import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StepError } from './step-error.mjs'

/** @param {NodeJS.ProcessEnv} env */
export const needsVirtualDisplay = (env) =>
  process.platform === 'linux' && !env.DISPLAY && !env.WAYLAND_DISPLAY

/**
 * Runs `work` with a display: the machine's own, or a virtual one that ends with it.
 *
 * @template T
 * @param {NodeJS.ProcessEnv} env
 * @param {(env: NodeJS.ProcessEnv) => Promise<T>} work gets the environment that names the display
 * @param {{ onVirtual?: () => void }} [options]
 * @returns {Promise<T>}
 */
export async function withDisplay(env, work, { onVirtual = () => {} } = {}) {
  if (!needsVirtualDisplay(env)) return work(env)
  onVirtual()
  const display = await startXvfb()
  try {
    return await work({ ...env, ...display.env, FOVEA_VIRTUAL_DISPLAY: '1' })
  } finally {
    display.stop()
  }
}

async function startXvfb() {
  const folder = mkdtempSync(join(tmpdir(), 'fovea-display-'))
  const authority = join(folder, 'Xauthority')
  // The screen shows private text: without a cookie every user of the machine could read it.
  writeFileSync(authority, xauthority(randomBytes(16)), { mode: 0o600 })
  // -displayfd: the server picks a free display number and writes it to that file descriptor.
  const args = ['-displayfd', '3', '-screen', '0', '1440x900x24', '-nolisten', 'tcp', '-auth', authority]
  // A group of its own: Ctrl-C must reach the app first, not the screen under it.
  const server = spawn('Xvfb', args, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'], detached: true })
  const stop = () => {
    server.kill()
    process.off('exit', stop)
    rmSync(folder, { recursive: true, force: true })
  }
  process.once('exit', stop)
  try {
    const number = await displayNumber(server)
    return { env: { DISPLAY: `:${number}`, XAUTHORITY: authority }, stop }
  } catch (error) {
    stop()
    throw new StepError(
      'display',
      `there is no display, and a virtual one did not start (${error.message}).`,
      {
        todo: 'Run: sudo apt-get install -y xvfb — or use the command line: npm run fovea',
      },
    )
  }
}

/** @param {import('node:child_process').ChildProcess} server */
function displayNumber(server) {
  return new Promise((done, fail) => {
    let text = ''
    server.once('error', fail).once('exit', (code) => fail(new Error(`Xvfb ended with ${code}`)))
    server.stdio[3].setEncoding('utf8').on('data', (chunk) => {
      text += chunk
      if (text.endsWith('\n')) done(text.trim())
    })
  })
}

/**
 * One entry that fits every host and display number (FamilyWild), so that it can be written before the
 * server has chosen its number. Format: Xau(3), big-endian, each field preceded by its length.
 * @param {Buffer} cookie
 */
function xauthority(cookie) {
  const field = (data) => {
    const length = Buffer.alloc(2)
    length.writeUInt16BE(data.length)
    return Buffer.concat([length, data])
  }
  const familyWild = Buffer.from([0xff, 0xff])
  const anywhere = [field(Buffer.alloc(0)), field(Buffer.alloc(0))]
  return Buffer.concat([familyWild, ...anywhere, field(Buffer.from('MIT-MAGIC-COOKIE-1')), field(cookie)])
}
