import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { wrap } from '../../../src/main/journal'
import { migrate, migrations, openWrite, receiptSql } from '../../../src/main/store'
import { temporaryFolder } from '../../support'

test('a database of before remembers from now on which texts were wrapped, when their receipts go', () => {
  const db = openWrite(join(temporaryFolder(), 'fovea.db'))
  onTestFinished(() => db.close())
  migrate(
    db,
    migrations.filter(({ version }) => version < 26),
  )
  const text = 'the exports are named after the day'
  const add = (id: string, frame: string): void => {
    db.run(
      `INSERT INTO receipts (id, kind, goal, plane, path, budget, spent, fact_count, viewer, created_at, body, frame)
       VALUES (?, 'hydrate', 'g', 'p', 'x', 1, 1, 0, 'me', 1, '{}', ?)`,
      [id, frame],
    )
  }
  add('rcp_deleted', wrap({ source: 'fovea', receipt: 'rcp_deleted' }, text))
  add('rcp_emptied', wrap({ source: 'fovea', receipt: 'rcp_emptied' }, text))
  add('rcp_bare', 'no envelope')
  migrate(db)
  const known = (id: string, chars = text.length): boolean => receiptSql.wasWrapped(db, id, chars)
  db.run("DELETE FROM receipts WHERE id IN ('rcp_deleted', 'rcp_bare')")
  db.run("UPDATE receipts SET frame = '' WHERE id = 'rcp_emptied'")
  expect(['rcp_deleted', 'rcp_emptied', 'rcp_bare'].map((id) => known(id))).toEqual([true, true, false])
  expect(known('rcp_deleted', text.length + 1)).toBe(false)
  expect(known('rcp_other')).toBe(false)
  expect(db.all('SELECT * FROM wrapped_receipts ORDER BY 1')).toEqual([
    { receipt: 'rcp_deleted', chars: text.length },
    { receipt: 'rcp_emptied', chars: text.length },
  ])
})
