import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { migrate, migrations, openRead, openWrite, schemaVersion, type WriteDb } from '../../src/main/store'
import { temporaryFolder } from '../support'

// A data folder of an older Fovea, opened by the command line as built.

const cli = resolve(import.meta.dirname, '../../out/main/cli.js')
const newest = migrations.at(-1)?.version ?? 0

const stats = (home: string): Promise<{ code: number; out: string; err: string }> =>
  new Promise((done) => {
    execFile(process.execPath, [cli, 'stats', '--json', '--home', home], (error, out, err) =>
      done({ code: error ? Number(error.code) : 0, out, err }),
    )
  })

function olderFolder(): { home: string; db: WriteDb } {
  const home = temporaryFolder()
  const db = openWrite(join(home, 'fovea.db'))
  onTestFinished(() => db.close())
  migrate(
    db,
    migrations.filter(({ version }) => version <= 21),
  )
  db.run(
    "INSERT INTO sessions (id, native_id, agent, started_at, ended_at) VALUES ('generic:s', 's', 'generic', 1, 1)",
  )
  for (let n = 0; n < 50; n++)
    db.run(
      `INSERT INTO items (handle, kind, session_id, position, ts, text, chars, file_path, line, byte_offset, byte_length, record_hash)
       VALUES (?, 'note', 'generic:s', ?, 1, ?, 300, '/a.jsonl', 1, 0, 1, 'h')`,
      [`itm_${String(n).padStart(26, 'a')}`, n, `what was said at ${n}. `.repeat(15)],
    )
  return { home, db }
}

test('an older data folder is brought up to date before the first answer, once, with a copy of before', async () => {
  const { home } = olderFolder()
  const first = await stats(home)
  expect([first.code, first.err]).toEqual([0, ''])
  expect(JSON.parse(first.out)).toMatchObject({ items: 50, sessions: 1 })
  const read = openRead(join(home, 'fovea.db'))
  onTestFinished(() => read.close())
  expect(schemaVersion(read)).toBe(newest)
  expect(readdirSync(home).filter((name) => name.endsWith('.bak'))).toEqual(['fovea.db.v21.bak'])
  const told = (): string[] =>
    readFileSync(join(home, 'logs', 'fovea.log'), 'utf8')
      .split('\n')
      .filter((line) => line.includes('migrated'))
  expect(told().map((line) => JSON.parse(line))).toMatchObject([{ from: 21, to: newest }])
  expect((await stats(home)).code).toBe(0)
  expect(told()).toHaveLength(1)
}, 60_000)

test('what hinders an upgrade is told as it is, and the memory is what it was', async () => {
  const { home, db } = olderFolder()
  db.run('BEGIN IMMEDIATE')
  const ran = await stats(home)
  db.run('ROLLBACK')
  expect(ran.code).toBe(1)
  expect(JSON.parse(ran.out)).toMatchObject({ error: { code: 'busy' } })
  expect(schemaVersion(db)).toBe(21)
}, 60_000)
