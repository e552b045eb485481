import { describe, expect, test } from 'vitest'
import { curate, recurateWhenChanged, updateArcs } from '../../../src/main/curator'
import { factSql, type WriteDb } from '../../../src/main/store'
import { temporaryDb } from '../../support'
import { insertItem, type TestItem } from '../models/journal-rows'

const cwd = '/home/ada/shop'

function journal(items: TestItem[]): WriteDb {
  const db = temporaryDb()
  db.transaction(() => {
    for (const item of items) insertItem(db, { project: 'shop', ...item })
    db.run('UPDATE sessions SET cwd = ?', [cwd])
    updateArcs(db, ['generic:s1'])
  })
  curateAll(db)
  return db
}

const curateAll = (db: WriteDb): void => {
  while (curate(db, { now: 1 }) > 0);
}
const said = (db: WriteDb): string[] =>
  db
    .all<{ s: string; p: string; o: string }>(
      'SELECT subject AS s, predicate AS p, object AS o FROM facts ORDER BY id',
    )
    .map(({ s, p, o }) => `${s} ${p} ${o}`)
const named = (db: WriteDb, kind: string): string[] =>
  db
    .all<{ name: string }>('SELECT name FROM entities WHERE kind = ? ORDER BY name', [kind])
    .map((row) => row.name)
const count = (db: WriteDb, table: string): number =>
  db.get<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)?.n ?? 0

