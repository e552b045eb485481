import { join } from 'node:path'
import { expect, test } from 'vitest'
import { applyRetention, curate, saveRetention } from '../../../src/main/curator'
import { retentionSql } from '../../../src/main/store'
import { temporaryFolder } from '../../support'
import { dump, ingest, items, openJournal, put, scribe } from './transcripts'

test('reading a file again, also a rewritten one, does not bring back a text that was let go, and a dump says so', async () => {
  const folder = temporaryFolder()
  const file = join(folder, 'a.jsonl')
  const said = scribe()
  said.user('Make the retry queue keep its events')
  said.said(`The queue keeps its events now. ${'All of it is told at length here. '.repeat(40)}`)
  put(file, said.text())
  const { db, journal } = openJournal()
  await ingest(journal, folder)
  while (curate(db, { now: 1 }) > 0);
  const longest = (): number => Math.max(...items(db).map((item) => item.text.length))
  expect(longest()).toBeGreaterThan(1000)
  saveRetention(db, [{ source: null, level: 'L0', days: 0 }])
  const now = Date.UTC(2100, 0, 1)
  const report = await applyRetention(db, { now, compact: false, rest: async () => undefined })
  expect(report.levels.L0.items).toBe(1)
  expect(longest()).toBeLessThan(480)
  // A line before it: the file is another one, and what stands in it is read anew.
  put(file, `\n${said.text()}`)
  await ingest(journal, folder)
  said.said('And that is all there was to do.')
  put(file, said.text())
  await ingest(journal, folder)
  expect(items(db)).toHaveLength(3)
  expect(longest()).toBeLessThan(480)
  expect(retentionSql.countLetGo(db).L0).toBe(1)
  const dumped = dump(db)
    .split('\n')
    .map((line) => JSON.parse(line) as { letGo?: string[] })
  expect(dumped.filter((line) => line.letGo)).toEqual([expect.objectContaining({ letGo: ['L0'] })])
})
