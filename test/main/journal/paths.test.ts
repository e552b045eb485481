import { readdirSync, readFileSync, renameSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import {
  enrol,
  health,
  ingestSources,
  listSources,
  type StoredPointer,
  targetAt,
  verifyPointer,
} from '../../../src/main/journal'
import type { WriteDb } from '../../../src/main/store'
import { temporaryFolder } from '../../support'
import { append, brokenInvariants, items, openJournal, put, scribe } from './transcripts'

const KEY = `ghp_${'aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5'}`
const OTHER = `sk-ant-api03-${'Ab1Cd2Ef3Gh4Ij5Kl6Mn7Op8Qr9St0Uv'.repeat(3).slice(0, 93)}AA`

/** A transcript and its place, both named after a secret. */
function planted() {
  const root = join(temporaryFolder(), `token-${OTHER}`)
  const s = scribe('S1')
  s.user('export the invoices')
  const path = put(join(root, `backup ${KEY}`, `session-${KEY}.jsonl`), s.text())
  put(join(root, 'plain', 'broken.jsonl'), 'no record\n')
  put(join(root, `broken ${KEY}.jsonl`), 'no record\n')
  return { root, path, s }
}

const bytesOf = (db: WriteDb): Buffer =>
  Buffer.concat(readdirSync(dirname(db.path)).map((name) => readFileSync(join(dirname(db.path), name))))

test('a secret in the name of a folder or file is stored nowhere, and the file is found again all the same', async () => {
  const { db, journal } = openJournal()
  const { root, path, s } = planted()
  const run = () => ingestSources(journal, [targetAt(journal, { path: root })], { perFile: true })
  const first = await run()
  expect(first.new).toBe(1)
  for (const secret of [KEY, OTHER]) {
    expect(bytesOf(db).includes(secret)).toBe(false)
    expect(JSON.stringify([first, listSources(db), health(db, listSources(db)[0]?.id ?? '')])).not.toContain(
      secret,
    )
  }
  expect((await run()).bytes).toBe(0)
  s.user('now as PDF please')
  append(path, `${JSON.stringify(s.lines.at(-1))}\n`)
  const grown = await run()
  expect({ new: grown.new, files: grown.files }).toEqual({ new: 1, files: 3 })
  const pointer = db.get<StoredPointer>(
    'SELECT i.*, f.path AS file_path FROM items i JOIN files f ON f.id = i.file_id LIMIT 1',
  )
  expect(pointer?.file_path).toMatch(/\[secret:[a-z-]+:[0-9a-f]{4}\].*\[secret:/)
  expect(await verifyPointer(pointer as StoredPointer, journal.paths)).toBe('unchanged')
  expect(brokenInvariants(db)).toEqual([])
})

test('a file that comes under such a name, or leaves it, is followed', async () => {
  const { db, journal } = openJournal()
  const root = temporaryFolder()
  const s = scribe('S1')
  s.user('export the invoices')
  const plain = put(join(root, 'S1.jsonl'), s.text())
  const run = () => ingestSources(journal, [targetAt(journal, { path: root })])
  await run()
  renameSync(plain, join(root, `${KEY}.jsonl`))
  expect((await run()).bytes).toBe(0)
  expect(items(db)[0]?.pointer.file).toContain('[secret:')
  renameSync(join(root, `${KEY}.jsonl`), plain)
  await run()
  expect(items(db)[0]?.pointer.file).toBe(plain)
  expect(bytesOf(db).includes(KEY)).toBe(false)
})

test('a single file enrolled under such a name is one source, however often it is named', async () => {
  const { db, journal } = openJournal()
  const { path } = planted()
  expect(enrol(journal, { path }).id).toBe(enrol(journal, { path }).id)
  const report = await ingestSources(journal, [targetAt(journal, { path })])
  expect(report.new).toBe(1)
  expect(listSources(db)).toHaveLength(1)
})
