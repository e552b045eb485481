import { execFile } from 'node:child_process'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { applyRetention, curate, previewRetention, saveRetention } from '../../../src/main/curator'
import { checkIntegrity, openWrite, type WriteDb } from '../../../src/main/store'
import { temporaryDb, temporaryFolder } from '../../support'
import { insertItem } from '../models/journal-rows'

const NOW = Date.UTC(2026, 10, 30)
const DAY = 86_400_000
const child = join(import.meta.dirname, 'retention-child.mjs')

/** Runs the child until its write of that number, which kills it; how it ended. */
function killedAt(path: string, write: number): Promise<{ signal: string | null; out: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [child, path, String(NOW), String(write)], (error, out) =>
      resolve({ signal: error?.signal ?? null, out }),
    )
  })
}

const everything = (db: WriteDb): unknown => ({
  items: db.all('SELECT id, handle, text, text_z, chars FROM items ORDER BY id'),
  gone: db.all('SELECT item_id, level, at FROM let_go ORDER BY item_id, level'),
  rungs: db.all('SELECT subject, level, text, method FROM rungs ORDER BY subject, level'),
  facts: db.all('SELECT handle, subject, predicate, object FROM facts ORDER BY 1, 2, 3, 4'),
  queues: [
    db.all('SELECT * FROM curate_queue ORDER BY 1'),
    db.all('SELECT item_id FROM embed_queue ORDER BY 1'),
  ],
  now: db.all('SELECT * FROM retention_now'),
})

test('killed in the middle of its transactions again and again, a run ends as one that nothing disturbed', async () => {
  const db = temporaryDb()
  db.transaction(() => {
    for (let n = 0; n < 450; n++)
      insertItem(db, {
        kind: 'conclusion',
        text: `We moved queue ${n} behind a lock, and no event is lost. ${`Part ${n} of it is told at length. `.repeat(20)}`,
        ts: NOW - (n % 120) * DAY,
        position: n,
      })
  })
  while (curate(db, { now: 1, limit: 450 }) > 0);
  saveRetention(db, [
    { source: null, level: 'L0', days: 10 },
    { source: null, level: 'L1', days: 60 },
  ])
  const told = previewRetention(db, NOW)
  db.run('PRAGMA wal_checkpoint(TRUNCATE)')
  const path = join(temporaryFolder(), 'fovea.db')
  copyFileSync(db.path, path)

  const { before, after, compacted, ...went } = await applyRetention(db, {
    now: NOW,
    compact: false,
    rest: async () => undefined,
  })
  expect(went).toEqual(told)
  expect(compacted).toBe(false)
  expect(after.bytes).toBeGreaterThanOrEqual(before.free)

  for (const write of [2, 500, 1100, 40]) expect((await killedAt(path, write)).signal).toBe('SIGKILL')
  const other = openWrite(path)
  const left = previewRetention(other, NOW).levels.L0.items
  const gone = other.get<{ n: number }>("SELECT count(*) AS n FROM let_go WHERE level = 'L0'")?.n ?? -1
  expect(gone + left).toBe(told.levels.L0.items)
  expect(left).toBeGreaterThan(0)
  expect(gone).toBeGreaterThan(0)
  expect((await killedAt(path, Number.POSITIVE_INFINITY)).out).toMatch(/^DONE/)
  expect(everything(other)).toEqual(everything(db))
  expect(previewRetention(other, NOW).levels.L0.items).toBe(0)
  expect(checkIntegrity(other, 'full')).toEqual({ ok: true, problems: [] })
  other.close()
}, 120_000)
