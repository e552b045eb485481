import { join } from 'node:path'
import { expect, test } from 'vitest'
import { patiently } from '../../../src/main/journal/patience'
import { AppError } from '../../../src/shared/errors'
import { temporaryFolder } from '../../support'
import { brokenInvariants, dump, ingest, openJournal, put, scribe } from './transcripts'

const failing = (code: string): Error => Object.assign(new Error('no'), { code })

test('work on a database that is held is done again, until it is free', async () => {
  let left = 3
  const done = await patiently(() => {
    if (left-- > 0) throw failing('SQLITE_BUSY')
    return 'done'
  }, 0)
  expect(done).toBe('done')
})

test('a database that stays held, and a full disk, are said in a sentence', async () => {
  const held = patiently(() => Promise.reject(failing('SQLITE_BUSY_SNAPSHOT')), 0)
  await expect(held).rejects.toMatchObject({ code: 'busy', retryable: true })
  const full = patiently(() => Promise.reject(failing('SQLITE_FULL')), 0)
  await expect(full).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('disk is full'),
  })
  await expect(full).rejects.toBeInstanceOf(AppError)
  await expect(patiently(() => Promise.reject(failing('EIO')), 0)).rejects.toMatchObject({ code: 'EIO' })
})

test('a disk that fills up while reading loses nothing', async () => {
  const root = temporaryFolder()
  const s = scribe('A')
  for (let n = 0; n < 4_000; n++) s.user(`request number ${n}, ${'long '.repeat(30)}`)
  put(join(root, 'a.jsonl'), s.text())
  const whole = openJournal()
  await ingest(whole.journal, root)

  const { db, journal } = openJournal()
  const pages = db.get<{ page_count: number }>('PRAGMA page_count')?.page_count ?? 0
  db.get(`PRAGMA max_page_count = ${pages + 400}`)
  await expect(ingest(journal, root)).rejects.toMatchObject({ code: 'unavailable' })
  db.get('PRAGMA max_page_count = 1000000')
  await ingest(journal, root)
  expect(dump(db)).toBe(dump(whole.db))
  expect(brokenInvariants(db)).toEqual([])
})
