import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { hydrationSql, migrate, migrations, openWrite } from '../../../src/main/store'
import { temporaryFolder } from '../../support'
import { insertItem } from '../models/journal-rows'

test('names of a memory from before lead to who names them, with their weights, and by the index alone', () => {
  const db = openWrite(join(temporaryFolder(), 'fovea.db'))
  onTestFinished(() => db.close())
  migrate(
    db,
    migrations.filter((step) => step.version < 33),
  )
  const [first = 0, second = 0, third = 0] = Array.from({ length: 3 }, (_, n) => insertItem(db, { ts: n }).id)
  const name = (id: number): void =>
    void db.run("INSERT INTO entities (id, kind, name) VALUES (?, 'symbol', ?)", [id, `name-${id}`])
  const put = (item: number, entity: number, weight: number): void =>
    void db.run('INSERT INTO item_entities (item_id, entity_id, weight) VALUES (?, ?, ?)', [
      item,
      entity,
      weight,
    ])
  name(7)
  name(4)
  put(third, 7, 0.25)
  put(first, 7, 1)
  put(second, 4, 0.5)

  expect(migrate(db).to).toBeGreaterThanOrEqual(33)
  put(second, 7, 0.125)
  expect(hydrationSql.namersOf(db, [4, 7], {})).toEqual([
    { item: second, entity: 4, weight: 0.5 },
    { item: first, entity: 7, weight: 1 },
    { item: second, entity: 7, weight: 0.125 },
    { item: third, entity: 7, weight: 0.25 },
  ])
  expect(hydrationSql.namersOf(db, [4, 7], { asOf: 0 })).toEqual([{ item: first, entity: 7, weight: 1 }])
  const plan = db.all<{ detail: string }>(
    'EXPLAIN QUERY PLAN SELECT item_id, weight FROM item_entities WHERE entity_id = 7',
  )
  expect(plan.map((step) => step.detail).join()).toContain('COVERING INDEX item_entities_entity')
})
