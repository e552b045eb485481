import { describe, expect, test } from 'vitest'
import { canonicalReceipt, hydrate, savePlane, shippedPlanes } from '../../../src/main/hydration'
import { noveltySql, openRead } from '../../../src/main/store'
import { Receipt } from '../../../src/shared/recall'
import { ask, DAY, embedAll, memory, NOW, payments, putRung, remember, wordEmbedder } from './memory'

const executionPlane = shippedPlanes.find((plane) => plane.name === 'execution')

describe('a frame', () => {
  test('holds what the goal is about, each fact with its rung, handle and source, and what was left out', async () => {
    const { db, ports } = memory()
    const [goal = ''] = remember(db, payments)
    const { frame, receipt } = await hydrate(ports, ask('webhook retry'))
    expect(Receipt.parse(receipt)).toEqual(receipt)
    const fact = receipt.facts.find((one) => one.handle === goal)
    expect(fact).toMatchObject({
      level: 'L0',
      kind: 'goal',
      segment: 'talk',
      text: payments[0]?.text,
      pointer: { file: '/transcripts/a.jsonl', recordId: 'r0', line: 1, byteOffset: 0, byteLength: 100 },
    })
    expect(fact?.terms).toMatchObject({ relevance: expect.any(Number), novelty: 1 })
    expect(frame).toMatch(new RegExp(`\\[L0 ${goal.slice(4, 8)} goal\\] Make the payments webhook retry`))
    expect(frame).toContain(receipt.id)
    expect(frame).not.toContain('landing page')
  })

  test('a repetition counts less than what it repeats, an echo less than what nobody echoes', async () => {
    const { db, ports } = memory()
    const texts = ['The webhook retry is keyed by event id.', 'The retry of the webhook goes by event id.']
    const [first = '', again = ''] = remember(
      db,
      texts.map((text, n) => ({ text, session: `a:${n}`, project: 'shop' })),
    )
    const relevance = async (): Promise<number | undefined> => {
      const { receipt } = await hydrate(ports, ask('webhook retry event id'))
      return receipt.facts.find((fact) => fact.handle === again)?.terms.relevance
    }
    const before = (await relevance()) ?? 0
    const id = (handle: string): number =>
      db.get<{ id: number }>('SELECT id FROM items WHERE handle = ?', [handle])?.id ?? 0
    const repeat = { itemId: id(again), firstId: id(first), similarity: 0.8, receiptId: null }
    noveltySql.putRepeat(db, { ...repeat, kind: 'near' })
    expect(await relevance()).toBeCloseTo(before * 0.6, 4)
    noveltySql.putRepeat(db, { ...repeat, kind: 'echo' })
    expect(await relevance()).toBeCloseTo(before * 0.6, 4)
  })

  test('takes in what lies beside a hit, and says so', async () => {
    const { db, ports } = memory()
    remember(db, [
      { text: 'Shall we use Kestrel for the queue?', session: 's' },
      { text: 'Yes, it survived the load test.', session: 's' },
    ])
    const { receipt } = await hydrate(ports, ask('Kestrel'))
    expect(receipt.facts.map((fact) => [fact.seededBy, fact.hop])).toEqual([
      [['lexical'], 0],
      [['neighbour'], 1],
    ])
  })

  test('holds what came of a goal that is like this one', async () => {
    const { db, ports } = memory()
    const [goal = ''] = remember(db, [{ kind: 'goal', text: 'Upgrade the toolchain', session: 's' }])
    remember(db, [
      { kind: 'command', text: 'npm outdated', session: 's', goal },
      { kind: 'command', text: 'git status', session: 's', goal },
      { kind: 'conclusion', text: 'Everything is on current versions.', session: 's', goal },
    ])
    const { receipt } = await hydrate(ports, ask('toolchain'))
    const outcome = receipt.facts.find((fact) => fact.kind === 'conclusion')
    expect(outcome?.seededBy).toEqual(['goal'])
  })

  test('draws nothing newer than asOf', async () => {
    const { db, ports } = memory({ embedder: wordEmbedder })
    remember(db, [
      { text: 'the webhook was slow in spring', ts: NOW - 200 * DAY },
      { text: 'the webhook is quick now', ts: NOW - DAY },
    ])
    embedAll(db)
    const { receipt } = await hydrate(ports, ask('webhook', { asOf: NOW - 100 * DAY }))
    expect(receipt.facts.map((fact) => fact.text)).toEqual(['the webhook was slow in spring'])
  })

  test('of one project holds nothing of another', async () => {
    const { db, ports } = memory({ embedder: wordEmbedder })
    remember(db, payments)
    embedAll(db)
    const { receipt } = await hydrate(ports, ask('webhook landing page', { project: 'site' }))
    expect(new Set(receipt.facts.map((fact) => fact.project))).toEqual(new Set(['site']))
  })

  test('keeps what the person was told under pressure: long things get shorter before anything is dropped', async () => {
    const { db, ports } = memory()
    const filler =
      'The worker reads the queue and writes the ledger, then it waits for the next tick. '.repeat(40)
    const handles = remember(
      db,
      Array.from({ length: 12 }, (_, i) => ({
        text: `Webhook note number ${i}. ${filler} ${i}`,
        session: `s${i}`,
      })),
    )
    for (const [i, handle] of handles.entries()) {
      putRung(db, handle, 'L1', `Note ${i} says how the webhook worker reads its queue.`)
      putRung(db, handle, 'L3', `note · webhook, worker, queue ${i}`)
    }
    const { receipt } = await hydrate(ports, ask('webhook', { budget: 1600, tokenizer: 'o200k' }))
    expect(receipt.facts).toHaveLength(12)
    const whole = receipt.facts.filter((fact) => fact.level === 'L0' && !fact.part)
    expect(whole.length).toBeLessThan(7)
    savePlane(db, { ...executionPlane, name: 'no-excerpts', excerpt: 0 }, NOW)
    const without = ask('webhook', { budget: 1600, tokenizer: 'o200k', plane: 'no-excerpts' })
    const { receipt: plain } = await hydrate(ports, without)
    const levels = plain.facts.map((fact) => fact.level)
    expect(levels).toHaveLength(12)
    expect(levels).toContain('L0')
    expect(levels.filter((level) => level !== 'L0').length).toBeGreaterThan(5)
    const first = plain.facts.find((fact) => fact.level === 'L1')
    expect(first?.text).toMatch(/^Note \d+ says how/)
  })

  test('a missing rung is derived and named for what it is', async () => {
    const { db, ports } = memory()
    const long = `The webhook fails on Mondays. ${'More was said about other matters at length. '.repeat(400)}`
    remember(db, [{ text: long }])
    savePlane(db, { ...executionPlane, name: 'no-excerpts', excerpt: 0 }, NOW)
    const { frame, receipt } = await hydrate(ports, ask('webhook', { budget: 200, plane: 'no-excerpts' }))
    expect(receipt.facts[0]).toMatchObject({ level: 'L1', text: 'The webhook fails on Mondays.' })
    expect(frame).toContain('The webhook fails on Mondays.')
  })

  test('says what is past its edge', async () => {
    const { db, ports } = memory()
    remember(
      db,
      Array.from({ length: 60 }, (_, i) => ({
        text: `webhook ${i}: the ledger must balance, ${'so we check every entry again, '.repeat(3)}case ${i}`,
        session: `s${i % 5}`,
      })),
    )
    const { frame, receipt } = await hydrate(ports, ask('webhook', { budget: 600 }))
    expect(receipt.breadcrumbs[0]).toMatch(/^… \d+ more on \w+, \w+, [45] sessions, Nov 2026$/)
    expect(frame).toContain(receipt.breadcrumbs[0])
    expect(receipt.omitted.some((miss) => miss.reason === 'budget')).toBe(true)
  })

  test('says a thing once, and names its double', async () => {
    const { db, ports } = memory()
    const text = 'The webhook must be idempotent because the provider sends every event at least once.'
    const [one, two] = remember(db, [{ text }, { text: `${text} ` }])
    const { receipt } = await hydrate(ports, ask('webhook idempotent'))
    expect(receipt.facts.map((fact) => fact.handle)).toEqual([one])
    expect(receipt.omitted).toMatchObject([{ handle: two, reason: 'duplicate' }])
  })

  test('leaves room for a segment that few hits fall in', async () => {
    const { db, ports } = memory()
    remember(db, [
      ...Array.from({ length: 300 }, (_, i) => ({
        text: `webhook webhook webhook talk ${i}`,
        session: `t${i}`,
      })),
      {
        kind: 'error' as const,
        text: 'a long report in which the webhook is named only once among much else',
        session: 'w',
      },
    ])
    const { receipt } = await hydrate(ports, ask('webhook', { budget: 800 }))
    expect(receipt.facts.some((fact) => fact.segment === 'work')).toBe(true)
  })

  test('of an empty memory is an empty frame with a reason', async () => {
    const { frame, receipt } = await hydrate(memory().ports, ask('anything'))
    expect(frame).toContain('Nothing in memory for this goal.')
    expect(receipt).toMatchObject({ path: 'recency', facts: [] })
  })
})

