import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { dumpLines } from '../../../src/main/journal'
import {
  curatorSql,
  erasureSql,
  journalSql,
  migrate,
  migrations,
  openWrite,
  rescanSql,
  schemaVersion,
  type WriteDb,
} from '../../../src/main/store'
import { temporaryFolder } from '../../support'

const handle = (n: number): string => `itm_${String(n).padStart(26, '0')}`
const arc = (n: number): string => `arc_${String(n).padStart(26, '0')}`
const UUID = '0b1c2d3e-4f50-4aaa-8bbb-0123456789ab'
const HASH = '00112233445566778899aabbccddeeff'
/** Ids of records as formats write them; only the first is kept in bytes. */
const RECORDS = [UUID, UUID.toUpperCase(), 'msg_01', '', null, '0b1c2d3e4f504aaa8bbb0123456789ab', '----']
const HASHES = [HASH, '', HASH.toUpperCase(), 'hash']

/** A database as the version before wrote it; every third item stands in no arc, and one goal is not in the journal. */
function before(items: number): WriteDb {
  const db = openWrite(join(temporaryFolder(), 'fovea.db'))
  onTestFinished(() => db.close())
  migrate(
    db,
    migrations.filter(({ version }) => version < 30),
  )
  db.run("INSERT INTO sources (id, path, kind, enrolled_at) VALUES ('src_a', '/t', 'folder', 1)")
  db.run("INSERT INTO files (id, source_id, path, format) VALUES (7, 'src_a', '/t/a.jsonl', 'claude-code')")
  for (const id of ['a', 'b'])
    db.run('INSERT INTO sessions (id, native_id, agent, started_at, ended_at) VALUES (?, ?, ?, 1, 2)', [
      `claude-code:${id}`,
      id,
      'claude-code',
    ])
  for (let n = 1; n <= items; n++) {
    db.run(
      `INSERT INTO items (id, handle, kind, session_id, position, ts, text, chars, goal_handle, arc_id, file_id, file_path,
         record_id, line, byte_offset, byte_length, record_hash, data, importance, labels, known, stale)
       VALUES (?, ?, ?, ?, ?, ?, ?, 4, ?, ?, ?, ?, ?, ?, ?, 90, ?, ?, 0.7, '["team"]', 2, ?)`,
      [
        n * 10,
        handle(n),
        n % 4 === 0 ? 'goal' : 'note',
        n % 2 === 0 ? 'claude-code:a' : 'claude-code:b',
        n,
        n,
        'said',
        n % 5 === 0 ? null : n % 5 === 1 ? handle(9_999) : handle(4),
        n % 3 === 0 ? null : arc(n % 2),
        n === 3 ? null : 7,
        n === 3 ? '/t/forgotten.jsonl' : '',
        RECORDS[n % RECORDS.length] ?? null,
        n,
        n * 100,
        HASHES[n % HASHES.length] ?? '',
        `{"n":${n}}`,
        n % 2,
      ],
    )
    db.run('INSERT INTO embed_queue (item_id) VALUES (?)', [n * 10])
    db.run(
      'INSERT INTO rungs (subject, level, text, method, version, tokens, created_at) VALUES (?, ?, ?, ?, 1, 1, 1)',
      [handle(n), 'L1', 'said', 'rules'],
    )
  }
  db.run('INSERT INTO item_aliases VALUES (?, ?)', [handle(8_888), handle(2)])
  for (const table of ['arcs_stale', 'curate_queue', 'recall_changes']) db.run(`DELETE FROM ${table}`)
  return db
}

const COLUMNS = `id, handle, kind, session_id, goal_handle, arc_id, position, ts, text, chars, data, importance, indexed,
  file_id, file_path, record_id, line, byte_offset, byte_length, record_hash, labels, known, stale, masked, rewound,
  project_given`
const rows = (db: WriteDb): unknown[] => db.all(`SELECT ${COLUMNS} FROM items ORDER BY id`)
const count = (db: WriteDb, table: string): number =>
  db.get<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)?.n ?? -1

