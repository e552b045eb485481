import { describe, expect, test } from 'vitest'
import { assemble, type Bid } from '../../../src/main/faculty'
import { minuteText } from '../../../src/shared/days'
import { AppError } from '../../../src/shared/errors'
import { bid, request } from '../faculty/support'
import { fovea } from './support'

const TRACE = 'trc_aaaaaaaaaaaaaaaa'
const OTHER = 'trc_bbbbbbbbbbbbbbbb'
const RECEIPT = 'rcp_cccccccccccccccc'
const AT = Date.UTC(2026, 10, 26, 16, 20)

const BIDS: Bid[] = [
  bid('safety', { source: 'safety', pin: true, title: 'How this is to be read' }),
  bid('recall:itm', { title: 'The retry waits', terms: { relevance: 0.9 }, lengths: [40, 4000] }),
  bid('recall:far', { title: 'Banana bread', terms: {} }),
  bid('scene', { source: 'visual-scene', title: 'A screenshot', terms: { relevance: 0.2 } }),
]
/** A real trace, of an alert assembly with little room. */
const { trace } = assemble(BIDS, request({ budget: 100, zone: 'amber' }))
const stored = {
  id: TRACE,
  faculty: 's.attention',
  receipt: RECEIPT,
  gate: null,
  purpose: 'turn',
  goal: 'Why does the retry wait?',
  createdAt: AT,
  trace: { ...trace, transitions: [{ from: 'green', to: 'amber', at: AT, cause: 'mention' }] },
}
const line = {
  ...stored,
  goal: 'Why does\n  the retry wait?',
  mode: 'adaptive',
  zone: 'amber',
  budget: 100,
  spent: 57,
  bids: 4,
  kept: 2,
}

describe('fovea trace', () => {
  test('without an id lists the newest, one a line', async () => {
    const run = await fovea(['trace', '--limit', '5'], () => ({ traces: [line] }))
    expect(run.seen).toEqual([{ name: 'traces.list', input: { limit: 5 } }])
    expect(run.out).toBe(
      `${TRACE}  ${minuteText(line.createdAt)}  turn  amber  2 of 4 bids, 57 of 100 tokens  Why does the retry wait?\n`,
    )
    expect((await fovea(['trace'], () => ({ traces: [] }))).out).toBe('no trace yet\n')
  })

  test('lists those of one gate, or of prompts to the model', async () => {
    const none = () => ({ traces: [] })
    expect((await fovea(['trace', '--gate', 'gat_aaaaaaaaaaaaaaaa'], none)).seen).toEqual([
      { name: 'traces.list', input: { gate: 'gat_aaaaaaaaaaaaaaaa' } },
    ])
    expect((await fovea(['trace', '--model'], none)).seen).toEqual([
      { name: 'traces.list', input: { ofModel: true } },
    ])
  })

  test('with an id, or its receipt’s, tells what became of every bid, what stands first in its order', async () => {
    const run = await fovea(['trace', TRACE], () => stored)
    expect(run.seen).toEqual([{ name: 'traces.get', input: { id: TRACE } }])
    const [head, change, ...rows] = run.out.trimEnd().split('\n')
    expect(head).toBe(`${TRACE}  turn  adaptive, amber  ${trace.spent} of 100 tokens`)
    expect(change).toBe('  green → amber: mention')
    expect(rows).toHaveLength(4)
    expect(rows[0]).toMatch(/^L0\s+safety .*How this is to be read$/)
    expect(rows[1]).toMatch(/^L1\s+recall {2}\d\.\d{3} {2}10 tokens {2}The retry waits {2}budget$/)
    expect(rows[2]).toMatch(/^out\s+visual-scene .*A screenshot {2}zone: background, gone from amber on$/)
    expect(rows[3]).toMatch(/^out\s+recall .*Banana bread {2}floor: salience under/)
    const byReceipt = await fovea(['trace', RECEIPT], () => stored)
    expect(byReceipt.seen).toEqual([{ name: 'traces.get', input: { receipt: RECEIPT } }])
    expect(byReceipt.out).toBe(run.out)
  })

  test('tells one bid with every term, and says when none is called so', async () => {
    const run = await fovea(['trace', TRACE, '--bid', 'RETRY'], () => stored)
    const rows = run.out.trimEnd().split('\n').slice(2)
    expect(rows).toHaveLength(2)
    expect(rows[1]).toMatch(/recall:itm: relevance 0\.90, spread 0\.00, recency 0\.00, importance 0\.00/)
    const dropped = await fovea(['trace', TRACE, '--bid', 'screenshot'], () => stored)
    expect(dropped.out).toContain('its text was never made')
    expect((await fovea(['trace', TRACE, '--bid', 'walrus'], () => stored)).out).toContain(
      'no bid is called that',
    )
  })

  test('--json prints what is stored, as one value', async () => {
    const run = await fovea(['trace', TRACE, '--json'], () => stored)
    expect(JSON.parse(run.out)).toEqual(JSON.parse(JSON.stringify(stored)))
    const list = await fovea(['trace', '--json'], () => ({ traces: [line] }))
    expect(JSON.parse(list.out).traces).toHaveLength(1)
  })

  test.each([
    ['an id that is none', ['trace', 'nonsense'], '"nonsense" is no trace'],
    ['a gate that is none', ['trace', '--gate', 'x'], '"x" is no gate'],
    ['a limit that is no number', ['trace', '--limit', 'many'], '"many" is not a whole number'],
    ['two that are no traces', ['compare', TRACE, RECEIPT], `"${RECEIPT}" is no trace`],
  ])('%s is wrong usage, and nothing is asked', async (_what, argv, words) => {
    const run = await fovea(argv)
    expect([run.code, run.seen, run.out]).toEqual([2, [], ''])
    expect(run.err).toContain(words)
    const asJson = await fovea([...argv, '--json'])
    expect(JSON.parse(asJson.out).error).toMatchObject({ code: 'bad-input' })
  })

  test('an id that is not kept is an error of one line, and exit code 1', async () => {
    const run = await fovea(['trace', OTHER], () => {
      throw new AppError('not-found', `There is no trace ${OTHER}.`)
    })
    expect([run.code, run.out, run.err]).toEqual([1, '', `fovea: There is no trace ${OTHER}.\n`])
  })

  test('two can be compared: what fared differently, and what moved it', async () => {
    const side = (verdict: string, level: string | null, salience: number) => ({
      verdict,
      level,
      reason: verdict === 'dropped' ? 'zone' : null,
      detail: '',
      salience,
      tokens: 9,
    })
    const differences = [
      {
        bid: 'scene',
        source: 'visual-scene',
        title: 'A screenshot',
        before: side('dropped', null, 0.1),
        after: side('kept', 'L0', 0.4),
        moved: [
          { name: 'relevance', from: 0.1, to: 0.8 },
          { name: 'recency', from: 0.421, to: 0.424 },
        ],
      },
      { bid: 'new', source: 'recall', title: 'New', before: null, after: side('kept', 'L0', 1), moved: [] },
    ]
    const run = await fovea(['compare', TRACE, OTHER], () => ({ differences }))
    expect(run.seen).toEqual([{ name: 'traces.compare', input: { before: TRACE, after: OTHER } }])
    expect(run.out).toBe(
      [
        'out (zone) 0.100 → L0 0.400  visual-scene  A screenshot',
        '    relevance 0.10 → 0.80',
        'no bid → L0 1.000  recall  New',
        '',
      ].join('\n'),
    )
    const same = await fovea(['compare', TRACE, OTHER], () => ({ differences: [] }))
    expect(same.out).toBe('every bid fared the same\n')
  })
})

