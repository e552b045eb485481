import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type ReadDb, sourcesSql } from '../../../src/main/store'
import { temporaryFolder } from '../../support'
import { ingest, openJournal, put, scribe } from '../journal/transcripts'

test('what lies under a path is looked up by its files, not by every session there is', async () => {
  const { db, journal } = openJournal()
  const folder = temporaryFolder()
  for (const name of ['A', 'B']) {
    const s = scribe(name)
    s.user(`Count the walruses of ${name}`)
    s.said('Seven.')
    put(join(folder, `${name}.jsonl`), s.text())
  }
  await ingest(journal, folder)
  const plans: string[] = []
  const watched: ReadDb = {
    ...db,
    all: <T>(sql: string, params?: readonly string[]) => {
      for (const { detail } of db.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, params))
        plans.push(detail)
      return db.all<T>(sql, params)
    },
  }
  const source = db.get<{ id: string; path: string }>('SELECT id, path FROM sources')
  const held = sourcesSql.heldUnder(watched, source?.id ?? '', source?.path ?? '')
  expect(held.sessions).toHaveLength(2)
  expect(held.kinds.reduce((sum, { n }) => sum + n, 0)).toBe(4)
  expect(plans.join('\n')).toContain('file_id=?')
  // A list of all sessions beside a list of all files is a question for each pair.
  expect(plans.filter((line) => line.includes('FOR IN-OPERATOR'))).toEqual([])
})
