import { join } from 'node:path'
import { expect, test } from 'vitest'
import { migrate, openWrite } from '../../../src/main/store'
import { migrations } from '../../../src/main/store/migrations'
import { temporaryFolder } from '../../support'
import { insertItem } from '../models/journal-rows'

test('a database from before: goals in cells are followed by their steps, and each project is balanced anew', () => {
  const db = openWrite(join(temporaryFolder(), 'fovea.db'))
  migrate(
    db,
    migrations.filter(({ version }) => version < 18),
  )
  const goal = insertItem(db, {
    text: 'Make the retry queue keep events',
    kind: 'goal',
    project: 'shop',
    session: 'generic:a',
    position: 0,
  })
  const note = insertItem(db, {
    text: 'It keeps them',
    kind: 'note',
    project: 'shop',
    session: 'generic:a',
    position: 1,
  })
  db.run("INSERT INTO cells (id, project, name, named) VALUES ('cel_a', 'shop', 'Lost events', 1)")
  for (const { id } of [goal, note]) db.run("INSERT INTO cell_items VALUES (?, 'cel_a', 1)", [id])
  expect(migrate(db)).toMatchObject({ to: migrations.at(-1)?.version })
  expect(db.all('SELECT goal_id FROM cell_steps_queue')).toEqual([{ goal_id: goal.id }])
  expect(db.all('SELECT * FROM cell_balance')).toEqual([{ project: 'shop', joined: 1 }])
  expect(db.get("SELECT name, named FROM cells WHERE id = 'cel_a'")).toEqual({
    name: 'Lost events',
    named: 1,
  })
  db.run('DELETE FROM item_rows WHERE id = ?', [goal.id])
  expect(db.all('SELECT goal_id FROM cell_steps_queue')).toEqual([])
  db.close()
})
