import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { enrol, type FoundFile, ingestFiles, ingestSources, Watcher } from '../../../src/main/journal'
import { temporaryFolder } from '../../support'
import { opencodeDatabase, opencodeSession, opencodeTree, said } from './opencode-support'
import { ingest, items, openJournal } from './transcripts'

// What a program writes into its log, or into small files, is a change of the session's own path.

function watched(root: string) {
  const { db, journal } = openJournal()
  const source = enrol(journal, { path: root })
  const told: string[] = []
  const watcher = new Watcher({
    sources: () => [source],
    read: async (of, files: FoundFile[]) => {
      told.push(...files.map((file) => file.path))
      await ingestFiles(journal, of, files)
      for (const file of files) watcher.remember(of, file.path, file.stat)
    },
    sweep: async () => void (await ingestSources(journal, [source])),
    clock: Date.now,
  })
  onTestFinished(() => watcher.stop())
  return { db, journal, watcher, told }
}

test('a row that is in the log only is read as soon as it is written', async () => {
  const root = temporaryFolder()
  const path = join(root, 'opencode.db')
  const own = opencodeDatabase(path, ['journal_mode = WAL', 'wal_autocheckpoint = 0'])
  onTestFinished(() => void own.db.close())
  const s = opencodeSession()
  s.user('sort the names')
  own.all(s.session)
  const { db, watcher, told } = watched(root)
  watcher.start()
  await vi.waitFor(() => expect(items(db)).toHaveLength(1), 20_000)
  const before = told.length
  const next = s.user('and count all the old ones')
  own.message(s.session, next)
  for (const part of next.parts) own.part(s.session, next, part)
  await vi.waitFor(() => expect(items(db)).toHaveLength(2), 20_000)
  expect(told.length).toBeGreaterThan(before)
  expect(new Set(told)).toEqual(new Set([path]))
}, 60_000)

test('a part that comes into a folder of its own is its session’s', async () => {
  const root = join(temporaryFolder(), 'opencode')
  const s = opencodeSession()
  s.user('sort the names')
  opencodeTree(root, s.session)
  const { db, journal, watcher } = watched(root)
  await ingest(journal, root)
  watcher.start()
  s.agent(said('Sorted.'))
  opencodeTree(root, s.session)
  await vi.waitFor(() => expect(items(db)).toHaveLength(2), 20_000)
}, 60_000)
