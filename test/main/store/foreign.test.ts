import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, copyFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ForeignDb, ForeignProblem } from '../../../src/main/store'
import { temporaryFolder } from '../../support'
import { listing, make, seen, seenBySqlite } from './foreign-support'

// Another program's database, read beside that program: the same rows as SQLite sees, and not one byte of the folder
// changed.

/** A process that runs a script with a database open; ends with the test. */
async function program(path: string, script: string): Promise<ChildProcess> {
  const child = spawn(
    process.execPath,
    ['-e', `const db = new (require('better-sqlite3'))(${JSON.stringify(path)});${script}`],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  onTestFinished(() => void child.kill('SIGKILL'))
  if (child.stdout) await once(child.stdout, 'data')
  return child
}

describe('the same rows as SQLite', () => {
  const value = fc.oneof(
    fc.constant(null),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer({ min: 2 ** 40, max: 2 ** 52 }),
    fc.constantFrom(0, 1, -1, 127, 128, -32769),
  )
  const body = fc.oneof(
    fc.constant(null),
    fc.string({ unit: 'grapheme', maxLength: 40 }),
    fc
      .record({ text: fc.constantFrom('a', 'é', '😀', 'xy'), n: fc.integer({ min: 1, max: 9000 }) })
      .map(({ text, n }) => text.repeat(n)),
  )
  const step = fc.oneof(
    { weight: 6, arbitrary: fc.record({ do: fc.constant('put' as const), key: fc.nat(60), n: value, body }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), key: fc.nat(60) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('checkpoint' as const) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('vacuum' as const) }) },
  )

  test('whatever the page size, encoding and journal, in the log or not', () => {
    const folder = temporaryFolder()
    let round = 0
    fc.assert(
      fc.property(
        fc.constantFrom(512, 1024, 4096, 65536),
        fc.constantFrom('UTF-8', 'UTF-16le', 'UTF-16be'),
        fc.constantFrom('wal', 'delete', 'truncate', 'persist'),
        fc.array(step, { maxLength: 60 }),
        (pageSize, encoding, journal, steps) => {
          const path = join(folder, `${round++}.db`)
          const db = new Database(path)
          for (const pragma of [
            `page_size = ${pageSize}`,
            `encoding = '${encoding}'`,
            `journal_mode = ${journal}`,
          ])
            db.pragma(pragma)
          db.pragma('wal_autocheckpoint = 20')
          db.exec('CREATE TABLE "part" (id TEXT PRIMARY KEY, n, body TEXT, CHECK (length(id) > 0))')
          for (const one of steps) {
            if (one.do === 'put')
              db.prepare('INSERT OR REPLACE INTO part VALUES (?, ?, ?)').run(`k${one.key}`, one.n, one.body)
            else if (one.do === 'delete') db.prepare('DELETE FROM part WHERE id = ?').run(`k${one.key}`)
            else if (one.do === 'checkpoint') db.pragma('wal_checkpoint(RESTART)')
            else db.exec('VACUUM')
          }
          expect(seen(path)).toEqual(seenBySqlite(db))
          const foreign = ForeignDb.open(path)
          for (const { id, rowid } of seenBySqlite(db))
            expect(foreign.find('part', 'id', id)?.rowid).toBe(rowid)
          const range = db
            .prepare("SELECT id FROM part WHERE id >= 'k2' AND id < 'k4' ORDER BY id")
            .pluck()
            .all()
          expect([...foreign.range('part', 'id', 'k2', 'k4')].map((row) => row.value('id'))).toEqual(range)
          expect(foreign.find('part', 'id', 'no such')).toBeNull()
          expect(foreign.last('part')).toBe(
            db.prepare('SELECT coalesce(max(rowid), 0) FROM part').pluck().get(),
          )
          foreign.close()
          db.close()
        },
      ),
      { numRuns: 60 * Number(process.env.FOVEA_SOAK ?? 1) },
    )
  }, 120_000)

  test('thousands of rows over many pages, and only those behind a row', () => {
    const path = join(temporaryFolder(), 'a.db')
    const db = make(path, ['journal_mode = WAL'])
    const put = db.prepare('INSERT INTO part VALUES (?, ?, ?)')
    db.transaction(() => {
      for (let n = 0; n < 5_000; n++) put.run(`k${String(n).padStart(5, '0')}`, n, 'x'.repeat(n % 300))
    })()
    expect(seen(path)).toEqual(seenBySqlite(db))
    const foreign = ForeignDb.open(path)
    expect([...foreign.rows('part', { after: 4_990 })].map((row) => row.rowid)).toEqual([
      4991, 4992, 4993, 4994, 4995, 4996, 4997, 4998, 4999, 5000,
    ])
    expect([...foreign.range('part', 'id', 'k01999', 'k02002')].map((row) => row.value('n'))).toEqual([
      1999, 2000, 2001,
    ])
    foreign.close()
  })

  test('columns added later, rowid columns, quoted names, generated columns, tables of other kinds', () => {
    const path = join(temporaryFolder(), 'a.db')
    const db = new Database(path)
    db.exec(`CREATE TABLE [odd "name] ("Id,x" INTEGER PRIMARY KEY, session TEXT, /* a, b */ \`two\` TEXT DEFAULT ('a,b'), -- c
      twice AS (two || two), kept TEXT AS (two) STORED, UNIQUE (two, kept))`)
    db.exec('INSERT INTO [odd "name] ("Id,x", two) VALUES (7, \'t\')')
    db.exec('ALTER TABLE [odd "name] ADD COLUMN late INTEGER DEFAULT 5')
    db.exec(
      'CREATE TABLE w (a PRIMARY KEY) WITHOUT ROWID; CREATE VIRTUAL TABLE f USING fts5(x); CREATE VIEW v AS SELECT 1',
    )
    db.close()
    const foreign = ForeignDb.open(path)
    const [row] = [...foreign.rows('ODD "NAME')]
    expect(['id,x', 'session', 'two', 'kept', 'late', 'none'].map((name) => row?.value(name))).toEqual([
      7,
      null,
      't',
      't',
      null,
      null,
    ])
    expect(foreign.has('odd "name', 'two', 'late')).toBe(true)
    expect(foreign.has('odd "name', 'twice')).toBe(false)
    expect([foreign.has('w'), foreign.has('f'), foreign.has('v')]).toEqual([false, false, false])
    expect(foreign.find('odd "name', 'two', 't')?.rowid).toBe(7)
    foreign.close()
  })

  test('a row’s stamp changes when the row does', () => {
    const path = join(temporaryFolder(), 'a.db')
    const db = make(path)
    db.prepare('INSERT INTO part VALUES (?, ?, ?)').run('a', 1, 'x'.repeat(20_000))
    db.prepare('INSERT INTO part VALUES (?, ?, ?)').run('b', 1, 'y')
    const stamps = (): string[] => {
      const foreign = ForeignDb.open(path)
      const found = [...foreign.rows('part')].map((row) => row.stamp)
      foreign.close()
      return found
    }
    const before = stamps()
    db.prepare('UPDATE part SET n = 2 WHERE id = ?').run('a')
    db.prepare('UPDATE part SET body = body || ? WHERE id = ?').run('.', 'b')
    const after = stamps()
    expect(after[0]).not.toBe(before[0])
    expect(after[1]).not.toBe(before[1])
    expect(stamps()).toEqual(after)
  })
})