describe('facts of the work', () => {
  test('one file is one path, however it is written', () => {
    const db = journal([
      { kind: 'file_op', text: 'Edit', data: { path: `${cwd}/src/a.ts`, op: 'edit' } },
      { kind: 'file_op', text: 'Read', data: { path: './src/a.ts', op: 'read' } },
      { kind: 'note', text: 'Look at src/lib/../a.ts and `src/a.ts:12`.' },
    ])
    expect(named(db, 'path')).toEqual(['src/a.ts'])
    expect(said(db)).toEqual(['generic:s1 edits src/a.ts', 'generic:s1 reads src/a.ts'])
    expect(count(db, 'item_entities')).toBe(3)
  })

  test('the same relative path in two projects is two things, a package is one', () => {
    const db = temporaryDb()
    db.transaction(() => {
      insertItem(db, { project: 'shop', text: 'src/a.ts uses react@19.3.1' })
      insertItem(db, { project: 'mail', session: 'generic:s2', text: 'src/a.ts uses react@19.3.1' })
    })
    curateAll(db)
    expect(named(db, 'path')).toEqual(['src/a.ts', 'src/a.ts'])
    expect(named(db, 'package')).toEqual(['react'])
    expect(said(db)).toContain('react has_version 19.3.1')
  })

  test('a line of commands tells each one, and how it failed', () => {
    const command =
      'cd /tmp && FOO=1 npm test 2>&1 | tail -5; git commit -m "$(cat <<\'EOF\'\nrm -rf x\nEOF\n)"'
    const db = journal([
      { kind: 'command', text: `$ ${command}`, data: { command, failed: true } },
      {
        kind: 'error',
        text: `$ npm test\nExit code 1\nsrc/a.ts:3:5: TypeError: x is not a function`,
        data: { tool: 'Bash', command: 'npm test' },
      },
    ])
    expect(said(db)).toEqual([
      'generic:s1 runs npm test',
      'generic:s1 runs git commit -m',
      'npm test fails_with TypeError: x is not a function',
      'npm test fails_with TypeError',
    ])
  })

  test.each([
    // The message names its program, or a step of it.
    ['npm ci; stat a.json; ./run', 'stat: a.json: No such file or directory', ['stat a.json']],
    [
      'git checkout -- . && git merge origin/next',
      'Automatic merge failed; fix conflicts',
      ['git merge origin/next'],
    ],
    // It names none: the last is what a list tells of, and where a chain ends.
    ['mise run fmt && mise run lint', 'G104: Errors unhandled (gosec)', ['mise run lint']],
    // Nothing in the line ran.
    ['X=$(go env) && grep -n Config "$X', "(eval):1: parse error near `('", ['Bash']],
    ['npm test', 'TypeError: x is not a function', ['npm test']],
  ])('of "%s" with "%s" it is told what failed', (command, why, failed) => {
    const text = `$ ${command}\nExit code 1\n${why}`
    const db = journal([{ kind: 'error', text, data: { tool: 'Bash', command } }])
    const subjects = db
      .all<{ subject: string }>(
        "SELECT DISTINCT subject FROM facts WHERE predicate = 'fails_with' ORDER BY 1",
      )
      .map((row) => row.subject)
    expect(subjects).toEqual(failed)
  })

  test('a failure is told by the message, not by the source over its caret or a frame', () => {
    const text =
      '$ mise run lint\na.go:3:1: unlambda: replace it (gocritic)\n\tt.Fatalf("failed to set master: %v", err)\n\t^'
    const db = journal([{ kind: 'error', text, data: { tool: 'Bash', command: 'mise run lint' } }])
    expect(said(db)).toContain('mise run lint fails_with unlambda: replace it (gocritic)')
  })

  test.each([
    ['two more things - what does reset do to the state?', 'asks'],
    ['Q: we cannot detect that from here, hey?', 'asks'],
    ['can you use a switch case instead of linked ifelse?', 'wants'],
    ["why don't you just clone it?", 'wants'],
    ['update the doc first', 'wants'],
  ])('a plan that is sent back with "%s" %s it', (words, predicate) => {
    const db = journal([
      {
        kind: 'decision',
        text: 'Sent back the plan “Reset”',
        data: { verdict: 'refused', of: 'plan', words },
      },
    ])
    expect(said(db)).toContain(`person ${predicate} ${words}`)
  })

  test('what a person decided is told as theirs', () => {
    const db = journal([
      {
        kind: 'decision',
        text: 'Sent back the plan “Move to Postgres”: keep SQLite',
        data: { of: 'plan', toolUseId: 't', verdict: 'refused', words: 'keep SQLite' },
      },
      { kind: 'conclusion', text: 'We decided to keep SQLite instead of Postgres. Fixes #12.' },
    ])
    expect(said(db)).toEqual([
      'person rejects Move to Postgres',
      'person wants keep SQLite',
      'generic:s1 fixes #12',
      'generic:s1 decided We decided to keep SQLite instead of Postgres.',
    ])
  })

  test('labels and provenance come from the item', () => {
    const db = journal([
      { kind: 'file_op', text: 'x', data: { path: 'src/a.ts', op: 'edit' }, labels: ['team', 'private'] },
    ])
    const { handle } = db.get<{ handle: string }>('SELECT handle FROM items') ?? { handle: '' }
    expect(db.get('SELECT handle, provenance, labels, method FROM facts')).toEqual({
      handle,
      provenance: JSON.stringify([handle]),
      labels: '["private","team"]',
      method: 'rules',
    })
  })

  test('what only a deleted item named is forgotten, what others name stays', () => {
    const db = journal([
      { kind: 'file_op', text: 'x', data: { path: 'src/secret.ts', op: 'edit' } },
      { kind: 'file_op', text: 'x', data: { path: 'src/a.ts', op: 'edit' } },
      { kind: 'note', text: 'src/a.ts again' },
    ])
    db.run('DELETE FROM item_rows WHERE position < 3')
    expect(named(db, 'path')).toEqual(['src/a.ts'])
    expect(said(db)).toEqual([])
    db.run('DELETE FROM item_rows')
    expect(count(db, 'entities')).toBe(0)
  })

  test('an item that says something else loses its facts at once and gets new ones', () => {
    const db = journal([{ kind: 'note', text: 'We use left-pad@1.3.0 now.' }])
    expect(said(db)).toEqual(['left-pad has_version 1.3.0'])
    db.run("UPDATE item_rows SET text = 'We use nothing.'")
    expect(count(db, 'facts') + count(db, 'entities')).toBe(0)
    curateAll(db)
    expect(said(db)).toEqual([])
  })

  test('a journal from before there were facts gets them', () => {
    const db = journal([{ kind: 'file_op', text: 'x', data: { path: 'src/a.ts', op: 'edit' } }])
    db.run('DELETE FROM facts')
    db.run("INSERT INTO meta (key, value) VALUES ('curator.version', '1')")
    recurateWhenChanged(db)
    curateAll(db)
    expect(said(db)).toEqual(['generic:s1 edits src/a.ts'])
    recurateWhenChanged(db)
    expect(count(db, 'curate_queue')).toBe(0)
  })

  test('an item shows what it names, the rarest told apart by a count', () => {
    const db = journal([
      { kind: 'file_op', text: 'x', data: { path: 'src/a.ts', op: 'edit' } },
      { kind: 'note', text: 'src/a.ts again' },
    ])
    expect(factSql.entitiesOf(db, 1, 10)).toEqual([{ kind: 'path', name: 'src/a.ts', weight: 1, items: 2 }])
  })

  test('a hostile command line is read in bounded time into a bounded list', () => {
    const lines = [
      '$('.repeat(40_000),
      '"'.repeat(40_001),
      'a;'.repeat(40_000),
      '<<E\n'.repeat(20_000),
      '`('.repeat(9_000),
    ]
    const db = journal(
      lines.map((command) => ({ kind: 'command' as const, text: command, data: { command } })),
    )
    expect(count(db, 'facts')).toBeLessThan(5 * 40)
  })
})
