import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { curatorSql, migrate, migrations, openWrite, rollupSql, type WriteDb } from '../../../src/main/store'
import { temporaryFolder } from '../../support'
import { insertItem } from '../models/journal-rows'

function arc(db: WriteDb, id: string, project: string | null, items: number): void {
  curatorSql.putArc(db, {
    id: `arc_${id}`,
    sessionId: 'generic:s1',
    project,
    goalHandle: null,
    startedAt: 1,
    endedAt: 2,
    items,
    byKind: {},
    provenance: [],
    labels: [],
  })
}

test('a database from before gets its totals, and each arc that comes, grows, moves or goes is counted', () => {
  const db = openWrite(join(temporaryFolder(), 'fovea.db'))
  onTestFinished(() => db.close())
  migrate(
    db,
    migrations.filter(({ version }) => version < 21),
  )
  insertItem(db)
  arc(db, 'a', 'shop', 3)
  arc(db, 'b', 'shop', 4)
  arc(db, 'c', null, 5)
  migrate(db)
  const of = (project: string): unknown => rollupSql.spanOfRollup(db, { kind: 'project', project })
  expect([of('shop'), of(''), of('mail')]).toEqual([
    { arcs: 2, items: 7 },
    { arcs: 1, items: 5 },
    { arcs: 0, items: 0 },
  ])
  arc(db, 'd', 'mail', 1)
  arc(db, 'a', 'shop', 9)
  arc(db, 'c', 'mail', 6)
  expect([of('shop'), of(''), of('mail')]).toEqual([
    { arcs: 2, items: 13 },
    { arcs: 0, items: 0 },
    { arcs: 2, items: 7 },
  ])
  db.run("DELETE FROM arcs WHERE project = 'mail'")
  db.run("UPDATE arcs SET project = 'store' WHERE project = 'shop'")
  // A project's name goes with its last arc.
  expect(db.all('SELECT * FROM project_totals')).toEqual([{ project: 'store', arcs: 2, items: 13 }])
})
