import { describe, expect, test } from 'vitest'
import { AppError } from '../../../src/shared/errors'
import { predicates } from '../../../src/shared/logic'
import { fovea } from './support'

const searchAnswer = () => ({ path: 'lexical', reason: 'no model', hits: [], receipt: null })

describe('the command line', () => {
  test('--json prints one JSON value and nothing else', async () => {
    const run = await fovea(['search', 'retry policy', '--json'], searchAnswer)
    expect(JSON.parse(run.out)).toEqual(searchAnswer())
    expect(run.out.trim().split('\n')).toHaveLength(1)
    expect(run.code).toBe(0)
    expect(run.closed).toBe(1)
  })

  test('--home and --json are understood before and behind the command', async () => {
    const before = await fovea(['--home', '/tmp/h', '--json', 'search', 'x'], searchAnswer)
    const behind = await fovea(['search', 'x', '--home', '/tmp/h', '--json'], searchAnswer)
    expect(before.homes).toEqual(['/tmp/h'])
    expect(behind.homes).toEqual(['/tmp/h'])
    expect(JSON.parse(before.out)).toEqual(JSON.parse(behind.out))
  })

  test('passes only what was given, so that the contract’s defaults apply', async () => {
    const run = await fovea(['search', 'x', '--limit', '5', '--since', '2026-11-30'], searchAnswer)
    expect(run.seen).toEqual([
      { name: 'search.run', input: { text: 'x', limit: 5, since: Date.UTC(2026, 10, 30) } },
    ])
  })

  test('a failure is one line on stderr, JSON on stdout when asked, and exit 1', async () => {
    const fail = () => {
      throw new AppError('not-found', 'There is no receipt rcp_aaaaaaaaaaaaaaaa.')
    }
    const run = await fovea(['receipt', 'rcp_aaaaaaaaaaaaaaaa', '--json'], fail)
    expect(run.code).toBe(1)
    expect(run.err).toBe('fovea: There is no receipt rcp_aaaaaaaaaaaaaaaa.\n')
    expect(JSON.parse(run.out)).toEqual({
      error: { code: 'not-found', message: 'There is no receipt rcp_aaaaaaaaaaaaaaaa.' },
    })
  })

  test.each(['', 'garbage', '{}', '[1]'])(
    'a hook given %j says nothing, exit 0, and the log tells why',
    async (payload) => {
      const run = await fovea(['hook', 'claude-code'], undefined, payload)
      expect([run.code, run.out, run.err]).toEqual([0, '', ''])
      expect(run.logged).toEqual([{ event: 'hook', outcome: 'fault', code: 'bad-input' }])
    },
  )

  test('a long answer is shortened for a person and whole as JSON', async () => {
    const list = Array.from({ length: 500 }, (_, n) => n)
    const answer = { variables: ['L', 'T'], answers: [{ L: list, T: 'x'.repeat(5_000) }], more: false, ms: 1 }
    const run = await fovea(['query', 'numlist(0, 499, L)'], () => answer)
    expect(run.out).toBe(
      `L = [${list.slice(0, 20).join(', ')}, … 480 more], T = ${'x'.repeat(2_000)}… 3,000 more characters\n`,
    )
    expect(JSON.parse((await fovea(['query', 'x', '--json'], () => answer)).out)).toEqual(answer)
  })

  test('query --help lists the relations', async () => {
    const { out, code } = await fovea(['query', '--help'])
    expect(code).toBe(0)
    for (const { head } of predicates) expect(out).toContain(head)
  })

  test.each([
    [['frobnicate']],
    [['search']],
    [['hydrate']],
    [['search', 'x', '--limit', 'many']],
    [['search', 'x', '--since', 'yesterday-ish']],
    [['search', 'x', '--kind', 'poem']],
    [['receipt', '../../etc/passwd']],
    [['gate', 'show', '1']],
    [['gate', 'decide', 'gat_aaaaaaaaaaaaaaaa', '--action', 'shrug']],
    [['export', '--out', 'x', '--ceiling', 'L9']],
    [['verify', 'itm_']],
    [['ingest', 'x', '--format', 'papyrus']],
    [['search', 'x', '--no-such-flag']],
  ])('%j is wrong usage: exit 2, a reason, no stack', async (argv) => {
    const run = await fovea(argv, searchAnswer)
    expect(run.code).toBe(2)
    expect(run.err).not.toBe('')
    expect(run.err).not.toMatch(/\n\s+at /)
  })

  test.each([
    [['search', '--json']],
    [['bogus', '--json']],
    [['--json', 'gate']],
    [['export', '--json']],
    [['ingest', '', '--json']],
  ])('%j is wrong usage told as one JSON value too', async (argv) => {
    const run = await fovea(argv, searchAnswer)
    expect(run.code).toBe(2)
    expect(JSON.parse(run.out)).toMatchObject({ error: { code: 'bad-input' } })
  })

  test('an empty path, as of an unset variable, does not become the current folder', async () => {
    const run = await fovea(['ingest', ''])
    expect(run.code).toBe(2)
    expect(run.seen).toEqual([])
  })

  test('an interrupted run tells what it did and ends with 1', async () => {
    const report = {
      files: 1,
      bytes: 3,
      sessions: 1,
      items: {},
      new: 1,
      updated: 0,
      masked: 0,
      pendingEmbeddings: 4,
      ms: 1,
      records: { read: 1, used: 1, attached: 0, dropped: {}, duplicates: 0, errors: 0 },
      errors: [],
      unrecognised: { files: ['/t/a.md', '/t/b.md'], total: 7 },
      embeddings: { path: 'none', reason: 'the run was interrupted' },
      cancelled: true,
    }
    const run = await fovea(['ingest', 'x', '--json'], () => report)
    expect(run.code).toBe(1)
    expect(JSON.parse(run.out)).toMatchObject({ cancelled: true, pendingEmbeddings: 4 })
    const { out } = await fovea(['ingest', 'x'], () => report)
    expect(out).toContain('no transcripts that Fovea knows: /t/a.md, /t/b.md and 5 more')
    const records = {
      read: 9,
      used: 3,
      attached: 1,
      dropped: { system: 2, meta: 1 },
      duplicates: 1,
      errors: 1,
    }
    const perFile = [{ file: '/t/a.jsonl', format: 'codex', bytes: 3, records }]
    const told = (await fovea(['ingest', 'x', '--per-file'], () => ({ ...report, perFile }))).out
    expect(told).toContain(
      '/t/a.jsonl (codex): 9 records, 3 used, 1 attached, 3 left out, 1 repeated, 1 unreadable',
    )
    const nothing = { ...report, files: 0, unrecognised: { files: [], total: 0 } }
    expect((await fovea(['ingest', 'x'], () => nothing)).out).toContain('named like a transcript')
  })

  test('an unexpected fault shows no stack and no content', async () => {
    const run = await fovea(['stats'], () => {
      throw new Error('the transcript said: rosebud')
    })
    expect(run.code).toBe(1)
    expect(run.err).not.toContain('rosebud')
  })

  test('metrics from too few gates are no figures in the text, and stay numbers in JSON', async () => {
    const both = { prior: 1, posterior: 1 }
    const metrics = (n: number) => () => ({
      n,
      accuracy: both,
      brier: both,
      logLoss: both,
      skill: { baseRate: 0, alwaysApprove: 0 },
      surpriseRate: 0,
      priorOverturned: 0,
      remembered: 2,
      attention: [],
    })
    const few = await fovea(['metrics'], metrics(1))
    expect(few.out).toBe(
      '1 gate decided after a hidden prediction, 2 remembered\nhow well it foresees you: too few to say (n=1)\n',
    )
    expect(JSON.parse((await fovea(['metrics', '--json'], metrics(1))).out)).toMatchObject({ accuracy: both })
    expect((await fovea(['metrics'], metrics(10))).out).toContain('accuracy  before 1.000')
  })

  test('a decision without notes has no empty tail', async () => {
    const gate = (notes: string) => () => ({
      id: 'gat_aaaaaaaaaaaaaaaa',
      outcome: 'approve',
      status: 'decided',
      state: 'PLAN_ASSERT',
      taskType: 'feature',
      round: 1,
      title: 'T',
      decision: { outcome: 'approve', notes },
      versions: [],
      prediction: null,
    })
    const show = async (notes: string) =>
      (await fovea(['gate', 'show', 'gat_aaaaaaaaaaaaaaaa'], gate(notes))).out
    expect(await show('')).toMatch(/^approve$/m)
    expect(await show('Fine.')).toMatch(/^approve: Fine\.$/m)
  })

  test('ingest - reads a pipe', async () => {
    const report = {
      files: 1,
      bytes: 3,
      sessions: 1,
      items: {},
      new: 1,
      updated: 0,
      masked: 0,
      pendingEmbeddings: 0,
      ms: 1,
      records: { read: 1, used: 1, attached: 0, dropped: {}, duplicates: 0, errors: 0 },
      errors: [],
      embeddings: { path: 'none', reason: null },
      cancelled: false,
    }
    const run = await fovea(['ingest', '-', '--no-embed', '--project', 'p'], () => report, '{"a":1}\n')
    expect(run.seen).toEqual([
      { name: 'ingest.stream', input: { text: '{"a":1}\n', project: 'p', embed: false } },
    ])
  })

  test('--help and --version are answered without opening anything', async () => {
    const help = await fovea(['--help'])
    const version = await fovea(['--version'])
    expect([help.code, version.code]).toEqual([0, 0])
    expect(version.out).toBe('1.2.3\n')
    expect(help.homes).toEqual([])
    for (const command of ['ingest', 'hydrate', 'receipt', 'gate', 'export', 'doctor'])
      expect(help.out).toContain(command)
  })

  test('a query prints its answers, one a line, and says yes or no where there is nothing to name', async () => {
    const answer = (variables: string[], answers: object[]) => () => ({
      variables,
      answers,
      more: false,
      ms: 1,
    })
    const two = await fovea(
      ['query', 'p(X, Y)', '--limit', '5'],
      answer(
        ['X', 'Y'],
        [
          { X: 'a', Y: [1, null] },
          { X: null, Y: 2 },
        ],
      ),
    )
    expect(two.seen).toEqual([{ name: 'query.run', input: { goal: 'p(X, Y)', limit: 5 } }])
    expect(two.out).toBe('X = a, Y = [1, _]\nX = _, Y = 2\n')
    expect((await fovea(['query', 'true'], answer([], [{}]))).out).toBe('yes\n')
    expect((await fovea(['query', 'fail'], answer([], []))).out).toBe('no\n')
  })
})
