import { describe, expect, test } from 'vitest'
import { curate, mayReplace, updateArcs } from '../../../src/main/curator'
import { curatorSql } from '../../../src/main/store'
import { temporaryDb } from '../../support'
import { handleOf, insertItem } from '../models/journal-rows'

const conclusion =
  'Let me sum up. The login failed because the cookie was written before the session was saved. We looked at more.'

describe('the curator', () => {
  test('makes the rungs of what waits, with sources and labels, and then has nothing left', () => {
    const db = temporaryDb()
    const goal = handleOf('g')
    db.transaction(() => {
      insertItem(db, { name: 'g', kind: 'goal', goal, text: 'Fix the login', position: 1, labels: ['team'] })
      insertItem(db, {
        kind: 'file_op',
        goal,
        text: 'src/a.ts long enough text here',
        data: { path: 'src/a.ts', op: 'edit' },
        position: 2,
      })
      insertItem(db, { kind: 'conclusion', goal, text: conclusion, position: 3, labels: ['private'] })
      updateArcs(db, ['generic:s1'])
    })
    expect(curate(db, { now: 5, limit: 3 })).toBe(3)
    expect(curate(db, { now: 5 })).toBe(1)
    expect(curate(db, { now: 5 })).toBe(0)
    const arc = db.get<{ id: string }>('SELECT id FROM arcs')?.id ?? ''
    const rungs = curatorSql.rungs(db, [arc, handleOf('generic:s1/3'), 'itm_none'])
    expect([...rungs.keys()].sort()).toEqual([arc, handleOf('generic:s1/3')].sort())
    expect(rungs.get(arc)?.L1?.text).toMatch(/^The login failed because/)
    expect(rungs.get(arc)?.L3?.text).toBe('3 items: src/a.ts')
    expect(
      db.get('SELECT provenance, labels, created_at FROM rungs WHERE subject = ? AND level = ?', [arc, 'L1']),
    ).toEqual({
      provenance: JSON.stringify([handleOf('generic:s1/3')]),
      labels: '["private","team"]',
      created_at: 5,
    })
  })

  test('an arc without words is told by its work, and is told anew when it grows', () => {
    const db = temporaryDb()
    const goal = handleOf('g')
    const edit = (path: string, position: number): void => {
      insertItem(db, { kind: 'file_op', goal, text: path, data: { path, op: 'edit' }, position })
      updateArcs(db, ['generic:s1'])
    }
    const told = (): string | undefined => {
      while (curate(db, { now: 1 }) > 0);
      return db.get<{ text: string }>("SELECT text FROM rungs WHERE subject LIKE 'arc_%' AND level = 'L1'")
        ?.text
    }
    edit('src/a.ts', 1)
    expect(told()).toBe('Edited 1 file (src/a.ts).')
    edit('src/b.ts', 2)
    expect(told()).toBe('Edited 2 files (src/a.ts, src/b.ts).')
  })

  test('never puts a worse method in place of a better one', () => {
    expect(mayReplace('extractive', 'model')).toBe(false)
    expect(mayReplace('model', 'extractive')).toBe(true)
    expect(mayReplace('model', 'model')).toBe(true)
    const db = temporaryDb()
    const { handle } = insertItem(db, {
      text: 'A sentence about the cache that we moved to another place last week.',
    })
    const row = {
      subject: handle,
      level: 'L1' as const,
      text: 'By a model.',
      method: 'model',
      model: 'x',
      version: 1,
      tokens: 3,
      createdAt: 1,
      provenance: [handle],
      labels: [],
    }
    curatorSql.putRung(db, row)
    curate(db, { now: 2 })
    expect(curatorSql.rungs(db, [handle]).get(handle)).toMatchObject({
      L1: { text: 'By a model.' },
      L3: { method: 'rules' },
    })
  })

  test('a damaged text costs its own rungs and nothing else', () => {
    const db = temporaryDb()
    const bad = insertItem(db, { text: 'x' })
    const good = insertItem(db, { text: 'We moved the cache.' })
    db.run('UPDATE item_rows SET text = NULL, text_z = ? WHERE id = ?', [Buffer.from('not deflate'), bad.id])
    while (curate(db, { now: 1 }) > 0);
    expect([...curatorSql.rungs(db, [bad.handle, good.handle]).keys()]).toEqual([good.handle])
  })

  test('forgetting an item takes its rungs along and tells its arc anew', () => {
    const db = temporaryDb()
    const goal = handleOf('g')
    insertItem(db, { kind: 'conclusion', goal, text: 'We fixed the leak.', position: 1 })
    const secret = insertItem(db, {
      kind: 'conclusion',
      goal,
      text: 'We moved the SECRET to the vault.',
      position: 2,
    })
    updateArcs(db, ['generic:s1'])
    while (curate(db, { now: 1 }) > 0);
    expect(JSON.stringify(db.all('SELECT * FROM rungs'))).toContain('SECRET')
    db.run('DELETE FROM item_rows WHERE id = ?', [secret.id])
    updateArcs(db, [])
    expect(JSON.stringify(db.all('SELECT * FROM rungs'))).not.toContain('SECRET')
    while (curate(db, { now: 1 }) > 0);
    expect(db.get("SELECT text FROM rungs WHERE subject LIKE 'arc_%' AND level = 'L1'")).toEqual({
      text: 'We fixed the leak.',
    })
  })

  test('an item that says something else loses its old rungs at once, and its arc does too', () => {
    const db = temporaryDb()
    const { id } = insertItem(db, {
      kind: 'conclusion',
      goal: handleOf('g'),
      text: 'We set the key to hunter2.',
    })
    updateArcs(db, ['generic:s1'])
    while (curate(db, { now: 1 }) > 0);
    expect(db.all("SELECT 1 FROM rungs WHERE text LIKE '%hunter2%'")).toHaveLength(2)
    db.run("UPDATE item_rows SET text = 'We set the key to [secret].' WHERE id = ?", [id])
    expect(db.all("SELECT 1 FROM rungs WHERE text LIKE '%hunter2%'")).toEqual([])
    while (curate(db, { now: 1 }) > 0);
    expect(db.all("SELECT 1 FROM rungs WHERE text LIKE '%[secret]%' AND level = 'L1'")).toHaveLength(2)
  })

  test("a rung that today's rules would not make goes when its item is told anew; a model's stays", () => {
    const db = temporaryDb()
    const note = { kind: 'note' as const, text: 'Now let me run the tests again.' }
    const rules = insertItem(db, { ...note, position: 1 }).handle
    const model = insertItem(db, { ...note, position: 2 }).handle
    for (const [subject, method] of [
      [rules, 'verbatim'],
      [model, 'model'],
    ] as const)
      curatorSql.putRung(db, {
        subject,
        level: 'L1',
        text: note.text,
        method,
        model: null,
        version: 1,
        tokens: 8,
        createdAt: 1,
        provenance: [subject],
        labels: [],
      })
    while (curate(db, { now: 2 }) > 0);
    const rungs = curatorSql.rungs(db, [rules, model])
    expect(Object.keys(rungs.get(rules) ?? {})).toEqual(['L3'])
    expect(Object.keys(rungs.get(model) ?? {}).sort()).toEqual(['L1', 'L3'])
  })
})
