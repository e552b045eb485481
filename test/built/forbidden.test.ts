import { execFile } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../support'

// What a user may not open or write, through the command line as built. Root may everything, so as root the tests
// run it as nobody.

const cli = resolve(import.meta.dirname, '../../out/main/cli.js')
const isRoot = process.getuid?.() === 0
const NOBODY = 65_534
const posix = test.skipIf(process.platform === 'win32')

/** A folder of the user whom the command runs as. */
function ownFolder(): string {
  const folder = temporaryFolder()
  if (isRoot) chownSync(folder, NOBODY, NOBODY)
  return folder
}

function fovea(home: string, ...argv: string[]): Promise<{ code: number; out: string; err: string }> {
  return new Promise((done) => {
    execFile(
      process.execPath,
      [cli, ...argv, '--home', home],
      { ...(isRoot ? { uid: NOBODY, gid: NOBODY } : {}), timeout: 60_000 },
      (error, out, err) => done({ code: error ? Number(error.code) : 0, out, err }),
    )
  })
}

posix('a data folder that may not be entered is named, with what to do', async () => {
  const home = join(ownFolder(), 'data')
  mkdirSync(home)
  if (isRoot) chownSync(home, NOBODY, NOBODY)
  chmodSync(home, 0)
  const ran = await fovea(home, 'stats')
  chmodSync(home, 0o700)
  expect([ran.code, ran.out]).toEqual([1, ''])
  expect(ran.err).toBe(
    `fovea: The data folder ${home} may not be read and written. Allow it to your user (chmod u+rwx), or give another with --home or FOVEA_HOME.\n`,
  )
})

posix.each([
  ['fovea.db-shm', /fovea\.db-shm may not be read and written: .* remove that file; it holds no memory\./],
  ['fovea.db-wal', /fovea\.db-wal may not be read and written; it holds the newest memory, so keep it\./],
  ['fovea.db', /The database .*fovea\.db may not be read and written\. Make it your user’s own/],
])(
  'a %s that another user left is named, with what to do, and stays as it is',
  async (name, sentence) => {
    const home = ownFolder()
    expect(await fovea(home, 'stats')).toMatchObject({ code: 0 })
    const file = join(home, name)
    if (name !== 'fovea.db') writeFileSync(file, 'x')
    if (isRoot) chownSync(file, 0, 0)
    const before = readFileSync(file)
    for (const [mode, command] of [
      [0o444, 'doctor'],
      [0, 'stats'],
    ] as const) {
      chmodSync(file, mode)
      const ran = await fovea(home, command)
      expect([ran.code, ran.out]).toEqual([1, ''])
      expect(ran.err).toMatch(sentence)
      expect(statSync(file).mode & 0o777).toBe(mode)
    }
    chmodSync(file, 0o600)
    expect(readFileSync(file).equals(before)).toBe(true)
  },
  60_000,
)

test.skipIf(process.platform !== 'linux')(
  'a data folder where none can be made is told, and does not hang',
  async () => {
    const ran = await fovea('/proc/nowhere/fovea', 'stats')
    expect(ran.code).toBe(1)
    expect(ran.err).toBe('fovea: The data folder /proc/nowhere/fovea cannot be created.\n')
  },
)
