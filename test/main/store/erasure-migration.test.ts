import { join } from 'node:path'
import { expect, test } from 'vitest'
import { erasureSql, migrate, migrations, openWrite, schemaVersion } from '../../../src/main/store'
import { temporaryFolder } from '../../support'

test('a journal from before erasures keeps its rows, and what is in it can be erased', () => {
  const db = openWrite(join(temporaryFolder(), 'fovea.db'))
  migrate(
    db,
    migrations.filter(({ version }) => version < 14),
  )
  db.run(`INSERT INTO sources (id, path, kind, enrolled_at) VALUES ('src_a', '/t', 'folder', 1)`)
  db.run(`INSERT INTO files (id, source_id, path) VALUES (1, 'src_a', '/t/a.jsonl')`)
  db.run(`INSERT INTO sessions (id, native_id, agent, started_at, ended_at) VALUES ('s', 's', 'codex', 1, 2)`)
  db.run(
    `INSERT INTO items (handle, kind, session_id, position, ts, text, chars, file_id, file_path, line, byte_offset,
       byte_length, record_hash) VALUES ('itm_a', 'note', 's', 1, 1, 'kept', 4, 1, '/t/a.jsonl', 1, 0, 1, 'h')`,
  )
  migrate(db)
  expect(schemaVersion(db)).toBe(migrations.at(-1)?.version)
  expect(db.all('SELECT handle, text FROM items')).toEqual([{ handle: 'itm_a', text: 'kept' }])

  expect(erasureSql.openErasures(db)).toEqual([])
  erasureSql.addErasure(db, { id: 'era_1', subject: 'src_a', asked_at: 5 })
  expect(erasureSql.listErasing(db, 'era_1', 'src_a')).toBe(1)
  expect(erasureSql.nextErasing(db, 'era_1', 10)).toMatchObject([{ handle: 'itm_a', text: 'kept' }])
  expect(() => db.run(`UPDATE erasures SET stage = 'half' WHERE id = 'era_1'`)).toThrow(/CHECK/)
  db.close()
})
