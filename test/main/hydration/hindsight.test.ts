import { describe, expect, test } from 'vitest'
import {
  compareReceipts,
  giveFeedback,
  hydrate,
  lastTry,
  listFeedback,
  listPlanes,
  planeNamed,
  removePlane,
  replay,
  savePlane,
  shippedPlanes,
  undoFeedback,
} from '../../../src/main/hydration'
import { eventIn } from '../../../src/main/hydration/events'
import type { Handle } from '../../../src/shared/domain'
import type { HydrateRequest } from '../../../src/shared/recall'
import { changeReceipts } from '../../packed'
import { temporaryDb } from '../../support'
import { memory, NOW, remember } from './memory'

const DAY = 86_400_000
const ask = (goal: string, rest: Partial<HydrateRequest> = {}): HydrateRequest => ({
  goal,
  plane: 'execution',
  budget: 600,
  tokenizer: 'chars4',
  viewer: 'person',
  asOf: NOW,
  ...rest,
})

describe('feedback on a fact', () => {
  const texts = ['The webhook retries with backoff', 'The webhook secret rotates monthly', 'Lunch is at noon']

  test('never again keeps it out, says so, and undoing brings it back', async () => {
    const write = temporaryDb()
    const [first = ''] = remember(
      write,
      texts.map((text) => ({ text })),
    )
    const ports = memory({ db: write }).ports
    const handle = first as Handle
    const before = (await hydrate(ports, ask('webhook'))).receipt
    expect(before.facts.map((fact) => fact.handle)).toContain(handle)
    const given = giveFeedback(write, { handle, verdict: 'never', receipt: before.id }, NOW)
    const without = (await hydrate(ports, ask('webhook'))).receipt
    expect(without.facts.map((fact) => fact.handle)).not.toContain(handle)
    expect(without.omitted).toContainEqual(expect.objectContaining({ handle, reason: 'never' }))
    undoFeedback(write, given.id, NOW)
    const after = (await hydrate(ports, ask('webhook'))).receipt
    expect(after.facts).toEqual(before.facts)
    expect(() => undoFeedback(write, given.id, NOW)).toThrow('No verdict stands under')
  })

  test('a pinned item stands in a frame that has nothing to do with it, an unpinned one does not', async () => {
    const write = temporaryDb()
    const [, lunch = ''] = remember(write, [
      { text: 'The webhook retries with backoff' },
      { text: 'Lunch is at noon', session: 'generic:s2' },
    ])
    const ports = memory({ db: write }).ports
    expect((await hydrate(ports, ask('webhook'))).frame).not.toContain('Lunch')
    giveFeedback(write, { handle: lunch as Handle, verdict: 'pin' }, NOW)
    const { frame, receipt } = await hydrate(ports, ask('webhook'))
    expect(frame).toContain('Lunch')
    expect(receipt.facts.find((fact) => fact.handle === lunch)?.seededBy).toContain('pin')
  })

  test('useful and wrong move the score, show as a term, and the newer verdict stands', async () => {
    const write = temporaryDb()
    const [first = ''] = remember(
      write,
      texts.map((text) => ({ text })),
    )
    const ports = memory({ db: write }).ports
    const handle = first as Handle
    const scoreOf = async (): Promise<number> =>
      (await hydrate(ports, ask('webhook'))).receipt.facts.find((fact) => fact.handle === handle)?.score ?? 0
    const plain = await scoreOf()
    giveFeedback(write, { handle, verdict: 'useful' }, NOW)
    expect(await scoreOf()).toBeGreaterThan(plain)
    giveFeedback(write, { handle, verdict: 'wrong' }, NOW)
    expect(await scoreOf()).toBeLessThan(plain)
    expect(listFeedback(write, [handle]).map((one) => one.verdict)).toEqual(['wrong'])
  })
})

describe('planes a person writes', () => {
  test('are checked, kept, used, and removed; one of a shipped name stands in its place until then', async () => {
    const write = temporaryDb()
    remember(write, [
      { text: 'The webhook retries', project: 'payments' },
      { text: 'The webhook of the other project', project: 'shop' },
    ])
    const segments = [{ name: 'payments', projects: ['payments'], share: 1 }]
    savePlane(write, { name: 'pay', budget: 400, segments, weights: { relevance: 1 } }, NOW)
    const { frame, receipt } = await hydrate(memory({ db: write }).ports, ask('webhook', { plane: 'pay' }))
    expect(frame).toContain('retries')
    expect(frame).not.toContain('other project')
    expect(receipt.request.segments).toEqual(['payments'])
    savePlane(write, { ...shippedPlanes[0], budget: 350 }, NOW)
    expect(planeNamed(write, 'garnish').budget).toBe(350)
    removePlane(write, 'garnish')
    expect(planeNamed(write, 'garnish').budget).toBe(300)
    expect(listPlanes(write).map((one) => one.policy.name)).toContain('pay')
    removePlane(write, 'pay')
    expect(() => planeNamed(write, 'pay')).toThrow('Known planes: garnish')
    expect(() => removePlane(write, 'garnish')).toThrow('came with Fovea')
  })

  test('a bad one is refused with the name of the field', () => {
    const write = temporaryDb()
    expect(() => savePlane(write, { ...shippedPlanes[0], budget: 1 }, NOW)).toThrow(
      'The budget must be at least 50.',
    )
    expect(() => savePlane(write, {}, NOW)).toThrow('The name is missing.')
  })
})