describe('fovea turn', () => {
  const answer = () => ({
    frame: '[[fovea:begin]]\nremembered\n[[fovea:end]]',
    receipt: { id: RECEIPT, path: 'hybrid', budget: { spent: 240, total: 500 } },
    trace: TRACE,
    session: 'claude-code:aaaa',
    zone: 'amber',
    mode: 'engaged',
  })

  test('prints the context alone, and beside it for whom it is', async () => {
    const run = await fovea(['turn'], answer)
    expect(run.seen).toEqual([{ name: 'turn.run', input: { plane: 'garnish' } }])
    expect(run.out).toBe('[[fovea:begin]]\nremembered\n[[fovea:end]]\n')
    expect(run.err).toBe(`${RECEIPT}  hybrid  240 of 500 tokens  amber, engaged  claude-code:aaaa\n`)
  })

  test('hands on what was asked for', async () => {
    const asked = ['--goal', 'mend it', '--project', 'shop', '--budget', '500', '--tokenizer', 'chars4']
    const run = await fovea(['turn', 'aaaa-1', ...asked, '--plane', 'review', '--in-window'], answer)
    expect(run.seen[0]?.input).toEqual({
      session: 'aaaa-1',
      goal: 'mend it',
      project: 'shop',
      plane: 'review',
      inWindow: true,
      budget: 500,
      tokenizer: 'chars4',
    })
  })

  test('--json prints the whole answer', async () => {
    expect(JSON.parse((await fovea(['turn', '--json'], answer)).out)).toEqual(answer())
  })

  test.each([
    [['turn', '--budget', 'lots'], '"lots" is not a whole number'],
    [['turn', '--tokenizer', 'abacus'], 'There is no tokenizer "abacus": o200k, cl100k, chars4.'],
  ])('%s is wrong usage, and nothing is asked', async (argv, words) => {
    const run = await fovea(argv)
    expect([run.code, run.seen]).toEqual([2, []])
    expect(run.err).toContain(words)
  })

  test('a session that is not there is an error of one line', async () => {
    const run = await fovea(['turn', 'nobody'], () => {
      throw new AppError('not-found', 'Memory holds no one session “nobody”. Give its whole id, or a goal.')
    })
    expect([run.code, run.out]).toEqual([1, ''])
    expect(run.err).toBe('fovea: Memory holds no one session “nobody”. Give its whole id, or a goal.\n')
  })
})
