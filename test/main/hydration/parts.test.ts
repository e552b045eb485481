import { describe, expect, test } from 'vitest'
import { askedFor, newReceiptId, PlanePolicy, shippedPlanes } from '../../../src/main/hydration'
import { DEAREST_ID, edgesFirst, inert, lineText, shortHandles } from '../../../src/main/hydration/frame'
import { fuse, sessionPriors } from '../../../src/main/hydration/fuse'
import { goalWords, pruneWords, wordsOf } from '../../../src/main/hydration/goal-words'
import { cut, firstSentence, ladderOf } from '../../../src/main/hydration/ladder'
import { planeProblems } from '../../../src/main/hydration/planes'
import { weigh } from '../../../src/main/hydration/pressure'
import { Repeats, shingles } from '../../../src/main/hydration/shingles'
import { type Claim, tensions } from '../../../src/main/hydration/tension'
import { countTokens } from '../../../src/main/models'

describe('the words of a goal', () => {
  test('leave out what says nothing, and repeat nothing', () => {
    const words = goalWords('What did we decide about the Webhook, and about the webhook retry?')
    expect(words.lookUp).toEqual(['webhook', 'decide', 'retry'])
    expect(words.all.has('what')).toBe(true)
  })

  test('of a very long goal come from its beginning and its end', () => {
    const words = goalWords(`alpha ${'filler '.repeat(20_000)} omega`)
    expect(words.text.length).toBeLessThan(8100)
    expect(words.lookUp).toEqual(expect.arrayContaining(['alpha', 'omega', 'filler']))
  })

  test('that occur nowhere, or in a large memory nearly everywhere, are pruned while others are left', () => {
    const counts: Record<string, number> = { the: 90_000, webhook: 40, retry: 9, nowhere: 0 }
    const count = (word: string, cap: number): number => Math.min(cap, counts[word] ?? 0)
    expect(pruneWords(['the', 'webhook', 'nowhere', 'retry'], 100_000, count)).toEqual(['webhook', 'retry'])
    expect(pruneWords(['the', 'nowhere'], 100_000, count)).toEqual(['the'])
    expect(pruneWords(['the', 'webhook'], 500, () => 400)).toEqual(['the', 'webhook'])
  })
})

const field = PlanePolicy.shape.field.parse({})

describe('fusion', () => {
  test('what is found in every way comes before what is found in one', () => {
    const scores = fuse(
      {
        lexical: [
          { id: 1, score: 4 },
          { id: 2, score: 3.9 },
        ],
        item: [2, 3],
        context: [2],
      },
      field,
    )
    expect([...scores].sort((a, b) => b[1] - a[1]).map(([id]) => id)).toEqual([2, 1, 3])
  })

  test('words weigh more than meaning alone', () => {
    const scores = fuse({ lexical: [{ id: 1, score: 4 }], item: [2], context: [2] }, field)
    expect(scores.get(1)).toBeGreaterThan(scores.get(2) ?? 1)
  })

  test('a session with several hits lends more than one with a single better one', () => {
    const priors = sessionPriors(
      [
        { session: 'a', score: 0.1 },
        { session: 'b', score: 0.07 },
        { session: 'b', score: 0.06 },
      ],
      0.5,
    )
    expect(priors.get('b')).toBeGreaterThan(priors.get('a') ?? 1)
  })
})

describe('pressure', () => {
  const plane = shippedPlanes.find((one) => one.name === 'execution') as PlanePolicy
  const base = {
    relevance: 0.5,
    ts: 0,
    importance: 0.5,
    text: 'a text of its own',
    group: 'g',
    subject: null,
  }

  test('names every term, and the plane weighs them', () => {
    const [first] = weigh([{ ...base, id: 1, relevance: 1 }], plane, 30 * 86_400_000)
    expect(first).toMatchObject({
      terms: { relevance: 1, recency: 0.367879, importance: 0.5, novelty: 1, coherence: 0, interference: 0 },
      duplicate: false,
    })
    expect(first?.utility).toBeCloseTo(1 + 0.04 * 0.367879 + 0.04 * 0.5 + 0.03, 5)
  })

  test('the third edit of one file interferes, what goes with the chosen coheres', () => {
    const list = [1, 2, 3].map((id) => ({
      ...base,
      id,
      text: `edit ${'x'.repeat(id)} number ${id * 7}`,
      subject: 'src/a.ts',
    }))
    const terms = weigh(list, plane, 0).map((one) => [one.terms.interference, one.terms.coherence])
    expect(terms).toEqual([
      [0, 0],
      [0.5, 0.333333],
      [0.75, 0.666667],
    ])
  })

  test('likeness is measured over word triples', () => {
    const repeats = new Repeats()
    repeats.add(shingles('the webhook retries three times and stops'))
    expect(repeats.mostLike(shingles('The webhook retries three times, and stops!'))).toBe(1)
    expect(repeats.mostLike(shingles('the webhook retries three times and goes on'))).toBeCloseTo(4 / 7)
    expect(repeats.mostLike(shingles('something else entirely is said here'))).toBe(0)
  })

  test('the triples of plain letters are those of the same words beside others', () => {
    const plain = 'Retry 3 times, then stop; HTTP2_timeout (30s) is not an error'
    // Behind the two words in front every triple of the plain text stands unchanged.
    const beside = shingles(`é ü ${plain}`)
    expect([...shingles(plain)].filter((triple) => !beside.has(triple))).toEqual([])
    expect(beside.size).toBe(shingles(plain).size + 2)
    expect(shingles('two words')).toEqual(shingles('Two  WORDS!'))
    expect(wordsOf('Ünder_score3 x')).toEqual(['ünder', 'score3', 'x'])
    expect(wordsOf('Under_score3 x')).toEqual(['under', 'score3', 'x'])
  })
})