describe('what was reversed', () => {
  test('comes with what reversed it, and a plane without tension leaves it to chance', async () => {
    const write = temporaryDb()
    remember(write, [
      { text: 'Store the commit SHA in the checkpoint metadata', kind: 'decision', ts: NOW - 3 * DAY },
      {
        text: 'Remove the SHA from there again, it misleads after a rebase',
        kind: 'goal',
        ts: NOW - 2 * DAY,
      },
    ])
    const { receipt } = await hydrate(memory({ db: write }).ports, ask('commit SHA in checkpoint metadata'))
    const newer = receipt.facts.find((fact) => fact.kind === 'goal')
    expect(newer?.terms.tension).toBeGreaterThan(0)
    const older = receipt.facts.find((fact) => fact.kind === 'decision')
    expect(older?.terms.interference).toBeGreaterThan(0)
  })
})

describe('a goal that names a time', () => {
  const items = [
    { text: 'The export failed on disk space', ts: NOW - 40 * DAY },
    { text: 'The export failed on a timeout', ts: NOW - 2 * DAY },
  ]

  test('holds the frame to it and shows it in the receipt', async () => {
    const write = temporaryDb()
    remember(write, items)
    const { frame, receipt } = await hydrate(
      memory({ db: write }).ports,
      ask('why did the export fail in the last 7 days'),
    )
    expect(frame).toContain('timeout')
    expect(frame).not.toContain('disk space')
    expect(receipt.request.filters?.within?.phrase).toBe('in the last 7 days')
  })

  test('of which memory holds nothing is dropped, and said to be', async () => {
    const write = temporaryDb()
    remember(write, items)
    const { receipt } = await hydrate(memory({ db: write }).ports, ask('why did the export fail yesterday'))
    expect(receipt.facts.length).toBeGreaterThan(0)
    expect(receipt.request.filters?.dropped?.[0]).toContain('yesterday')
  })
})

describe('an event that a goal names', () => {
  const items = [
    { text: 'We keep refunds in one table', kind: 'decision' as const, ts: NOW - 30 * DAY },
    { text: '$ npm publish --access public', kind: 'command' as const, ts: NOW - 20 * DAY },
    { text: 'Refunds are split by month', kind: 'decision' as const, ts: NOW - 10 * DAY },
    { text: 'After the release we will write about refunds', kind: 'conclusion' as const, ts: NOW - 5 * DAY },
    { text: 'The payments schema was migrated.', kind: 'conclusion' as const, ts: NOW - 15 * DAY },
  ]
  const asked = async (goal: string) => {
    const write = temporaryDb()
    remember(write, items)
    return hydrate(memory({ db: write }).ports, ask(goal))
  }

  test('and memory tells the time of holds the frame to it, with the item that tells', async () => {
    const { frame, receipt } = await asked('what did we decide on refunds before the release?')
    expect(receipt.request.filters?.within).toMatchObject({
      phrase: 'before the release',
      since: null,
      until: NOW - 20 * DAY,
      event: { ts: NOW - 20 * DAY },
    })
    expect(frame).toContain('one table')
    expect(frame).not.toContain('split by month')
    const after = await asked('refunds since the payments migration')
    expect(after.frame).toContain('split by month')
    expect(after.frame).not.toContain('one table')
  })

  test('and memory does not know is said to be unknown, and nothing is left out for it', async () => {
    const { frame, receipt } = await asked('refunds before the ledger migration')
    expect(receipt.request.filters?.within).toBeUndefined()
    expect(receipt.request.filters?.dropped).toEqual(['Memory does not tell when "ledger migration" was.'])
    expect(frame).toContain('one table')
    expect(frame).toContain('split by month')
  })

  test.each([
    ['what broke after the last deploy', 'after the last deploy'],
    ['errors since our database upgrade, by module', 'since our database upgrade'],
    ['what was said before the meeting about refunds', null],
    ['finish the notes on refunds before the release', null],
    ['where is the heading after the merge button', null],
    ['retry until the deploy is through?', 'until the deploy'],
  ])('%s', (goal, phrase) => {
    expect(eventIn(goal)?.phrase ?? null).toBe(phrase)
  })
})

