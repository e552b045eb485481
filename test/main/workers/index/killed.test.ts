import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'
import { checkIntegrity } from '../../../../src/main/store'
import { temporaryDb } from '../../../support'
import { insertItem } from '../../models/journal-rows'

const child = join(import.meta.dirname, 'killed-child.mjs')

/** Runs the index until it has embedded `texts` texts, then kills it; to its end when it never does. */
async function runFor(dbPath: string, texts: number): Promise<{ embedded: string[]; finished: boolean }> {
  const process_ = spawn(process.execPath, [child, dbPath], { stdio: ['ignore', 'pipe', 'inherit'] })
  const embedded: string[] = []
  for await (const line of createInterface({ input: process_.stdout })) {
    if (line === 'IDLE') return { embedded, finished: true }
    embedded.push(line)
    if (embedded.length === texts) process_.kill('SIGKILL')
  }
  return { embedded, finished: false }
}

test('killed again and again, the index ends with every vector and rung once, and hardly works twice', async () => {
  const db = temporaryDb()
  const items = 100
  db.transaction(() => {
    for (let n = 0; n < items; n++)
      insertItem(db, { kind: 'command', data: { command: `run step ${n} now` } })
  })
  const embedded: string[] = []
  for (const texts of [1, 16, 23, 40]) embedded.push(...(await runFor(db.path, texts)).embedded)
  const last = await runFor(db.path, Number.POSITIVE_INFINITY)
  embedded.push(...last.embedded)

  expect(last.finished).toBe(true)
  const count = (sql: string): number => db.get<{ n: number }>(sql)?.n ?? -1
  expect(count('SELECT count(*) AS n FROM vectors')).toBe(items)
  expect(count('SELECT count(DISTINCT item_id) AS n FROM vectors')).toBe(items)
  expect(count('SELECT count(*) AS n FROM vector_codes JOIN vectors ON vectors.id = vector_id')).toBe(items)
  expect(count('SELECT count(*) AS n FROM embed_queue')).toBe(0)
  expect(count('SELECT count(*) AS n FROM curate_queue')).toBe(0)
  expect(count("SELECT count(*) AS n FROM rungs WHERE level = 'L3'")).toBe(items)
  // Only the batch that was under way at each kill is done again.
  expect(embedded.length - items).toBeLessThanOrEqual(4 * 16)
  expect(new Set(embedded).size).toBe(items)
  expect(checkIntegrity(db, 'full')).toEqual({ ok: true, problems: [] })
}, 120_000)
