import { expect, test } from 'vitest'
import { migrate, migrations, openWrite, schemaVersion, type WriteDb } from '../../../src/main/store'
import { sparing } from '../../../src/main/store/sparing'
import { temporaryDb } from '../../support'

const FILE = 1

const settings = (db: WriteDb): unknown => [
  db.get('PRAGMA temp_store'),
  db.get('PRAGMA cache_size'),
  db.get('PRAGMA main.cache_size'),
]

test('work on the whole database keeps few pages and nothing on the way in memory, and leaves all as it was', () => {
  const db = temporaryDb()
  const before = settings(db)
  sparing(db, () => {
    expect(db.get('PRAGMA temp_store')).toEqual({ temp_store: FILE })
    expect(db.get('PRAGMA cache_size')).toEqual({ cache_size: -8000 })
    sparing(db, () => db.run('VACUUM'))
    expect(db.get('PRAGMA temp_store')).toEqual({ temp_store: FILE })
  })
  expect(() =>
    sparing(db, () => {
      throw new Error('half way')
    }),
  ).toThrow('half way')
  expect(settings(db)).toEqual(before)
})

test('each step of an upgrade is such work', () => {
  const db = temporaryDb()
  const before = settings(db)
  const version = schemaVersion(db) + 1
  const seen: unknown[] = []
  const up = (write: WriteDb): void => void seen.push(write.get('PRAGMA temp_store'))
  migrate(db, [...migrations, { version, name: 'next', up }])
  expect(seen).toEqual([{ temp_store: FILE }])
  expect(settings(db)).toEqual(before)
  const again = openWrite(db.path)
  expect(schemaVersion(again)).toBe(version)
  again.close()
})
