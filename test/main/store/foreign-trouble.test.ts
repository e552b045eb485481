import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ForeignDb, ForeignProblem } from '../../../src/main/store'
import { temporaryFolder } from '../../support'
import { listing, make, problem, seen } from './foreign-support'

describe('what cannot be read says why', () => {
  const filled = (): string => {
    const path = join(temporaryFolder(), 'a.db')
    const db = new Database(path)
    db.exec('CREATE TABLE part (id TEXT PRIMARY KEY, n, body TEXT)')
    const put = db.prepare('INSERT INTO part VALUES (?, ?, ?)')
    db.transaction(() => {
      for (let n = 0; n < 300; n++) put.run(`k${n}`, n, 'x'.repeat((n * 37) % 6_000))
    })()
    db.close()
    return path
  }

  test('empty, no database, encrypted, of a newer SQLite, gone', () => {
    const path = join(temporaryFolder(), 'a.db')
    writeFileSync(path, '')
    expect(seen(path)).toEqual([])
    writeFileSync(path, 'hello')
    expect(problem(path)).toBe('damaged: no SQLite database, or an encrypted one')
    writeFileSync(path, createHash('sha512').update('a').digest())
    expect(problem(path)).toBe('damaged: no SQLite database, or an encrypted one')
    const bytes = readFileSync(filled())
    bytes[19] = 3
    writeFileSync(path, bytes)
    expect(problem(path)).toBe('damaged: a database of a newer SQLite than Fovea can read')
    expect(() => ForeignDb.open(`${path}-none`)).toThrow('ENOENT')
  })

  test('an unfinished write: a hot journal is waited for, one that is over is none', () => {
    const path = filled()
    writeFileSync(
      `${path}-journal`,
      Buffer.concat([Buffer.from('d9d505f920a163d7', 'hex'), Buffer.alloc(600)]),
    )
    const before = listing(join(path, '..'))
    expect(problem(path)).toBe(
      'busy: a write to the database is not finished; it is read when its program has finished it',
    )
    expect(listing(join(path, '..'))).toEqual(before)
    writeFileSync(`${path}-journal`, Buffer.alloc(512))
    expect(seen(path)).toHaveLength(300)
  })

  test('cut off: what is whole is read when the damage is asked for, else the reading fails', () => {
    const path = filled()
    truncateSync(path, Math.floor(statSync(path).size / 2))
    const foreign = ForeignDb.open(path)
    expect(() => [...foreign.rows('part')]).toThrow(ForeignProblem)
    const lost: string[] = []
    const rows = [...foreign.rows('part', { onDamage: (reason) => lost.push(reason) })]
    expect(rows.length).toBeGreaterThan(50)
    expect(lost.length).toBeGreaterThan(0)
    expect(lost[0]).toMatch(/^the database is cut or damaged/)
    foreign.close()
  })

  test('damaged at random: a reason or some rows, never a crash, a hang or another error', () => {
    const path = filled()
    const whole = readFileSync(path)
    const mutations = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), {
      minLength: 1,
      maxLength: 400,
    })
    fc.assert(
      fc.property(mutations, fc.option(fc.nat(whole.length)), (changes, cut) => {
        const bytes = Buffer.from(whole)
        // The first pages hold the tree: damage there leads furthest.
        for (const [at, byte] of changes) bytes[at % 2 ? at : at % 5_000] = byte
        writeFileSync(path, bytes.subarray(0, cut ?? bytes.length))
        try {
          const foreign = ForeignDb.open(path)
          const take = (row: { bytes(name: string): unknown; value(name: string): unknown } | null): void => {
            try {
              row?.bytes('body')
              row?.value('n')
            } catch (error) {
              if (!(error instanceof ForeignProblem)) throw error
            }
          }
          const onDamage = (): void => {}
          for (const row of foreign.rows('part', { onDamage })) take(row)
          for (const row of foreign.range('part', 'id', 'k1', 'k2', onDamage)) take(row)
          foreign.close()
        } catch (error) {
          expect(error).toBeInstanceOf(ForeignProblem)
        }
      }),
      { numRuns: 150 * Number(process.env.FOVEA_SOAK ?? 1) },
    )
  }, 120_000)

  test('a log that is cut, torn or of another database ends where it is whole', () => {
    const folder = temporaryFolder()
    const path = join(folder, 'a.db')
    const db = make(path, ['journal_mode = WAL', 'wal_autocheckpoint = 0'])
    const put = db.prepare('INSERT INTO part VALUES (?, ?, ?)')
    for (let n = 0; n < 40; n++) put.run(`k${n}`, n, 'x'.repeat(300))
    const copy = join(temporaryFolder(), 'a.db')
    copyFileSync(path, copy)
    const log = readFileSync(`${path}-wal`)
    for (const size of [0, 10, 32, 5_000, log.length >> 1, log.length - 1, log.length]) {
      writeFileSync(`${copy}-wal`, log.subarray(0, size))
      const rows = size < 9_000 ? [] : seen(copy)
      expect(rows.map((row) => row.n)).toEqual(rows.map((_, n) => n))
      if (size === log.length) expect(rows).toHaveLength(40)
    }
    const torn = Buffer.from(log)
    torn[log.length - 100] = (torn[log.length - 100] ?? 0) ^ 1
    writeFileSync(`${copy}-wal`, torn)
    expect(seen(copy)).toHaveLength(39)
    expect(existsSync(`${copy}-shm`)).toBe(false)
  })
})
