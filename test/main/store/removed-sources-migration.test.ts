import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import {
  migrate,
  migrations,
  openWrite,
  removedSql,
  schemaVersion,
  sourcesSql,
} from '../../../src/main/store'
import { temporaryFolder } from '../../support'

test('a database of before: its sources are where they are, and none was removed as far as it knows', () => {
  const db = openWrite(join(temporaryFolder(), 'fovea.db'))
  onTestFinished(() => db.close())
  migrate(
    db,
    migrations.filter(({ version }) => version < 34),
  )
  db.run("INSERT INTO sources (id, path, kind, enrolled_at) VALUES ('src_a', '/t', 'folder', 1)")
  migrate(db)
  expect(schemaVersion(db)).toBeGreaterThanOrEqual(34)
  expect(sourcesSql.sourceById(db, 'src_a')).toMatchObject({ path: '/t', away_since: null })
  expect(removedSql.removedSources(db)).toEqual([])
  sourcesSql.setSourceScan(db, 'src_a', 5, { away: true })
  sourcesSql.setSourceScan(db, 'src_a', 9, { away: true })
  expect(sourcesSql.sourceById(db, 'src_a')).toMatchObject({ last_scan_at: 9, away_since: 5 })
  sourcesSql.setSourceScan(db, 'src_a', 12)
  expect(sourcesSql.sourceById(db, 'src_a')).toMatchObject({ last_scan_at: 12, away_since: null })
})
