import { join } from 'node:path'
import { expect, test } from 'vitest'
import { enrol, groupReader, ingestSources, type SecondReader, silent } from '../../../src/main/journal'
import { openWrite } from '../../../src/main/store'
import { temporaryFolder } from '../../support'
import { brokenInvariants, contextOf, dump, openJournal, put, scribe } from './transcripts'

const FILES = 8
/** Six megabytes that are no items: a run of such files is worth a second reader. */
const CHATTER = 'x'.repeat(6 * 1024 * 1024)

/** Sessions that go on in each other's files, so that who reads first must not matter. */
function writeTranscripts(root: string): void {
  for (let file = 0; file < FILES; file++) {
    const s = scribe(`T${file % 5}`, { start: Date.parse('2026-03-03T09:00:00Z') + (file % 3) * 60_000 })
    for (let turn = 0; turn < 40; turn++) {
      s.user(`request ${turn} of session ${file % 5}, as told in file ${file % 3}`)
      s.call(`t${file}-${turn}`, 'Bash', { command: `step ${turn}` })
      s.result(`t${file}-${turn}`, turn % 7 === 0 ? 'Exit code 1: it failed' : 'done')
    }
    s.add({ type: 'progress', data: { type: 'bash_progress', output: CHATTER } })
    put(join(root, `p${file % 2}`, `f${file}.jsonl`), s.text())
  }
}

test('two readers side by side make the journal that one makes, and count the same', async () => {
  const root = temporaryFolder()
  writeTranscripts(root)
  const one = openJournal()
  const alone = await ingestSources(one.journal, [enrol(one.journal, { path: root })])

  const two = openJournal()
  const other = contextOf(openWrite(two.db.path))
  const taken = { there: 0, closed: 0, waiting: {} as object | undefined }
  const beside = (): SecondReader => ({
    read: async (jobs, hooks) => {
      taken.there += jobs.length
      taken.waiting = two.db.get('PRAGMA synchronous')
      return groupReader(other)(jobs, hooks)
    },
    strangers: () => other.receipts.strangers,
    close: async () => {
      taken.closed++
      other.db.close()
    },
  })
  const both = await ingestSources(two.journal, [enrol(two.journal, { path: root })], { beside })
  expect(taken.there).toBeGreaterThan(0)
  expect(taken.there).toBeLessThan(FILES)
  // Meanwhile commits did not wait for the disk; they do again.
  expect(taken.waiting).toEqual({ synchronous: 1 })
  expect(two.db.get('PRAGMA synchronous')).toEqual({ synchronous: 2 })
  expect(taken.closed).toBe(1)
  expect(dump(two.db)).toBe(dump(one.db))
  expect(brokenInvariants(two.db)).toEqual([])
  const sums = ({ ms: _, records, new: fresh, ...rest }: typeof both) => ({
    ...rest,
    read: records.read,
    fresh,
  })
  expect(sums(both)).toEqual(sums(alone))
})

test('when one reader fails the other ends what it has begun, and the next run reads the rest', async () => {
  const root = temporaryFolder()
  writeTranscripts(root)
  const one = openJournal()
  await ingestSources(one.journal, [enrol(one.journal, { path: root })])

  const { db, journal } = openJournal()
  const source = enrol(journal, { path: root })
  let closed = 0
  const beside = (): SecondReader => ({
    read: () => Promise.reject(new Error('the thread ended')),
    strangers: () => 0,
    close: async () => void closed++,
  })
  await expect(ingestSources(journal, [source], { beside })).rejects.toThrow('the thread ended')
  expect(closed).toBe(1)
  expect(brokenInvariants(db).filter((wrong) => !wrong.startsWith('sessions waiting'))).toEqual([])
  await ingestSources(journal, [source])
  expect(dump(db)).toBe(dump(one.db))
})

test('a short run starts no second reader, and one that is stopped begins nothing more', async () => {
  const root = temporaryFolder()
  const { db, journal } = openJournal()
  const s = scribe('A')
  s.user('a single request')
  put(join(root, 'a.jsonl'), s.text())
  let started = 0
  const beside = (): SecondReader => {
    started++
    return { read: groupReader(journal), strangers: () => 0, close: async () => {} }
  }
  const source = enrol(journal, { path: root })
  await ingestSources(journal, [source], { beside })
  expect(started).toBe(0)
  writeTranscripts(root)
  let chunks = 0
  const report = await ingestSources(
    journal,
    [source],
    { beside },
    { ...silent, changed: () => void chunks++, cancelled: () => chunks > 0 },
  )
  expect(started).toBe(1)
  expect(report.cancelled).toBe(true)
  expect(db.get<{ n: number }>('SELECT count(*) AS n FROM files WHERE offset > 0')?.n).toBeLessThan(FILES)
  expect((await ingestSources(journal, [source], { beside })).cancelled).toBe(false)
  expect(brokenInvariants(db)).toEqual([])
})
