import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { curate } from '../../../src/main/curator'
import { openRedactor, rescan } from '../../../src/main/journal'
import { settingsSql, unpackText, type WriteDb } from '../../../src/main/store'
import { receiptBodies } from '../../packed'
import { temporaryFolder } from '../../support'
import { brokenInvariants, ingest, jsonl, openJournal, put } from './transcripts'

// The rules of an older Fovea that knew no such secret, and what it stored.
const SECRET = 'zqvtr7kd93mwpx'
const LINE = `log in with pwd: ${SECRET}`

async function storedUnmasked(): Promise<WriteDb> {
  const { db, journal } = openJournal()
  const older = { ...journal, redact: (text: string) => ({ text, masked: 0 }) }
  const records = [
    { session: `s ${LINE}`, role: 'user', text: `please ${LINE}`, project: `p ${LINE}` },
    {
      session: `s ${LINE}`,
      role: 'tool',
      name: LINE,
      text: `${'a long output of the command\n'.repeat(80)}${LINE}`,
    },
    { session: `s ${LINE}`, role: 'assistant', text: `Decided: ${LINE}. Next I edit src/a.ts.` },
  ]
  await ingest(older, put(join(temporaryFolder(), 'talk.jsonl'), jsonl(records)))
  while (curate(db, { now: 1 }) > 0);
  const run = (sql: string, ...values: (string | number)[]): void => void db.run(sql, values)
  run(
    'INSERT INTO receipts (id, kind, goal, plane, path, budget, spent, fact_count, viewer, created_at, body, frame, provenance, labels) VALUES (?, ?, ?, ?, ?, 1, 1, 1, ?, 1, ?, ?, ?, ?)',
    'rec_1',
    'hydrate',
    LINE,
    'x',
    'x',
    'me',
    JSON.stringify({ goal: LINE, [LINE]: [{ deep: LINE }] }),
    `frame ${LINE}`,
    '[]',
    '[]',
  )
  run(
    `INSERT INTO gates (id, lineage, round, title, state, task_type, task_from, origin, status, question, draft, created_at) VALUES ('g', 'l', 1, ?, 'PLAN_ASSERT', 'docs', 'person', 'cli', 'open', ?, ?, 1)`,
    LINE,
    LINE,
    LINE,
  )
  run('INSERT INTO artifacts VALUES (?, 1, ?, ?, 1)', 'g', `# Plan\n${LINE}`, 'hash')
  run('INSERT INTO gate_upstream VALUES (?, ?, ?)', 'g', LINE, LINE)
  run(
    `INSERT INTO predictions VALUES ('g', 1, 'seal', 'salt', 1, 0, 'case', ?, '{}')`,
    JSON.stringify({ reason: LINE }),
  )
  run(`INSERT INTO decisions VALUES ('g', 'correct', 'correct', 'statement', ?, 'cli', 1, NULL, NULL)`, LINE)
  run(
    `INSERT INTO chunks (id, interaction, kind, state, task_type, outcome, situation, response, answered_by, vector_model, created_at) VALUES ('c', 1, 'gate', 's', 't', 'correct', ?, ?, 'person', 'm', 1)`,
    LINE,
    LINE,
  )
  run(
    `INSERT INTO agent_facts (agent, kind, subject, predicate, object, asserted_at) VALUES ('a', 'fact', ?, 'is', ?, 1)`,
    LINE,
    LINE,
  )
  run(`INSERT INTO feedback (handle, verdict, goal, given_at) VALUES ('h', 'useful', ?, 1)`, LINE)
  run(
    `INSERT INTO traces (id, faculty, purpose, goal, mode, zone, budget, spent, bids, kept, created_at, body) VALUES ('t', 'f', 'p', ?, 'fixed', 'green', 1, 1, 1, 1, 1, ?)`,
    LINE,
    JSON.stringify([{ title: LINE }]),
  )
  run(
    `INSERT INTO exports VALUES ('e', ?, 'L0', ?, 1, 0, 'x', 1)`,
    `/tmp/${LINE}`,
    JSON.stringify({ project: LINE }),
  )
  // As an update leaves it: the words before are in a free page.
  run('CREATE TABLE gone (text TEXT NOT NULL) STRICT')
  for (let n = 0; n < 50; n++) run('INSERT INTO gone VALUES (?)', `${LINE} ${'x'.repeat(2000)}`)
  run('DROP TABLE gone')
  writeFileSync(`${db.path}.v11.bak`, LINE)
  return db
}