describe('the way a frame was made is declared', () => {
  const notes = [{ text: 'the webhook retries' }, { text: 'the page is green' }]

  test('hybrid with a model', async () => {
    const { db, ports } = memory({ embedder: wordEmbedder })
    remember(db, notes)
    embedAll(db)
    const { receipt } = await hydrate(ports, ask('webhook'))
    expect(receipt).toMatchObject({ path: 'hybrid', model: 'words', paths: { talk: { path: 'hybrid' } } })
    expect(receipt.paths.talk?.reason).toBeUndefined()
  })

  test('hybrid, but some still wait for their vectors', async () => {
    const { db, ports } = memory({ embedder: wordEmbedder })
    remember(db, notes)
    embedAll(db)
    remember(db, [{ text: 'the webhook sleeps' }])
    db.run('INSERT INTO embed_queue (item_id) SELECT max(id) FROM items')
    const { receipt } = await hydrate(ports, ask('webhook'))
    expect(receipt.paths.talk).toEqual({
      path: 'hybrid',
      reason: '1 of 3 items still wait for their vectors.',
    })
  })

  test('lexical without a model', async () => {
    const { db, ports } = memory()
    remember(db, notes)
    const { receipt } = await hydrate(ports, ask('webhook'))
    expect(receipt.paths.talk).toEqual({
      path: 'lexical',
      reason: 'no embedding model: The model is not installed.',
    })
    expect(receipt.model).toBeNull()
  })

  test('lexical when the model fails in the middle', async () => {
    const broken = { ...wordEmbedder, embed: () => Promise.reject(new Error('out of memory')) }
    const { db, ports } = memory({ embedder: broken })
    remember(db, notes)
    embedAll(db)
    const { receipt } = await hydrate(ports, ask('webhook'))
    expect(receipt.paths.talk).toMatchObject({ path: 'lexical', reason: expect.stringContaining('failed') })
  })

  test('semantic when the goal has nothing but common words', async () => {
    const { db, ports } = memory({ embedder: wordEmbedder })
    remember(db, [{ text: 'what was it that we did then' }])
    embedAll(db)
    const { receipt } = await hydrate(ports, ask('what was it that we did'))
    expect(receipt.paths.talk).toEqual({ path: 'semantic', reason: 'There are no words to look up.' })
  })

  test('recency when there is neither a word nor a model', async () => {
    const { db, ports } = memory()
    remember(db, [{ text: 'older', ts: NOW - 2 * DAY }, { text: 'newer' }])
    const { receipt } = await hydrate(ports, ask('what was it'))
    expect(receipt.path).toBe('recency')
    expect(receipt.paths.talk?.reason).toMatch(/no words to look up\. no embedding model/)
    expect(receipt.facts.map((fact) => fact.seededBy)).toEqual([['recency'], ['recency']])
  })
})

describe('the same database, request and asOf', () => {
  test('give the same canonical receipt, byte for byte, also elsewhere and without earlier receipts', async () => {
    const { db, ports } = memory({ embedder: wordEmbedder })
    remember(
      db,
      Array.from({ length: 80 }, (_, i) => ({
        text: `webhook event ${i % 11} handled by worker ${i % 7}, ${i % 3 ? 'retry' : 'done'}`,
        session: `s${i % 6}`,
        kind: i % 4 ? ('note' as const) : ('error' as const),
        ts: NOW - (i % 30) * DAY,
      })),
    )
    embedAll(db)
    const request = ask('webhook retry worker 3', { budget: 700 })
    const first = canonicalReceipt((await hydrate(ports, request)).receipt)
    for (let i = 0; i < 50; i++) {
      if (i === 25) db.run('DELETE FROM receipts')
      const later = { ...ports, clock: () => NOW + i * DAY }
      expect(canonicalReceipt((await hydrate(later, request)).receipt)).toBe(first)
    }
    const read = openRead(db.path)
    expect(canonicalReceipt((await hydrate({ ...ports, read }, request)).receipt)).toBe(first)
    read.close()
  })
})
