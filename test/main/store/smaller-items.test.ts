import { statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { dumpLines } from '../../../src/main/journal'
import {
  journalSql,
  migrate,
  migrations,
  openWrite,
  packText,
  schemaVersion,
  unpackText,
  type WriteDb,
} from '../../../src/main/store'
import { temporaryFolder } from '../../support'

const SAID = 'The export retries three times and then gives up; see `src/export/queue.ts` line '
const texts = [
  'short',
  SAID.repeat(3),
  SAID.repeat(11),
  SAID.repeat(40),
  Array.from({ length: 200 }, (_, n) => String.fromCharCode(0x4e00 + ((n * 7919) % 20_000))).join(''),
]

/** A database as the version before wrote it: every item names its path and stands in item_sessions. */
function before(items: number): WriteDb {
  const db = openWrite(join(temporaryFolder(), 'fovea.db'))
  onTestFinished(() => db.close())
  migrate(
    db,
    migrations.filter(({ version }) => version < 22),
  )
  db.run("INSERT INTO sources (id, path, kind, enrolled_at) VALUES ('src_a', '/t', 'folder', 1)")
  for (const id of ['a', 'b'])
    db.run('INSERT INTO sessions (id, native_id, agent, started_at, ended_at) VALUES (?, ?, ?, 1, 2)', [
      `claude-code:${id}`,
      id,
      'claude-code',
    ])
  for (const id of [1, 2])
    db.run("INSERT INTO files (id, source_id, path, format) VALUES (?, 'src_a', ?, 'claude-code')", [
      id,
      `/t/project/${id}.jsonl`,
    ])
  for (let n = 1; n <= items; n++) {
    const text = `${n}: ${texts[n % texts.length]}`
    const file = (n % 2) + 1
    // From 1024 characters on texts were packed before, too.
    const stored = text.length < 1_024 ? { text, text_z: null } : packText(text)
    db.run(
      `INSERT INTO items (id, handle, kind, session_id, position, ts, role, text, text_z, chars, file_id, file_path,
         record_id, line, byte_offset, byte_length, record_hash)
       VALUES (?, ?, 'note', 'claude-code:a', ?, ?, 'user', ?, ?, ?, ?, ?, ?, ?, ?, 90, ?)`,
      [
        n,
        `itm_${String(n).padStart(26, '0')}`,
        n,
        n,
        stored.text,
        stored.text_z,
        text.length,
        // One whose file was forgotten.
        n === 3 ? null : file,
        n === 3 ? '/t/project/forgotten.jsonl' : `/t/project/${file}.jsonl`,
        `record-${n}`,
        n,
        n * 100,
        `hash-${n}`,
      ],
    )
    db.run("INSERT INTO item_sessions VALUES (?, 'claude-code:a')", [n])
    if (n % 3 === 0) db.run("INSERT INTO item_sessions VALUES (?, 'claude-code:b')", [n])
    db.run(
      `INSERT INTO rungs (subject, level, text, method, version, tokens, created_at)
       VALUES (?, 'L1', 'said', 'rules', 1, 1, 1)`,
      [`itm_${String(n).padStart(26, '0')}`],
    )
  }
  return db
}

test('a database from before says the same in less room, and keeps what was made from it', () => {
  const db = before(1_300)
  const told = [...dumpLines(db)]
  const size = statSync(db.path).size + statSync(`${db.path}-wal`).size
  migrate(db)
  expect(schemaVersion(db)).toBeGreaterThanOrEqual(22)
  expect([...dumpLines(db)]).toEqual(told)
  expect(db.get('SELECT count(*) AS n FROM rungs')).toEqual({ n: 1_300 })
  expect(db.get('SELECT count(*) AS n FROM curate_queue')).toEqual({ n: 0 })
  expect(db.get('SELECT count(*) AS n FROM retention_now')).toEqual({ n: 0 })
  expect(db.all('SELECT DISTINCT session_id FROM item_sessions')).toEqual([{ session_id: 'claude-code:b' }])
  expect(db.all("SELECT id FROM items WHERE file_path <> ''")).toEqual([{ id: 3 }])
  const rows = db.all<{ text: string | null; text_z: Uint8Array | null; chars: number }>(
    'SELECT text, text_z, chars FROM items',
  )
  for (const row of rows) expect(unpackText(row).length).toBe(row.chars)
  expect(rows.filter((row) => row.text_z !== null && row.chars < 1_024).length).toBeGreaterThan(400)
  db.run('PRAGMA wal_checkpoint(TRUNCATE)')
  expect(statSync(db.path).size).toBeLessThan(size)
})

test('an item keeps its path when its file is forgotten, and its old session when it goes to another', () => {
  const db = before(12)
  migrate(db)
  const path = (id: number) => {
    const handle = `itm_${String(id).padStart(26, '0')}`
    return journalSql.itemPlaces(db, [handle]).get(handle)?.file_path
  }
  expect(path(1)).toBe('/t/project/2.jsonl')
  // With its source, so that the file's row goes by a foreign key.
  db.run("DELETE FROM sources WHERE id = 'src_a'")
  expect(db.get('SELECT count(*) AS n FROM files')).toEqual({ n: 0 })
  expect([1, 2, 3].map(path)).toEqual([
    '/t/project/2.jsonl',
    '/t/project/1.jsonl',
    '/t/project/forgotten.jsonl',
  ])
  for (const id of [1, 3]) {
    journalSql.passOn(db, id, 'claude-code:a', 'claude-code:b')
    db.run('INSERT OR IGNORE INTO names (name) VALUES (?)', ['claude-code:b'])
    db.run("UPDATE item_rows SET session = (SELECT n FROM names WHERE name = 'claude-code:b') WHERE id = ?", [
      id,
    ])
  }
  const held = (id: number) => ['a', 'b'].map((name) => journalSql.isHeld(db, id, `claude-code:${name}`))
  expect([1, 2, 3].map(held)).toEqual([
    [true, true],
    [true, false],
    [true, true],
  ])
  expect(db.all('SELECT * FROM item_sessions WHERE item_id IN (1, 3) ORDER BY item_id')).toEqual([
    { item_id: 1, session_id: 'claude-code:a' },
    { item_id: 3, session_id: 'claude-code:a' },
  ])
})

test('texts of every length and script come back as they were', () => {
  for (const whole of texts)
    for (const length of [0, 1, 159, 160, 161, 511, 512, 513, 4_097, 40_000]) {
      const text = whole.repeat(Math.ceil(length / whole.length)).slice(0, length)
      const packed = packText(text)
      expect(packed.text === null).toBe(packed.text_z !== null)
      expect(unpackText(packed)).toBe(text)
    }
})
