import { beforeAll, describe, expect, test } from 'vitest'
import { relationNames } from '../../../src/shared/logic'
import { temporaryDb } from '../../support'
import { insertItem } from '../models/journal-rows'
import { ask, journal, refusal, startEngine, use } from './logic-support'

beforeAll(startEngine)

describe('the sandbox', () => {
  test.each([
    'open("/etc/passwd", read, S)',
    'open(x, write, S)',
    'see(a)',
    'tell(a)',
    'consult(a)',
    "load_files('/kb.pl', [])",
    '[a]',
    'use_module(library(process))',
    'shell(ls)',
    'shell(ls, S)',
    'halt',
    'system:halt',
    '\\+ halt',
    'catch(halt, _, true)',
    'findall(X, shell(X), L)',
    'X := 1',
    'X := process',
    '_ := eval("1")',
    'assertz(a)',
    'asserta((a :- b))',
    'retract(a)',
    'maplist(assertz, [a])',
    'G =.. [assertz, foo], call(G)',
    'assertz(sandbox:safe_primitive(user:shell(_)))',
    'term_to_atom(T, "shell(ls)"), call(T)',
    'b_setval(a, 1)',
    'nb_setval(a, 1)',
    'set_prolog_flag(a, b)',
    'flag(a, _, 1)',
    'recorda(a, b)',
    'thread_create(true, X, [])',
    'format(S, "x", [])',
    'delete_file(a)',
    'exists_file(a)',
    'directory_files("/", X)',
    'getenv(a, X)',
    'setenv(a, b)',
    'read(X)',
    'read_term(user_input, X, [])',
    'sleep(1)',
    'kb:rows("item", A)',
    'kb:page("item", [], "", 1, R)',
    "kb:'$js_call'(a, b)",
    '@(true, kb)',
    'op(700, xfx, ===)',
    'await(a, X)',
    'snapshot(true)',
    'item(a, b, c, d, e) :- true. ?- true.',
    'fovea_run("true", 1, 1, N, R)',
    '(:- initialization(halt)). ?- true.',
    'true :- true. ?- true.',
    'kb:item(a, b, c, d, e) :- true. ?- true.',
    'a --> b. ?- true.',
    'p :- shell(ls). ?- p.',
    'p(X) :- open(X, read, _). ?- p(a).',
    'safe_goal(halt)',
    'dynamic(foo/1)',
    'system:catch(length(L, 100000000), _, true)',
    'catch(true, _, shell(ls))',
  ])('%s is refused as data', (goal) => {
    use(temporaryDb())
    expect(refusal(goal)).toMatch(/^(?:forbidden|bad-input): /)
    // And nothing is left behind.
    expect(ask('X = 1')).toEqual([{ X: 1 }])
  })

  test.each([
    ['consult("/etc/passwd")', 'consult/1'],
    ['shell(ls)', 'shell/1'],
    ['open(x, read, S)', 'open/3'],
    ['p :- \\+ consult(a). ?- p.', 'consult/1'],
    ['maplist(consult, [a])', 'consult/1'],
  ])('%s is refused by the name the person wrote', (goal, name) => {
    use(temporaryDb())
    expect(refusal(goal)).toBe(
      `forbidden: The query is refused: ${name} does more than a question may; a question reads the journal and reaches no files, programs or network.`,
    )
  })

  test('a predicate that is not there is answered with those that are, each as the program has it', () => {
    use(temporaryDb())
    const told = refusal('edited(X, Y)')
    expect(told).toMatch(
      /^bad-input: The query stopped with an error: .*edited.* The relations are item\/5, /,
    )
    for (const name of relationNames()) expect(told).toContain(name)
    const goals = relationNames().map((name) => {
      const [head, arity] = name.split('/')
      return `catch(${head}(${Array.from({ length: Number(arity) }, () => '_').join(', ')}), error(E, _), true)`
    })
    for (const goal of goals)
      expect(refusal(`${goal}, E = existence_error(procedure, _)`)).toBe('answered []')
  })

  test('a query does not see what another one made', () => {
    use(temporaryDb())
    expect(ask('p(1). p(2). ?- p(X).')).toHaveLength(2)
    expect(ask('p(3). ?- p(X).')).toEqual([{ X: 3 }])
  })

  test('the database is the same after every question', () => {
    const db = journal()
    const before = JSON.stringify(db.all('SELECT * FROM facts'))
    ask('fact(A, B, C, D), item(D, _, _, _, _)')
    refusal('assertz(fact(a, b, c, d))')
    expect(JSON.stringify(db.all('SELECT * FROM facts'))).toBe(before)
  })
})

describe('limits', () => {
  test('a loop ends with a sentence', () => {
    use(temporaryDb())
    expect(refusal('p :- p. ?- p.')).toBe(
      'cancelled: The query took too many steps and was stopped. Bind more arguments, or ask for less.',
    )
    expect(refusal('between(1, inf, X), X < 0')).toMatch(/^cancelled: /)
  })

  test('so does one that needs too much memory, and the next is answered', () => {
    use(temporaryDb())
    expect(refusal('numlist(1, 100000000, L)')).toMatch(/^cancelled: /)
    expect(refusal("format(atom(A), '~*c', [1000000000, 0'x])")).toMatch(/^cancelled: /)
    expect(ask('X = 1')).toEqual([{ X: 1 }])
  })

  test.each([
    ['catch((repeat, fail), _, true)', 'took too many steps'],
    ['catch((repeat, fail), _, throw(mine))', 'took too many steps'],
    ['catch_with_backtrace((repeat, fail), _, true)', 'took too many steps'],
    ['\\+ catch((repeat, fail), _, true)', 'took too many steps'],
    ['catch(length(L, 100000000), _, true)', 'needed too much memory'],
    ['p :- catch(length(_, 100000000), _, true). ?- p.', 'needed too much memory'],
    ["catch(format(atom(A), '~*c', [1000000000, 0'x]), _, true)", 'needed too much memory'],
  ])('%s does not hide that it was stopped', (goal, why) => {
    use(temporaryDb())
    expect(refusal(goal)).toBe(
      `cancelled: The query ${why} and was stopped. Bind more arguments, or ask for less.`,
    )
    expect(ask('X = 1')).toEqual([{ X: 1 }])
  })

  test('an error of its own a query may catch', () => {
    use(temporaryDb())
    expect(ask('catch(X is foo, _, X = caught)')).toEqual([{ X: 'caught' }])
    expect(ask('catch(throw(mine), E, true)')).toEqual([{ E: 'mine' }])
    expect(ask('p(1). q(2). ?- catch((p(X), throw(x)), _, q(Y)).')).toEqual([{ X: null, Y: 2 }])
  })

  test('of a list beyond a thousand the beginning is told, and how much more there is', () => {
    use(temporaryDb())
    expect(ask('numlist(1, 500000, L)')[0]?.L).toMatch(/^\[1,2,3,.*,100, … 499,900 more\]$/)
    expect(ask('numlist(1, 1000, L)')[0]?.L).toHaveLength(1000)
  })

  test('a long text is cut, and too much text altogether is refused', () => {
    const db = temporaryDb()
    for (let n = 0; n < 250; n++) insertItem(db, { text: 'word '.repeat(6_000) })
    use(db)
    expect(ask("item(H, _, _, _, _), rung(H, 'L0', T)", 1)[0]?.T).toHaveLength(20_000)
    expect(refusal("findall(T, rung(_, 'L0', T), Ts)")).toMatch(/^cancelled: /)
  })
})
