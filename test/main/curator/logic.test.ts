import { beforeAll, describe, expect, test } from 'vitest'
import { factSql, retentionSql, vectorSql } from '../../../src/main/store'
import { temporaryDb } from '../../support'
import { handleOf, insertItem, seededVector } from '../models/journal-rows'
import { ask, engine, journal, ports, refusal, startEngine, use } from './logic-support'

beforeAll(startEngine)

describe('the journal as a logic program', () => {
  test('items by any argument that is bound, by atom or by string, with what is missing as null', () => {
    journal()
    expect(ask(`item('${handleOf('edit')}', K, S, P, T)`)).toEqual([
      { K: 'file_op', S: 'generic:s1', P: 'shop', T: 1_700_000_002_000 },
    ])
    expect(ask('item(H, goal, _, _, _)').map((one) => one.H)).toEqual([handleOf('login'), handleOf('speed')])
    expect(ask('item(H, "goal", _, mail, _)')).toEqual([{ H: handleOf('speed') }])
    expect(ask('item(_, nothing, _, _, _)')).toEqual([])
    expect(ask('item(f(x), _, _, _, _)')).toEqual([])
    const loose = temporaryDb()
    insertItem(loose, { name: 'loose' })
    use(loose)
    expect(ask('item(H, _, _, null, _)')).toEqual([{ H: handleOf('loose') }])
  })

  test('goals, arcs, rungs, sessions and the relations between them', () => {
    journal()
    expect(ask('goal(_, T, mail)')).toEqual([{ T: "Make Ada's page quick\nand small" }])
    expect(
      ask('arc(_, G, S, _), goal(G, T, _), session(S, A, P, _)').map(({ T, A, P }) => [T, A, P]),
    ).toContainEqual(['Fix the login', 'generic', 'shop'])
    expect(ask(`relation(H, for, '${handleOf('speed')}'), item(H, K, _, _, _)`).map(({ K }) => K)).toEqual([
      'goal',
      'file_op',
    ])
    expect(
      ask(`relation('${handleOf('end')}', in, A), relation(A, part_of, S), arc(A, G, S, _)`),
    ).toMatchObject([{ S: 'generic:s1' }])
    expect(ask('relation(A, child_of, B)')).toEqual([{ A: 'generic:s2', B: 'generic:s1' }])
    expect(ask(`relation('${handleOf('login')}', next, B), relation(B, next, C)`)).toEqual([
      { B: handleOf('edit'), C: handleOf('run') },
    ])
    expect(ask(`relation(A, next, '${handleOf('edit')}')`)).toEqual([{ A: handleOf('login') }])
    expect(ask(`rung('${handleOf('edit')}', 'L1', T)`)).toEqual([{ T: 'Edit' }])
    expect(ask(`rung('${handleOf('end')}', "L0", T)`)).toEqual([
      { T: 'We decided to keep the cookie instead of a token.' },
    ])
  })

  test('a path leads from one goal to another, and a failure to its command', () => {
    journal()
    const shared = `fact(S1, edits, F, H1), fact(S2, edits, F, H2), S1 @< S2, relation(H1, for, G1), relation(H2, for, G2)`
    expect(ask(shared)).toMatchObject([{ F: 'src/login.ts', G1: handleOf('login'), G2: handleOf('speed') }])
    expect(ask("fact('npm test', fails_with, Why, H)").map(({ Why }) => Why)).toEqual([
      'TypeError: no session',
      'TypeError',
    ])
    expect(ask(`fact('${handleOf('edit')}', mentions, What, _)`)).toEqual([{ What: 'src/login.ts' }])
    expect(ask("names(H, path, 'src/login.ts')")).toHaveLength(2)
    expect(
      ask('entity(path, N, P)')
        .map(({ P }) => P)
        .sort(),
    ).toEqual(['mail', 'shop'])
    expect(ask("entity(error, 'TypeError', P)")).toEqual([{ P: null }])
  })

  test('rules of the query itself, recursive ones too, are gone after it', () => {
    journal()
    const walk = `later(A, B) :- relation(A, next, B). later(A, C) :- relation(A, next, B), later(B, C).
      ?- later('${handleOf('login')}', X).`
    expect(ask(walk).map(({ X }) => X)).toEqual([handleOf('edit'), handleOf('run'), handleOf('end')])
    expect(refusal('later(A, B)')).toMatch(/^bad-input: .*later/)
  })

  test('nearest and words can be called inside a rule; without a model nearest says so', () => {
    const db = journal()
    expect(refusal('nearest("login", 3, H, S)')).toBe(
      'unavailable: nearest/4 needs the embedding model: The embedding model is not there. words/4 finds by words.',
    )
    use(db, () => seededVector(1))
    expect(refusal('nearest("login", 3, H, S)')).toMatch(/no item has been embedded/)
    const rows = db.all<{ id: number; handle: string }>('SELECT id, handle FROM items ORDER BY id')
    for (const [n, { id, handle }] of rows.entries()) {
      const vector = seededVector(n + 1)
      vectorSql.putVector(db, {
        itemId: id,
        unit: 'item',
        model: 'm',
        vector,
        provenance: [handle],
        labels: [],
      })
    }
    let embedded = 0
    use(db, () => {
      embedded++
      return seededVector(2)
    })
    const rule = 'near(H, K) :- nearest("the login page", 2, H, _), item(H, K, _, _, _). ?- near(H, K).'
    expect(ask(rule)).toMatchObject([{ H: handleOf('edit'), K: 'file_op' }, {}])
    expect(ask('nearest("the login page", 1, H, S)')).toEqual([
      { H: handleOf('edit'), S: expect.closeTo(1, 3) },
    ])
    expect(embedded).toBe(1)
    ports.findWords = () => [{ id: 1, score: 1 }]
    expect(ask('words("login", 5, H, S)')).toEqual([{ H: handleOf('login'), S: 1 }])
  })

  test('what stands in place of a text that was let go is no verbatim text', () => {
    const db = journal()
    const end = handleOf('end')
    expect(ask(`rung('${end}', 'L0', T)`)).toHaveLength(1)
    const id = db.get<{ id: number }>('SELECT id FROM items WHERE handle = ?', [end])?.id ?? 0
    const sentence = ask(`rung('${end}', 'L1', T)`)
    db.transaction(() => retentionSql.letGo(db, id, ['L0'], 1))
    expect(ask(`rung('${end}', 'L0', T)`)).toEqual([])
    expect(ask(`rung('${end}', L, T)`).map(({ L }) => L)).not.toContain('L0')
    expect(ask(`rung('${end}', 'L1', T)`)).toEqual(sentence)
    expect(ask("rung(H, 'L0', T)").map(({ H }) => H)).toContain(handleOf('login'))
  })

  test('cells can be walked from a rule', () => {
    const db = journal()
    db.run(
      "INSERT INTO cells (id, project, name) VALUES ('cel_a', 'shop', 'login'), ('cel_b', 'mail', 'pages')",
    )
    db.run("INSERT INTO cell_items (item_id, cell_id, weight) VALUES (2, 'cel_a', 1), (6, 'cel_b', 1)")
    const arc = db.get<{ id: string }>("SELECT id FROM arcs WHERE project = 'shop'")?.id ?? ''
    db.run(
      "INSERT INTO cell_edges (cell_id, kind, other, weight) VALUES ('cel_a', 'contains', ?, 1), ('cel_a', 'adjacent', 'cel_b', 0.4)",
      [arc],
    )
    expect(ask('contains(C, X), cell(C, login, P)')).toEqual([
      { C: 'cel_a', X: handleOf('edit'), P: 'shop' },
      { C: 'cel_a', X: arc, P: 'shop' },
    ])
    const walk = `beside(X, Y) :- contains(C, X), adjacent(C, D), contains(D, Y). ?- beside('${handleOf('edit')}', Y).`
    expect(ask(walk)).toEqual([{ Y: handleOf('edit2') }])
  })

  test('what agents assert stands apart from what the journal says', () => {
    const db = journal()
    factSql.putAgentFact(db, {
      agent: 'claude',
      kind: 'constraint',
      subject: 'src/login.ts',
      predicate: 'edits',
      object: 'never',
      project: null,
      handle: handleOf('end'),
      assertedAt: 5,
      labels: ['private'],
    })
    expect(ask('asserted(A, S, P, O)')).toEqual([{ A: 'claude', S: 'src/login.ts', P: 'edits', O: 'never' }])
    expect(ask("fact('src/login.ts', edits, O, _)")).toEqual([])
    db.run('DELETE FROM item_rows WHERE handle = ?', [handleOf('end')])
    expect(ask('asserted(A, S, P, O)')).toEqual([])
  })

  test('values come back as they are: large numbers, lists, free variables, terms, texts of every script', () => {
    use(temporaryDb())
    expect(ask('X = 9007199254740991, Y = 1.5, Z = [1, [a, "b"]], _Hidden = 1')).toEqual([
      { X: 9_007_199_254_740_991, Y: 1.5, Z: [1, ['a', 'b']] },
    ])
    expect(ask('X is 2 ** 70, Y = f(Z, "q"), W = \'naïve — 漢字 🦊\'')).toEqual([
      {
        X: '1180591620717411303424',
        Y: expect.stringMatching(/^f\(_\d*,"q"\)$/),
        Z: null,
        W: 'naïve — 漢字 🦊',
      },
    ])
    expect(engine.ask('member(X, [1, 2, 3])', 2)).toEqual({
      variables: ['X'],
      answers: [{ X: 1 }, { X: 2 }],
      more: true,
    })
    expect(ask('true')).toEqual([{}])
    expect(ask('X = f(X)')).toEqual([{ X: '(a cyclic term)' }])
  })

  test('what cannot be read is told with its place', () => {
    use(temporaryDb())
    expect(refusal('item(H,,)')).toMatch(
      /^bad-input: The query cannot be read: line 1, column 7: Syntax error/,
    )
    expect(refusal('  ')).toMatch(/^bad-input: The query cannot be read/)
    expect(refusal('foo(X)')).toContain(
      "bad-input: The query stopped with an error: procedure `foo(A)' does not exist. The relations are item/5, ",
    )
    expect(refusal('X = \0a')).toMatch(/^bad-input: /)
    expect(refusal('item(A,B,C,D,E). \n')).toMatch(/^answered/)
    expect(refusal('X is 1 / 0')).toMatch(/^bad-input: .*zero_divisor/)
  })
})