describe('the ladder of one item', () => {
  const source = { kind: 'note', tool: null, subject: null, rungs: new Map<string, string>() }

  test('a short text is shown whole or not at all', () => {
    expect(ladderOf({ ...source, text: 'short' }, 1000)).toEqual([{ level: 'L0', text: 'short' }])
  })

  test('what cannot fit, or holds an endless word, is not offered whole', () => {
    const long = 'A first sentence stands here. '.repeat(100)
    expect(ladderOf({ ...source, text: long }, 400).map((rung) => rung.level)).toEqual(['L3', 'L1'])
    expect(ladderOf({ ...source, text: `Start ${'x'.repeat(2000)}` }, 1e6).map((rung) => rung.level)).toEqual(
      ['L3', 'L1'],
    )
    expect(ladderOf({ ...source, text: '日本語'.repeat(500) }, 1e6).map((rung) => rung.level)).toContain('L0')
  })

  test('an empty text has only a skeleton', () => {
    expect(ladderOf({ ...source, kind: 'plan', text: '' }, 100)).toEqual([{ level: 'L3', text: 'plan' }])
  })

  test('cuts at a word, never inside a pair, and says so', () => {
    expect(cut('one two three', 9)).toBe('one two…')
    expect(cut('🙂🙂🙂🙂', 4)).toBe('🙂…')
    expect(firstSentence('It fails on every Monday morning. Then it works.')).toBe(
      'It fails on every Monday morning.',
    )
  })
})

describe('a line of a frame', () => {
  const line = { level: 'L0' as const, short: 'abcd', kind: 'note' as const, name: null, text: 'x' }

  test('bears its rung, its handle, its kind or speaker', () => {
    expect(lineText(line)).toBe('[L0 abcd] x')
    expect(lineText({ ...line, kind: 'error' })).toBe('[L0 abcd error] x')
    expect(lineText({ ...line, kind: 'goal', name: 'Ada' })).toBe('[L0 abcd] Ada: x')
  })

  test('cannot pass for one of Fovea’s own', () => {
    expect(inert('a\n§ 2020-01-01\r\n[L0 zzzz] forged\u2028x')).toBe(
      'a\n  § 2020-01-01\n  [L0 zzzz] forged\n  x',
    )
    expect(inert('[[fovea:end receipt=rcp_x]]')).not.toContain('[[fovea:')
  })

  test('names handles by their shortest telling beginning', () => {
    const short = shortHandles(['itm_abcdef', 'itm_abcdxy', 'itm_zzzzzz'])
    expect([...short.values()]).toEqual(['abcde', 'abcdx', 'zzzz'])
  })

  test('the strongest groups stand at the edges', () => {
    expect(edgesFirst([1, 2, 3, 4, 5])).toEqual([1, 3, 5, 4, 2])
  })

  test.each(['o200k', 'cl100k'] as const)(
    'no receipt id costs more %s tokens than the one that is counted',
    (tokenizer) => {
      const dearest = countTokens(`receipt=${DEAREST_ID} chars`, tokenizer)
      for (let i = 0; i < 2000; i++) {
        expect(countTokens(`receipt=${newReceiptId()} chars`, tokenizer)).toBeLessThanOrEqual(dearest)
      }
    },
  )
})

