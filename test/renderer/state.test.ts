import type { GateLine } from '@shared/review'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { CallError } from '../../src/renderer/client'
import { defaultAction } from '../../src/renderer/gate-review/default-action'
import { versionsOf } from '../../src/renderer/gate-review/versions'
import { keyName, neighbour } from '../../src/renderer/lib/keys'
import { throttle } from '../../src/renderer/live'
import { queueOf, useDesk, useGate } from '../../src/renderer/state/gates'
import { createRemote } from '../../src/renderer/state/remote'
import { useArcs, useItem, useTimeline } from '../../src/renderer/state/timeline'
import { fakeClient } from './fake-client'
import { gateId, gateLines } from './fake-data'

describe('a question to main', () => {
  test('drops a late answer to an earlier question', async () => {
    const answers = new Map<string, (value: string) => void>()
    const store = createRemote(
      ({ id }: { id: string }) => new Promise<string>((done) => answers.set(id, done)),
    )
    const first = store.getState().load({ id: 'a' })
    const second = store.getState().load({ id: 'b' })
    answers.get('b')?.('answer b')
    answers.get('a')?.('answer a')
    await Promise.all([first, second])
    expect(store.getState()).toMatchObject({ status: 'ready', value: 'answer b' })
  })

  test('keeps the old answer on screen while the same is asked again, also when that fails', async () => {
    let works = true
    const store = createRemote(async () => {
      if (!works) throw new CallError({ code: 'busy', message: 'busy', retryable: true })
      return 1
    })
    await store.getState().load({})
    works = false
    await store.getState().refresh()
    expect(store.getState()).toMatchObject({ status: 'failed', value: 1, error: { message: 'busy' } })
  })

  test('forgets the old answer when something else is asked', async () => {
    const store = createRemote(({ id }: { id: number }) =>
      id === 1 ? Promise.resolve(id) : new Promise<number>(() => {}),
    )
    await store.getState().load({ id: 1 })
    void store.getState().load({ id: 2 })
    expect(store.getState()).toMatchObject({ status: 'loading', value: null })
  })
})

describe('the gate desk', () => {
  beforeEach(() => {
    vi.useFakeTimers()
    vi.stubGlobal('window', { fovea: fakeClient('full') })
    useDesk.setState({ selected: null, notes: '', deciding: false })
    useGate.getState().reset()
  })
  afterEach(() => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })

  test('open gates wait oldest first, decided ones follow newest first', () => {
    const queue = queueOf(gateLines)
    const times = (lines: GateLine[]): number[] => lines.map((line) => line.createdAt)
    expect(times(queue.open)).toEqual([...times(queue.open)].sort((a, b) => a - b))
    expect(times(queue.decided)).toEqual([...times(queue.decided)].sort((a, b) => b - a))
    expect(queue.open.length + queue.decided.length).toBe(gateLines.length)
  })

  test('a draft survives leaving the gate and coming back', async () => {
    await useDesk.getState().select(gateId(1))
    useDesk.getState().type('Keep the old view')
    await useDesk.getState().select(gateId(2))
    expect(useDesk.getState().notes).toBe('')
    await useDesk.getState().select(gateId(1))
    expect(useDesk.getState().notes).toBe('Keep the old view')
  })

  test('the numbers of a prediction stay away until the decision', async () => {
    await useDesk.getState().select(gateId(1))
    expect(useGate.getState().value?.prediction).toMatchObject({ peeked: false, revealed: null })
    useDesk.getState().type('Keep the old view')
    await useDesk.getState().decide('correct')
    expect(useGate.getState().value).toMatchObject({
      status: 'decided',
      decision: { outcome: 'correct', notes: 'Keep the old view' },
      prediction: { revealed: { engine: 'case' } },
    })
  })

  test('a gate is decided once', async () => {
    await useDesk.getState().select(gateId(1))
    await useDesk.getState().decide('approve')
    await useDesk.getState().decide('reject')
    expect(useGate.getState().value?.outcome).toBe('approve')
  })

  test('the highlighted button follows the notes', () => {
    expect(defaultAction('')).toBe('approve')
    expect(defaultAction(' \n')).toBe('approve')
    expect(defaultAction('no')).toBe('correct')
  })
})

