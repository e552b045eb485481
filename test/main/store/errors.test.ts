import { expect, test } from 'vitest'
import { storeError } from '../../../src/main/store'
import { isFull } from '../../../src/main/store/errors'
import { AppError, toErrorData } from '../../../src/shared/errors'
import { temporaryDb } from '../../support'

const codeOf = (work: () => unknown): string => {
  try {
    work()
    return 'nothing'
  } catch (error) {
    return toErrorData(error).code
  }
}

test('a full disk is an error for a person, in a statement and in a transaction, and what was there is kept', () => {
  const db = temporaryDb()
  db.run('CREATE TABLE t (x)')
  db.run('INSERT INTO t VALUES (1)')
  const pages = db.get<{ page_count: number }>('PRAGMA page_count')?.page_count ?? 0
  db.get(`PRAGMA max_page_count = ${pages + 2}`)
  const fill = () => db.run('INSERT INTO t VALUES (zeroblob(1000000))')
  expect(codeOf(fill)).toBe('unavailable')
  expect(codeOf(() => db.transaction(fill))).toBe('unavailable')
  expect(() => db.transaction(fill)).toThrow(/^The disk is full; what was read before is kept/)
  expect(db.all('SELECT x FROM t')).toEqual([{ x: 1 }])
})

test('each way a disk or another program fails has its code; a broken rule stays what it is', () => {
  const as = (code: string): unknown => {
    const error = storeError(Object.assign(new Error('x'), { code }))
    return error instanceof AppError ? error.code : code
  }
  expect(
    ['SQLITE_FULL', 'SQLITE_IOERR_WRITE', 'SQLITE_BUSY_SNAPSHOT', 'SQLITE_CORRUPT_VTAB'].map(as),
  ).toEqual(['unavailable', 'unreadable', 'busy', 'corrupt'])
  expect(as('SQLITE_CONSTRAINT_UNIQUE')).toBe('SQLITE_CONSTRAINT_UNIQUE')
  expect(storeError(null)).toBe(null)
})

test('what SQLite calls input and output is a full disk where nothing is free, and else is not', () => {
  const failed = (code: string) => Object.assign(new Error('x'), { code })
  for (const code of ['SQLITE_IOERR_SHMSIZE', 'SQLITE_IOERR_WRITE', 'SQLITE_CANTOPEN']) {
    expect(isFull('/d/fovea.db', failed(code), () => 0)).toBe(true)
    expect(isFull('/d/fovea.db', failed(code), () => 5_000_000)).toBe(false)
  }
  for (const code of ['SQLITE_FULL', 'ENOSPC']) expect(isFull('/d', failed(code), () => 5_000_000)).toBe(true)
  for (const code of ['SQLITE_BUSY', 'SQLITE_CORRUPT', 'EACCES'])
    expect(isFull('/d', failed(code), () => 0)).toBe(false)
})