describe('the last try', () => {
  test('is the newest goal alike, with how it ended; the goal asked from is not its own', async () => {
    const write = temporaryDb()
    const goal = (text: string, session: string, ts: number): string =>
      remember(write, [{ text, kind: 'goal', session, ts }])[0] ?? ''
    const old = goal('Make the webhook retry', 'generic:a', NOW - 9 * DAY)
    const newer = goal('Make the webhook retry again', 'generic:b', NOW - 3 * DAY)
    goal('Paint the shed', 'generic:c', NOW - DAY)
    remember(write, [
      {
        text: 'Done: it retries',
        kind: 'conclusion',
        session: 'generic:a',
        ts: NOW - 9 * DAY + 5,
        goal: old,
      },
      { text: 'exit 1', kind: 'error', session: 'generic:b', ts: NOW - 3 * DAY + 5, goal: newer },
    ])
    const { ports } = memory({ db: write })
    const told = await lastTry(ports, { text: 'webhook retry', limit: 5 })
    expect(told.attempts.map((one) => [one.goal, one.outcome])).toEqual([
      [newer, 'failed'],
      [old, 'concluded'],
    ])
    expect(told.attempts[1]?.end?.text).toContain('it retries')
    expect(told.near).toBe(true)
    const other = await lastTry(ports, { text: 'webhook retry', limit: 5, except: newer })
    expect(other.attempts.map((one) => one.goal)).toEqual([old])
  })

  test('says so when nothing like it was tried', async () => {
    const write = temporaryDb()
    remember(write, [{ text: 'Paint the shed', kind: 'goal' }])
    const told = await lastTry(memory({ db: write }).ports, { text: 'xylophone', limit: 5 })
    expect(told).toMatchObject({ attempts: [], near: false, reason: 'No goal in memory is like it.' })
  })

  test('one word in common among several makes no attempt of what is only the nearest', async () => {
    const write = temporaryDb()
    remember(write, [{ text: 'Paint the shed behind the house in green', kind: 'goal' }])
    const asked = { text: 'migrate the invoices of the shed to the ledger table', limit: 5 }
    const told = await lastTry(memory({ db: write }).ports, asked)
    expect(told.attempts).toHaveLength(1)
    expect(told.near).toBe(false)
  })
})

test('a receipt tells in which zone its days were counted, and one from before that still replays the same', async () => {
  const write = temporaryDb()
  remember(write, [{ text: 'The webhook retries with backoff' }])
  const { ports } = memory({ db: write })
  const { receipt } = await hydrate(ports, ask('webhook'))
  expect(receipt.request.zone).toBe(Intl.DateTimeFormat().resolvedOptions().timeZone)
  expect((await replay(ports, receipt.id)).same).toBe(true)
  changeReceipts(write, (body) => body.replace(/"zone":"[^"]*",/, ''))
  expect((await replay(ports, receipt.id)).same).toBe(true)
  changeReceipts(write, (body) => body.replace('"words":', '"zone":"Mars/Olympus","words":'))
  expect((await replay(ports, receipt.id)).same).toBe(false)
})

test('a receipt whose goal was erased is not asked again', async () => {
  const write = temporaryDb()
  remember(write, [{ text: 'The webhook retries with backoff' }])
  const { ports } = memory({ db: write })
  const { receipt } = await hydrate(ports, ask('webhook'))
  changeReceipts(write, (body) => body.replace(/"request":\{"goal":"[^"]*"/, '"request":{"goal":"[erased]"'))
  await expect(replay(ports, receipt.id)).rejects.toMatchObject({ code: 'unsupported' })
})

test('two receipts compared name what only one holds, and the parts of the request that differ', async () => {
  const write = temporaryDb()
  remember(write, [{ text: 'The webhook retries' }])
  const ports = memory({ db: write }).ports
  const before = (await hydrate(ports, ask('webhook'))).receipt
  const [added] = remember(write, [{ text: 'The webhook also signs its body' }])
  const after = (await hydrate(ports, ask('webhook', { budget: 700 }))).receipt
  const compared = compareReceipts(write, before.id, after.id)
  expect(compared.added).toEqual([added])
  expect(compared.removed).toEqual([])
  expect(compared.request).toEqual([{ field: 'budget', before: '600', after: '700' }])
})
