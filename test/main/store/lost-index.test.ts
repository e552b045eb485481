import { expect, test } from 'vitest'
import { hydrationSql, migrate, openWrite } from '../../../src/main/store'
import { temporaryFolder } from '../../support'
import { insertItem } from '../models/journal-rows'

const schema = `SELECT name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%' ORDER BY name`

test.each(['vectors', 'vector_codes', 'embed_queue', 'goals_linked'])(
  'a lost table %s is made anew when Fovea starts, and every item waits for its vector',
  (table) => {
    const db = openWrite(`${temporaryFolder()}/fovea.db`)
    migrate(db)
    const whole = db.all(schema)
    for (const text of ['one', 'two', 'three']) insertItem(db, { kind: 'goal', text })
    db.run('DELETE FROM embed_queue')
    db.run('PRAGMA foreign_keys = OFF')
    db.run(`DROP TABLE ${table}`)
    db.run('PRAGMA foreign_keys = ON')
    migrate(db)
    expect(db.all(schema)).toEqual(whole)
    expect(hydrationSql.recallState(db)).toMatchObject({ items: 3, vectors: 0, pending: 3 })
    expect(db.get('PRAGMA foreign_keys')).toEqual({ foreign_keys: 1 })
    expect(db.all('PRAGMA foreign_key_check')).toEqual([])
    db.close()
  },
)

test('a table that is gone while Fovea works is said by name', () => {
  const db = openWrite(`${temporaryFolder()}/fovea.db`)
  migrate(db)
  db.run('DROP TABLE embed_queue')
  expect(() => hydrationSql.recallState(db)).toThrow(/has lost its table embed_queue/)
  db.close()
})
