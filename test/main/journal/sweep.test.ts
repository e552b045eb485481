import { utimesSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sweepSources, targetAt } from '../../../src/main/journal'
import { temporaryFolder } from '../../support'
import { append, openJournal, put, scribe } from './transcripts'

test('a sweep reads what changed, and where nothing did nobody is told of it', async () => {
  const { db, journal } = openJournal()
  const root = temporaryFolder()
  for (const name of ['a', 'b']) {
    const s = scribe(name)
    s.user(`request of ${name}`)
    utimesSync(put(join(root, 'p', `${name}.jsonl`), s.text()), 1_700_000_000, 1_700_000_000)
  }
  const told: boolean[] = []
  const sweep = async () => {
    told.length = 0
    await sweepSources(
      journal,
      [targetAt(journal, { path: root })],
      {},
      { cancelled: () => false, progress: ({ running }) => told.push(running), changed: () => {} },
    )
    return db.get<{ n: number }>('SELECT count(*) AS n FROM items')?.n
  }
  expect(await sweep()).toBe(2)
  expect(told[0]).toBe(true)
  expect(await sweep()).toBe(2)
  expect(told).toEqual([])
  append(join(root, 'p', 'a.jsonl'), `${JSON.stringify(scribe('c').user('and another one'))}\n`)
  expect(await sweep()).toBe(3)
  expect(told.length).toBeGreaterThan(0)
})
