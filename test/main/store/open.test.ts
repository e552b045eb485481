import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  backupTo,
  checkIntegrity,
  migrate,
  openRead,
  openWrite,
  schemaVersion,
  sqliteVersion,
  type WriteDb,
} from '../../../src/main/store'
import { temporaryDb, temporaryFolder } from '../../support'

describe('the database', () => {
  test('is durable: WAL, synchronous FULL, foreign keys, a busy timeout', () => {
    const db = temporaryDb()
    const pragma = (name: string) => Object.values(db.get<Record<string, unknown>>(`PRAGMA ${name}`) ?? {})[0]
    expect(pragma('journal_mode')).toBe('wal')
    expect(pragma('synchronous')).toBe(2)
    expect(pragma('foreign_keys')).toBe(1)
    expect(pragma('busy_timeout')).toBe(10_000)
  })

  test('runs on an SQLite without the WAL corruption bug of versions before 3.51.3', () => {
    const [major, minor, patch] = sqliteVersion(temporaryDb()).split('.').map(Number)
    expect((major ?? 0) * 1e6 + (minor ?? 0) * 1e3 + (patch ?? 0)).toBeGreaterThanOrEqual(3_051_003)
  })

  test('is readable by its owner alone', () => {
    expect(statSync(temporaryDb().path).mode & 0o777).toBe(0o600)
  })

  test('has only STRICT tables, what belongs to the vector extension apart', () => {
    const loose = temporaryDb().all<{ name: string }>(
      `SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND strict = 0
       AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'vectors_bit_%'`,
    )
    expect(loose).toEqual([])
  })

  test('refuses a write through a read handle', () => {
    const db = temporaryDb()
    const read = openRead(db.path)
    expect(() => (read as WriteDb).run("INSERT INTO meta VALUES ('a', 'b')")).toThrow(/may not be written/)
    read.close()
  })

  test('rolls a transaction back whole when anything in it throws', () => {
    const db = temporaryDb()
    expect(() =>
      db.transaction(() => {
        db.run("INSERT INTO meta VALUES ('a', 'b')")
        throw new Error('half way')
      }),
    ).toThrow('half way')
    expect(db.all('SELECT * FROM meta')).toEqual([])
  })

  test('a backup holds what is still in the write-ahead log', async () => {
    const db = temporaryDb()
    db.run("INSERT INTO meta VALUES ('kept', 'yes')")
    const file = join(temporaryFolder(), 'copy.db')
    await backupTo(db, file)
    const copy = openRead(file)
    expect(copy.get('SELECT value FROM meta')).toEqual({ value: 'yes' })
    expect(checkIntegrity(copy, 'full')).toEqual({ ok: true, problems: [] })
    copy.close()
  })

  test('a file that is no database gives a sentence, not a stack', () => {
    const file = join(temporaryFolder(), 'fovea.db')
    writeFileSync(file, 'this is not a database at all, but it is long enough to look at '.repeat(40))
    expect(() => openWrite(file)).toThrow(expect.objectContaining({ code: 'corrupt' }))
  })
})

describe('migrations', () => {
  test('are numbered without a gap and leave a sound database', () => {
    const db = temporaryDb()
    expect(schemaVersion(db)).toBeGreaterThan(0)
    expect(checkIntegrity(db, 'full').ok).toBe(true)
    expect(migrate(db)).toEqual({ from: schemaVersion(db), to: schemaVersion(db) })
  })

  test('each runs whole or not at all, and what stood before is backed up', () => {
    const db = openWrite(join(temporaryFolder(), 'fovea.db'))
    const first = {
      version: 1,
      name: 'one',
      up: (at: WriteDb) => {
        at.run('CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT')
        at.run('CREATE TABLE one (a INTEGER) STRICT')
      },
    }
    const broken = {
      version: 2,
      name: 'two',
      up: (at: WriteDb) => {
        at.run('CREATE TABLE two (a INTEGER) STRICT')
        throw new Error('power cut')
      },
    }
    migrate(db, [first])
    db.run('INSERT INTO one VALUES (7)')
    expect(() => migrate(db, [first, broken])).toThrow('power cut')
    expect(schemaVersion(db)).toBe(1)
    expect(db.all("SELECT name FROM sqlite_schema WHERE name = 'two'")).toEqual([])
    const backup = openRead(`${db.path}.v1.bak`)
    expect(backup.get('SELECT a FROM one')).toEqual({ a: 7 })
    backup.close()
    db.close()
  })

  test('an upgrade that was cut off goes on with the copy it began with, and the next one drops it', () => {
    const folder = temporaryFolder()
    const db = openWrite(join(folder, 'fovea.db'))
    const step = (version: number, sql: string, cut = false) => ({
      version,
      name: `step-${version}`,
      up: (at: WriteDb) => {
        at.run(sql)
        if (cut) throw new Error('power cut')
      },
    })
    const copies = () => readdirSync(folder).filter((file) => file.endsWith('.bak'))
    const first = step(1, 'CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT')
    const second = step(4, 'CREATE TABLE four (a INTEGER) STRICT')
    migrate(db, [first])
    expect(() => migrate(db, [first, second, step(6, 'CREATE TABLE six (a INTEGER) STRICT', true)])).toThrow(
      'power',
    )
    expect(schemaVersion(db)).toBe(4)
    const whole = [first, second, step(6, 'CREATE TABLE six (a INTEGER) STRICT')]
    migrate(db, whole)
    expect([schemaVersion(db), copies()]).toEqual([6, ['fovea.db.v1.bak']])
    expect(db.all('SELECT * FROM meta')).toEqual([])
    migrate(db, [...whole, step(9, 'CREATE TABLE nine (a INTEGER) STRICT')])
    expect(copies()).toEqual(['fovea.db.v6.bak'])
    db.close()
  })

  test('a database written by a newer Fovea is refused and left alone', () => {
    const db = temporaryDb()
    db.run('PRAGMA user_version = 999')
    expect(() => migrate(db)).toThrow(expect.objectContaining({ code: 'newer-database' }))
    expect(schemaVersion(db)).toBe(999)
  })
})

describe('a database file that is empty where one was', () => {
  test('is not taken for a new one while a backup or a log stands beside it', () => {
    for (const beside of ['fovea.db.v10.bak', 'fovea.db-wal']) {
      const folder = temporaryFolder()
      const path = join(folder, 'fovea.db')
      writeFileSync(path, '')
      writeFileSync(join(folder, beside), 'what was')
      expect(() => openWrite(path)).toThrow(
        expect.objectContaining({ code: 'corrupt', message: expect.stringContaining(beside) }),
      )
      expect(readdirSync(folder).sort()).toEqual(['fovea.db', beside].sort())
      expect(statSync(path).size).toBe(0)
    }
  })

  test('and one that is gone is not replaced while its log is there', () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'fovea.db-wal'), 'what was')
    expect(() => openWrite(join(folder, 'fovea.db'))).toThrow(/is gone, but fovea\.db-wal beside it/)
  })

  test('is a new one when nothing stands beside it', () => {
    const path = join(temporaryFolder(), 'fovea.db')
    writeFileSync(path, '')
    const db = openWrite(path)
    migrate(db)
    expect(schemaVersion(db)).toBeGreaterThan(0)
    db.close()
  })
})
