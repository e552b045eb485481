import * as fs from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { temporaryFolder } from '../../support'
import { clock, conversation, cursorDatabase } from './cursor-support'
import { ingest, items, openJournal } from './transcripts'

// Cursor's database grows to many gigabytes, nearly all of it nothing to do with conversations. What is read of it is
// counted.

const read = vi.hoisted(() => ({ bytes: 0, whole: 0 }))
vi.mock('node:fs', async (original) => {
  const real = await original<typeof fs>()
  return {
    ...real,
    readSync: ((...args: Parameters<typeof real.readSync>) => {
      const got = real.readSync(...args)
      read.bytes += got
      return got
    }) as typeof real.readSync,
    readFileSync: ((...args: Parameters<typeof real.readFileSync>) => {
      if (/\.vscdb/.test(String(args[0]))) read.whole++
      return real.readFileSync(...args)
    }) as typeof real.readFileSync,
  }
})

/** Bytes read while `work` runs. */
async function bytesOf(work: () => Promise<unknown>): Promise<number> {
  read.bytes = 0
  await work()
  return read.bytes
}

const MB = 2 ** 20

test('of a huge database only the pages of the conversations are read, and of one message more only a few', async () => {
  const path = join(temporaryFolder(), 'globalStorage', 'state.vscdb')
  const own = cursorDatabase(path)
  const c = conversation()
  c.user('sort the names')
  c.said('Sorted.')
  own.all(c)
  const fill = own.db.prepare('INSERT INTO cursorDiskKV (key, value) VALUES (?, zeroblob(?))')
  // In front of the conversations, between their own rows and their messages, and behind.
  const kinds = [
    'agentKv:blob:',
    'bubbleId-backup:',
    'checkpointId:',
    'codeBlockDiff:',
    'messageRequestContext:',
    'zed:',
  ]
  own.db.transaction(() => {
    for (const kind of kinds) for (let n = 0; n < 40; n++) fill.run(`${kind}${n}`, MB / 4)
    for (let n = 0; n < 20_000; n++) fill.run(`inlineDiff:${n}`, 40)
  })()
  own.db.prepare('INSERT INTO ItemTable (key, value) VALUES (?, zeroblob(?))').run('history.entries', 8 * MB)
  own.db.pragma('wal_checkpoint(TRUNCATE)')
  const { size } = fs.statSync(path)
  expect(size).toBeGreaterThan(60 * MB)

  const { db, journal } = openJournal({ clock })
  const first = await bytesOf(() => ingest(journal, path))
  expect(items(db)).toHaveLength(2)
  expect(first).toBeLessThan(MB)

  expect(await bytesOf(() => ingest(journal, path))).toBe(0)

  const next = c.user('and count them')
  own.bubble(c, next)
  own.composer(c)
  own.db.pragma('wal_checkpoint(TRUNCATE)')
  expect(await bytesOf(() => ingest(journal, path))).toBeLessThan(MB)
  expect(items(db)).toHaveLength(3)
  expect(read.whole).toBe(0)
  own.db.close()
}, 60_000)