test('a database from before reads as it did, row for row', () => {
  const db = before(60)
  const was = { rows: rows(db), dump: [...dumpLines(db)] }
  migrate(db)
  expect(schemaVersion(db)).toBeGreaterThanOrEqual(30)
  expect({ rows: rows(db), dump: [...dumpLines(db)] }).toEqual(was)
  expect(count(db, 'rungs')).toBe(60)
  expect(count(db, 'embed_queue')).toBe(60)
  expect(count(db, 'curate_queue') + count(db, 'arcs_stale') + count(db, 'recall_changes')).toBe(0)
  expect(db.all('PRAGMA foreign_key_check')).toEqual([])
  expect(db.all('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }])
  expect(db.get('PRAGMA foreign_keys')).toEqual({ foreign_keys: 1 })
})

test('what hung on an item still goes with it, and what watched it still does', () => {
  const db = before(12)
  migrate(db)
  journalSql.deleteItem(db, 20)
  for (const [table, left] of [
    ['item_aliases', 0],
    ['embed_queue', 11],
    ['rungs', 11],
  ] as const)
    expect(count(db, table)).toBe(left)
  expect(db.all('SELECT session_id FROM arcs_stale')).toEqual([{ session_id: 'claude-code:a' }])
  db.run("UPDATE item_rows SET text = 'other' WHERE id = 10")
  expect(db.all('SELECT subject FROM curate_queue ORDER BY 1')).toEqual([
    { subject: arc(1) },
    { subject: handle(1) },
  ])
  db.run("DELETE FROM sources WHERE id = 'src_a'")
  expect(journalSql.itemPlaces(db, [handle(1)]).get(handle(1))).toMatchObject({
    file_id: null,
    file_path: '/t/a.jsonl',
  })
  expect(() => db.run('INSERT INTO embed_queue (item_id) VALUES (20)')).toThrow()
  db.run("DELETE FROM sessions WHERE id = 'claude-code:b'")
  expect(db.all('SELECT DISTINCT session_id FROM items')).toEqual([{ session_id: 'claude-code:a' }])
})

test('a migration that fails on the way leaves the database as it was, with its keys watched', () => {
  const db = before(12)
  const was = [...dumpLines(db)]
  const steps = migrations.map((step) =>
    step.version === 30
      ? {
          ...step,
          up: (on: WriteDb) => {
            step.up(on)
            throw new Error('cut off')
          },
        }
      : step,
  )
  expect(() => migrate(db, steps)).toThrow('cut off')
  expect(schemaVersion(db)).toBeLessThan(30)
  expect([...dumpLines(db)]).toEqual(was)
  expect(db.get('PRAGMA foreign_keys')).toEqual({ foreign_keys: 1 })
  migrate(db)
  expect([...dumpLines(db)]).toEqual(was)
})

test('an item is told as it was written, whatever its record is called', () => {
  const db = before(2)
  migrate(db)
  const written = RECORDS.flatMap((record) =>
    HASHES.map((hash) => ({ record_id: record, record_hash: hash })),
  )
  written.forEach((row, n) => {
    journalSql.insertItem(db, {
      handle: handle(100 + n),
      kind: 'note',
      session_id: 'claude-code:a',
      position: n,
      ts: n,
      role: 'user',
      tool: null,
      project: null,
      goal_handle: n % 2 === 0 ? null : handle(0),
      text: 'x',
      text_z: null,
      chars: 1,
      data: '{}',
      importance: 0.5,
      file_id: 7,
      line: 1,
      byte_offset: 0,
      byte_length: 1,
      known: 3,
      masked: 0,
      ...row,
    })
  })
  expect(db.all("SELECT record_id, record_hash FROM items WHERE role = 'user' ORDER BY position")).toEqual(
    written,
  )
  expect(db.get('SELECT count(*) AS n FROM items WHERE goal_handle = ?', [handle(0)])).toEqual({ n: 14 })
})

test('a session that goes by another id takes its items along, and a name nobody uses is not kept', () => {
  const db = before(12)
  migrate(db)
  rescanSql.renameSession(db, 'claude-code:a', 'claude-code:masked')
  expect(count(db, "items WHERE session_id = 'claude-code:masked'")).toBe(6)
  curatorSql.setArc(db, [10], arc(5))
  curatorSql.setArc(db, [10], arc(1))
  erasureSql.dropUnusedNames(db)
  const names = db.all<{ name: string }>('SELECT name FROM names ORDER BY name').map(({ name }) => name)
  expect(names).toEqual(
    [arc(0), arc(1), 'claude-code:b', 'claude-code:masked', handle(4), handle(9_999)].sort(),
  )
})