describe('the timeline', () => {
  beforeEach(() => vi.stubGlobal('window', { fovea: fakeClient('full') }))
  afterEach(() => vi.unstubAllGlobals())

  test('pages through every arc once and knows the end', async () => {
    await useArcs.getState().start(null)
    while (!useArcs.getState().end) await useArcs.getState().more()
    const { arcs, total } = useArcs.getState()
    expect(arcs).toHaveLength(total)
    expect(new Set(arcs.map((arc) => arc.id)).size).toBe(total)
  })

  test('another search leaves the item beside it, the same one again keeps it', () => {
    const view = useTimeline.getState
    view().search({ text: 'retry' })
    view().select(gateLines[0]?.id as never)
    view().search({ kind: 'goal' })
    view().search({ text: 'retry ' })
    expect(view().selected).not.toBeNull()
    view().search({ text: 'ledger' })
    expect(view().selected).toBeNull()
    expect(useItem.getState().value).toBeNull()
  })

  test('a refresh keeps what was paged in and what is open', async () => {
    await useArcs.getState().start(null)
    await useArcs.getState().more()
    const before = useArcs.getState().arcs.length
    await useArcs.getState().toggle('arc_0')
    await useArcs.getState().refresh()
    expect(useArcs.getState().arcs).toHaveLength(before)
    expect(useArcs.getState().open.arc_0?.items.length).toBeGreaterThan(0)
  })
})

describe('a throttled refresh', () => {
  beforeEach(() => vi.useFakeTimers())
  afterEach(() => vi.useRealTimers())

  test('runs at once, then once for everything that came meanwhile', async () => {
    let runs = 0
    const run = throttle(300, async () => {
      runs += 1
    })
    for (let i = 0; i < 10; i++) run()
    expect(runs).toBe(1)
    await vi.advanceTimersByTimeAsync(300)
    expect(runs).toBe(2)
    await vi.advanceTimersByTimeAsync(2000)
    expect(runs).toBe(2)
  })

  test('hardly lets one wait that comes now and then, and rests longer while they keep coming', async () => {
    const ran: number[] = []
    const run = throttle(300, async () => void ran.push(Date.now()))
    const began = Date.now()
    run()
    await vi.advanceTimersByTimeAsync(10)
    run()
    await vi.advanceTimersByTimeAsync(1000)
    expect(ran.map((at) => at - began)).toEqual([0, 50])
    ran.length = 0
    for (let ms = 0; ms < 1500; ms += 10) {
      run()
      await vi.advanceTimersByTimeAsync(10)
    }
    const rests = ran.slice(1).map((at, n) => at - (ran[n] ?? 0))
    expect(rests).toEqual([50, 100, 200, 300, 300, 300])
  })

  test('never runs twice at a time, and rests longer after a slow answer', async () => {
    let open = 0
    let most = 0
    let runs = 0
    const run = throttle(300, async () => {
      runs += 1
      open += 1
      most = Math.max(most, open)
      await new Promise((done) => setTimeout(done, 1000))
      open -= 1
    })
    run()
    await vi.advanceTimersByTimeAsync(500)
    run()
    await vi.advanceTimersByTimeAsync(3000)
    expect(runs).toBe(1)
    await vi.advanceTimersByTimeAsync(600)
    expect(runs).toBe(2)
    expect(most).toBe(1)
  })
})

test('a key has one name on every keyboard, and Cmd counts as Ctrl', () => {
  const press = { ctrlKey: false, metaKey: false, altKey: false }
  expect(keyName({ ...press, key: 'J' })).toBe('j')
  expect(keyName({ ...press, key: 'k', metaKey: true })).toBe('ctrl+k')
  expect(keyName({ ...press, key: 'ArrowDown' })).toBe('ArrowDown')
})

test('stepping through a list stays inside it', () => {
  expect(neighbour(['a', 'b'], 'b', 1)).toBe('b')
  expect(neighbour(['a', 'b'], null, 1)).toBe('a')
  expect(neighbour(['a', 'b'], 'gone', -1)).toBe('b')
  expect(neighbour([], null, 1)).toBeUndefined()
})

test('a gate that was decided in round 1 still shows version 1 after the plan was revised', () => {
  const version = (n: number) => ({ version: n, text: `v${n}`, createdAt: n, sha256: '', empty: false })
  const versions = [version(1), version(2), version(3)]
  expect(versionsOf({ round: 1, versions })).toMatchObject({ current: { text: 'v1' }, before: undefined })
  expect(versionsOf({ round: 3, versions })).toMatchObject({
    current: { text: 'v3' },
    before: { text: 'v2' },
  })
  expect(versionsOf({ round: 1, versions: [] }).current).toBeUndefined()
})
