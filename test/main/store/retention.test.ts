import { join } from 'node:path'
import { expect, test } from 'vitest'
import { migrate, openWrite, retentionSql } from '../../../src/main/store'
import { migrations } from '../../../src/main/store/migrations'
import { temporaryFolder } from '../../support'
import { insertItem } from '../models/journal-rows'

test('a database from before keeps its items; a changed text still takes its rungs and facts with it', () => {
  const db = openWrite(join(temporaryFolder(), 'fovea.db'))
  migrate(
    db,
    migrations.filter(({ version }) => version < 19),
  )
  const { id, handle } = insertItem(db, { text: 'The queue keeps its events', project: 'shop' })
  const told = (): void => {
    db.run(
      "INSERT OR REPLACE INTO rungs (subject, level, text, method, version, tokens, created_at) VALUES (?, 'L1', 'It keeps', 'test', 1, 2, 0)",
      [handle],
    )
    db.run(
      "INSERT OR REPLACE INTO facts (item_id, subject, predicate, object, handle, method) VALUES (?, 'a', 'decided', 'b', ?, 'test')",
      [id, handle],
    )
  }
  const left = (): unknown =>
    db.get(
      'SELECT (SELECT count(*) FROM rungs WHERE subject = ?) AS rungs, (SELECT count(*) FROM facts WHERE item_id = ?) AS facts',
      [handle, id],
    )
  told()
  migrate(db)
  expect(left()).toEqual({ rungs: 1, facts: 1 })
  expect(retentionSql.retentionRules(db)).toEqual([])
  db.run("UPDATE item_rows SET text = 'Another' WHERE id = ?", [id])
  expect(left()).toEqual({ rungs: 0, facts: 0 })
  told()
  db.transaction(() => retentionSql.letGo(db, id, ['L0'], 7))
  expect(left()).toEqual({ rungs: 1, facts: 1 })
  expect(db.get('SELECT text FROM items WHERE id = ?', [id])).toEqual({ text: 'It keeps' })
  db.run('DELETE FROM item_rows WHERE id = ?', [id])
  expect(db.all('SELECT * FROM let_go')).toEqual([])
  db.close()
})