const filesHold = (db: WriteDb): string[] =>
  readdirSync(dirname(db.path)).filter((name) => readFileSync(join(dirname(db.path), name)).includes(SECRET))

test('what older rules let through is masked in every table, index, free page and copy', async () => {
  const db = await storedUnmasked()
  expect(filesHold(db).length).toBeGreaterThan(1)
  const { redact } = openRedactor(db)
  for (let steps = 0; rescan(db, redact, 3) > 0; steps++) expect(steps).toBeLessThan(5_000)
  while (curate(db, { now: 2 }) > 0);

  expect(filesHold(db)).toEqual([])
  expect(brokenInvariants(db)).toEqual([])
  const items = db.all<{ text: string | null; text_z: Uint8Array | null }>('SELECT text, text_z FROM items')
  const texts = items.map(unpackText)
  expect(texts.join()).not.toContain(SECRET)
  expect(texts.join().match(/\[secret:password:[0-9a-f]{4}\]/g)?.length).toBeGreaterThanOrEqual(3)
  // Found by what stands there now, and not by what stood there.
  const hits = (words: string) =>
    db.get<{ n: number }>('SELECT count(*) AS n FROM items_fts WHERE items_fts MATCH ?', [`"${words}"`])?.n
  expect(hits(SECRET)).toBe(0)
  expect(hits('secret password')).toBeGreaterThanOrEqual(3)
  // Nothing was lost on the way, and what refers to a session still does.
  expect(items).toHaveLength(3)
  expect(db.all('SELECT i.id FROM items i JOIN sessions s ON s.id = i.session_id')).toHaveLength(3)
  expect(db.get<{ n: number }>('SELECT count(*) AS n FROM rungs')?.n).toBeGreaterThan(0)
  expect(db.get('SELECT count(*) AS n FROM embed_queue')).toEqual({ n: 3 })
  expect(JSON.parse(receiptBodies(db)[0] ?? '')).toMatchObject({
    goal: expect.stringContaining('[secret:password:'),
  })
  // A sealed prediction that waits is made again; vectors of the old words are gone.
  expect(db.all('SELECT 1 FROM predictions')).toEqual([])
  expect(db.get('SELECT vector_model FROM chunks')).toEqual({ vector_model: null })
  expect(db.get('PRAGMA integrity_check')).toEqual({ integrity_check: 'ok' })
  expect(db.all('PRAGMA foreign_key_check')).toEqual([])
})

test('an interrupted scan goes on where it was; a finished one is not repeated for the same rules', async () => {
  const db = await storedUnmasked()
  const { redact } = openRedactor(db)
  let looked = 0
  const counting = (text: string) => {
    looked++
    return redact(text)
  }
  for (let step = 0; step < 12; step++) rescan(db, counting, 2)
  const place = settingsSql.readMeta(db, 'redaction.rescan')
  expect(place).toBeDefined()
  // Another process, later.
  rescan(db, counting, 2)
  expect(settingsSql.readMeta(db, 'redaction.rescan')).not.toBe(place)
  while (rescan(db, counting) > 0);
  looked = 0
  expect(rescan(db, counting)).toBe(0)
  expect(looked).toBe(0)
  settingsSql.writeMeta(db, 'redaction.rules', '1')
  settingsSql.writeMeta(
    db,
    'redaction.rescan',
    JSON.stringify({ version: 1, table: null, after: null, changed: 0 }),
  )
  expect(rescan(db, counting)).toBeGreaterThan(0)
  while (rescan(db, counting) > 0);
  expect(looked).toBeGreaterThan(10)
  expect(filesHold(db)).toEqual([])
})

test('a journal without secrets is not written anew', async () => {
  const { db, journal } = openJournal()
  const records = [{ session: 's', role: 'user', text: 'please add a colour' }]
  await ingest(journal, put(join(temporaryFolder(), 'talk.jsonl'), jsonl(records)))
  writeFileSync(`${db.path}.v11.bak`, 'a copy')
  const before = db.get('SELECT * FROM items')
  const { redact } = openRedactor(db)
  while (rescan(db, redact) > 0);
  expect(db.get('SELECT * FROM items')).toEqual(before)
  expect(readFileSync(`${db.path}.v11.bak`, 'utf8')).toBe('a copy')
})