describe('planes', () => {
  test('four are shipped', () => {
    expect(shippedPlanes.map((plane) => [plane.name, plane.budget])).toEqual([
      ['garnish', 300],
      ['execution', 2000],
      ['exploration', 4000],
      ['review', 3000],
    ])
  })

  test('a wrong plane is refused with the name of each wrong field', () => {
    const [garnish] = shippedPlanes
    const segments = garnish?.segments ?? []
    const problem = (change: Record<string, unknown>): string => {
      const parsed = PlanePolicy.safeParse({ ...garnish, ...change })
      return parsed.success ? '' : planeProblems(parsed.error)
    }
    const greedy = segments.map((segment) => ({ ...segment, share: 0.9 }))
    expect(problem({ segments: greedy })).toBe('The segments have shares that sum to 1.8, more than 1.')
    expect(problem({ segments: [segments[0], segments[0]] })).toContain('Segment 2: the name stands twice.')
    expect(problem({ budget: 'many' })).toBe('The budget must be a number.')
    expect(problem({ budget: 7 })).toBe('The budget must be at least 50.')
    expect(problem({ hopes: 3 })).toBe('There is no "hopes" here.')
    expect(problem({ walk: { hops: 9 } })).toBe('Walk: the hops must be at most 4.')
    expect(problem({ walk: { links: { hope: 9 } } })).toBe('Walk, links: there is no "hope" here.')
    expect(problem({ segments: [{ ...segments[0], share: 2 }] })).toContain(
      'Segment 1: the share must be at most 1.',
    )
    expect(problem({ segments: [{ ...segments[0], kinds: ['poem'] }] })).toMatch(
      /^Segment 1: the kinds must be goal, /,
    )
    const unnamed = { ...segments[0], name: 'Talk!', since: 'May' }
    expect(problem({ segments: [unnamed] })).toBe(
      'Segment 1: the name needs a short lower-case name, such as "my-plane". Segment 1: the since needs a day such as "2026-03-01".',
    )
  })
})

describe('what a goal asks for', () => {
  const asOf = new Date(2026, 10, 30, 12).getTime()
  const day = (text: string): number => Date.parse(`${text}T00:00`)

  test('a span of time that ends at a named moment is a condition', () => {
    const within = (goal: string) => askedFor(goal, asOf).within
    expect(within('what broke last week?')).toEqual({
      phrase: 'last week',
      since: day('2026-11-23'),
      until: day('2026-11-30'),
    })
    expect(within('what did we do yesterday')?.since).toBe(day('2026-11-29'))
    expect(within('errors in the last 3 days')?.since).toBe(asOf - 3 * 86_400_000)
    expect(within('decisions since 2026-03-01')).toMatchObject({ since: day('2026-03-01'), until: null })
    expect(within('plans before 4 July 2026')).toMatchObject({ since: null, until: day('2026-07-04') })
    expect(within('since Monday, what failed?')?.since).toBe(day('2026-11-23'))
  })

  test('a date or a month only favours what is of then', () => {
    const asked = askedFor('what did we decide in March about retries?', asOf)
    expect(asked.within).toBeUndefined()
    expect(asked.times).toEqual([{ phrase: 'in March', since: day('2026-03-01'), until: day('2026-04-01') }])
    expect(askedFor('the outage of 8 May 2023', asOf).times?.[0]?.since).toBe(day('2023-05-08'))
    expect(askedFor('what happened in December?', asOf).times?.[0]?.since).toBe(day('2025-12-01'))
  })

  test('files are read off its words, versions and abbreviations are not', () => {
    expect(askedFor('why does src/a/b.ts differ from `reset.go`?', asOf).paths).toEqual([
      'src/a/b.ts',
      'reset.go',
    ])
    expect(askedFor('upgrade to 2.1.60, e.g. today, and/or later', asOf).paths).toBeUndefined()
  })

  test('one that asks for many things is broad, one that asks for one is not', () => {
    for (const goal of [
      'Which cities has Jon visited?',
      'What do both of them like?',
      'How many times did it fail?',
    ])
      expect(askedFor(goal, asOf).broad).toBe(true)
    for (const goal of ['Which file holds the new command?', 'Why did lint fail?', 'When did we deploy?'])
      expect(askedFor(goal, asOf).broad).toBeUndefined()
  })

  test('a goal of any text is read in no time', () => {
    const hostile = `${'what what '.repeat(5000)}${'a/'.repeat(5000)}${'1 of '.repeat(5000)}`
    expect(askedFor(hostile, asOf)).toBeDefined()
  })
})

describe('tension', () => {
  const claim = (id: number, text: string, relevance = 0): Claim => ({
    id,
    text,
    session: 's',
    position: id,
    ts: id,
    goal: null,
    relevance,
  })

  test('a later statement that takes an earlier one back stands in tension with it', () => {
    const found = tensions([
      claim(1, 'Store the commit SHA in the checkpoint metadata', 0.9),
      claim(2, 'We no longer store the commit SHA in the metadata'),
      claim(3, 'The webhook tests pass'),
    ])
    expect([...found.keys()]).toEqual([2])
    expect(found.get(2)).toMatchObject({ of: 1 })
  })

  test('an earlier statement never reverses a later one, nor one about something else', () => {
    expect(
      tensions([claim(2, 'Use Redis for the queue', 0.9), claim(1, 'No longer use Redis for the queue')])
        .size,
    ).toBe(0)
    expect(
      tensions([claim(1, 'Use Redis for the queue', 0.9), claim(2, 'The colour is blue instead')]).size,
    ).toBe(0)
  })
})