describe('nothing is written', () => {
  for (const journal of ['wal', 'delete'])
    test(`not a byte of the folder changes: ${journal}, closed, open here, and open in a process that has written`, async () => {
      const folder = temporaryFolder()
      const path = join(folder, 'a.db')
      const db = make(path, [`journal_mode = ${journal}`])
      db.prepare('INSERT INTO part VALUES (?, ?, ?)').run('a', 1, 'x'.repeat(9_000))
      const open = listing(folder)
      expect(seen(path)).toHaveLength(1)
      expect(listing(folder)).toEqual(open)
      await program(
        path,
        `db.exec("INSERT INTO part VALUES ('b', 2, 'y')"); console.log('ready'); setInterval(() => {}, 1000)`,
      )
      const held = listing(folder)
      expect(seen(path).map((row) => row.id)).toEqual(['a', 'b'])
      expect(listing(folder)).toEqual(held)
      db.close()
      const alone = listing(folder)
      expect(seen(path)).toHaveLength(2)
      expect(listing(folder)).toEqual(alone)
    })

  test('a WAL database whose program has ended, with its log left behind, in a folder that cannot be written', () => {
    const folder = temporaryFolder()
    const live = make(join(folder, 'live.db'), ['journal_mode = WAL'])
    live.prepare('INSERT INTO part VALUES (?, ?, ?)').run('a', 1, 'in the log only')
    const left = temporaryFolder()
    for (const end of ['', '-wal']) copyFileSync(join(folder, `live.db${end}`), join(left, `a.db${end}`))
    chmodSync(left, 0o500)
    const before = listing(left)
    expect(seen(join(left, 'a.db')).map((row) => row.body)).toEqual(['in the log only'])
    expect(listing(left)).toEqual(before)
    chmodSync(left, 0o700)
  })

  test('a writer is never held up: it writes while a reading is open, and the reading keeps its state or says so', () => {
    const path = join(temporaryFolder(), 'a.db')
    const db = make(path, ['journal_mode = WAL', 'wal_autocheckpoint = 0', 'busy_timeout = 0'])
    const put = db.prepare('INSERT INTO part VALUES (?, ?, ?)')
    for (let n = 0; n < 50; n++) put.run(`k${n}`, n, 'x'.repeat(500))
    const foreign = ForeignDb.open(path)
    put.run('late', 1, null)
    expect([...foreign.rows('part')]).toHaveLength(50)
    foreign.check()
    db.pragma('wal_checkpoint(TRUNCATE)')
    db.exec('DELETE FROM part')
    expect(() => foreign.check()).toThrow('another program is writing the database')
    foreign.close()
  })

  test('beside a process that writes without pause every reading that is confirmed is one state', async () => {
    const folder = temporaryFolder()
    const path = join(folder, 'a.db')
    const db = make(path, ['journal_mode = WAL'])
    const put = db.prepare('INSERT INTO part VALUES (?, ?, ?)')
    db.transaction(() => {
      for (let n = 0; n < 200; n++) put.run(`k${n}`, 100, 'x'.repeat(400))
    })()
    const child = await program(
      path,
      `db.pragma('wal_autocheckpoint = 60'); db.pragma('synchronous = OFF');
       const move = db.transaction((a, b, n) => {
         db.prepare('UPDATE part SET n = n - ? WHERE id = ?').run(n, 'k' + a);
         db.prepare("INSERT OR REPLACE INTO part SELECT id, n + ?, body FROM part WHERE id = ?").run(n, 'k' + b);
       });
       let n = 0; setInterval(() => { for (let i = 0; i < 3; i++) move(n++ % 200, (n * 7) % 200, n % 9) }, 4); console.log('ready')`,
    )
    let confirmed = 0
    for (let n = 0; n < 60; n++) {
      try {
        const rows = seen(path)
        confirmed++
        expect(rows).toHaveLength(200)
        expect(rows.reduce((sum, row) => sum + Number(row.n), 0)).toBe(20_000)
      } catch (error) {
        if (!(error instanceof ForeignProblem)) throw error
      }
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(confirmed).toBeGreaterThan(0)
    expect(seen(path)).toHaveLength(200)
  }, 60_000)
})
