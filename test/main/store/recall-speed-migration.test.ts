import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { hydrationSql, journalSql, migrate, migrations, openWrite, vectorSql } from '../../../src/main/store'
import { temporaryFolder } from '../../support'
import { insertItem, seededVector } from '../models/journal-rows'

test('a memory from before the counts gets them as it stands, and keeps them from then on', () => {
  const db = openWrite(join(temporaryFolder(), 'fovea.db'))
  onTestFinished(() => db.close())
  migrate(
    db,
    migrations.filter((step) => step.version < 15),
  )
  const ids = Array.from({ length: 5 }, (_, n) => {
    const { id } = insertItem(db, { ts: n })
    const vector = seededVector(n + 1)
    if (n < 3)
      vectorSql.putVector(db, { itemId: id, unit: 'item', model: 'test', vector, provenance: [], labels: [] })
    return id
  })
  db.run('INSERT OR IGNORE INTO embed_queue (item_id) VALUES (?)', [ids[4] ?? 0])
  const waiting = db.get<{ n: number }>('SELECT count(*) AS n FROM embed_queue')?.n

  expect(migrate(db).to).toBeGreaterThanOrEqual(15)
  expect(hydrationSql.recallState(db)).toEqual({ items: 5, vectors: 3, pending: waiting, newest: 4 })

  db.run('DELETE FROM item_rows WHERE id = ?', [ids[0] ?? 0])
  expect(hydrationSql.recallState(db)).toMatchObject({ items: 4, vectors: 2 })
  expect(db.all('SELECT item_id FROM recall_changes WHERE item_id IS NOT NULL')).toEqual([
    { item_id: ids[0] },
  ])
  expect(db.all('SELECT 1 FROM recall_changes WHERE vector_id IS NOT NULL')).toHaveLength(1)

  // The id at the end is given again; what is above the counted ones is counted when asked.
  db.run('DELETE FROM item_rows WHERE id = ?', [ids[4] ?? 0])
  expect(insertItem(db, { ts: 9, name: 'nine', position: 90 }).id).toBe(ids[4])
  insertItem(db, { ts: 10, name: 'ten', position: 100 })
  expect(hydrationSql.recallState(db).items).toBe(5)
  journalSql.tallyItems(db)
  expect(db.get(`SELECT n FROM tallies WHERE name = 'items'`)).toEqual({ n: 5 })
  db.run('DELETE FROM item_rows')
  insertItem(db, { ts: 11 })
  expect(hydrationSql.recallState(db).items).toBe(1)
})
