import { describe, expect, test } from 'vitest'
import { assemble, type Bid, CATALOGUE } from '../../../src/main/faculty'
import { bid, NOW, request, row } from './support'

describe('adaptive mode', () => {
  test('compresses what would be dropped', () => {
    const bids = [1, 2, 3, 4].map((n) => bid(`b${n}`, { lengths: [40, 400] }))
    const { trace } = assemble(bids, request({ budget: 150 }))
    expect(trace.rows.map(({ verdict }) => verdict).sort()).toEqual([
      'compressed',
      'compressed',
      'compressed',
      'kept',
    ])
  })

  test('stands the two most salient at the edges and the least in the middle, groups together', () => {
    const at = (id: string, relevance: number, more: Partial<Bid> = {}) =>
      bid(id, { terms: { relevance }, ...more })
    const bids = [
      at('weak', 0.1),
      at('best', 0.9),
      at('second', 0.8),
      at('third', 0.7),
      at('fourth', 0.6, { group: 'g', order: 2 }),
      at('mate', 0.2, { group: 'g', order: 1 }),
    ]
    const { trace } = assemble(bids, request())
    const order = [...trace.rows].sort((a, b) => (a.place ?? 0) - (b.place ?? 0)).map(({ bid: id }) => id)
    expect(order).toEqual(['best', 'third', 'weak', 'mate', 'fourth', 'second'])
  })

  test('keeps the most salient of bids that show the same', () => {
    const { trace } = assemble(
      [
        bid('a', { key: 'itm', terms: { relevance: 0.3 } }),
        bid('b', { key: 'itm', terms: { relevance: 0.6 } }),
      ],
      request(),
    )
    expect(row(trace, 'a')).toMatchObject({ verdict: 'dropped', reason: 'duplicate', detail: 'shown by b' })
  })

  test('leaves out what has next to no salience', () => {
    const { trace } = assemble([bid('nothing', { terms: {} })], request())
    expect(row(trace, 'nothing')).toMatchObject({ verdict: 'dropped', reason: 'floor' })
  })

  test('hears what the goal reaches over two hops, ever more faintly', () => {
    const edges: Record<string, string[]> = { goal: ['near'], near: ['far'], far: ['gone'] }
    const graph = (entity: string) => (edges[entity] ?? []).map((to) => ({ to, weight: 1 }))
    const bids = ['goal', 'near', 'far', 'gone'].map((entity) => bid(entity, { terms: {}, about: [entity] }))
    const { trace } = assemble(bids, request({ goal: { about: ['goal'] }, graph }))
    expect(['goal', 'near', 'far', 'gone'].map((id) => row(trace, id).terms.spread)).toEqual([
      1, 0.6, 0.36, 0,
    ])
  })

  test('forgets by exp(−age/τ) of the source', () => {
    const { tau } = CATALOGUE['working-memory']
    const { trace } = assemble(
      [bid('old', { source: 'working-memory', terms: {}, at: NOW - tau })],
      request(),
    )
    expect(row(trace, 'old').terms.recency).toBeCloseTo(Math.exp(-1), 12)
  })

  test('counts surprise and interrupts only for what the world brings up', () => {
    const loud = { surprise: 1, interrupt: 1 }
    const { trace } = assemble(
      [bid('own', { terms: loud }), bid('world', { terms: loud, modality: 'exogenous' })],
      request(),
    )
    expect([row(trace, 'own').salience, row(trace, 'world').salience]).toEqual([0, 1.5])
  })

  test('without scoring ranks by the catalogue', () => {
    const { trace } = assemble(
      [
        bid('map', { source: 'attention-map' }),
        bid('gossip', { source: 'group-activity', terms: { relevance: 1 } }),
      ],
      request({ scored: false }),
    )
    expect(row(trace, 'map').salience).toBeGreaterThan(row(trace, 'gossip').salience)
  })
})

describe('zones', () => {
  const scene = bid('scene', { source: 'visual-scene', text: 'a picture' })
  const phase = bid('phase', { source: 'telemetry' })
  const alarm = bid('alarm', { source: 'group-activity', terms: { interrupt: 1 } })
  const guard = bid('guard', { pin: true })
  const memory = bid('memory')
  const reasons = (zone: 'green' | 'amber' | 'red') =>
    assemble([scene, phase, alarm, guard, memory], request({ zone })).trace.rows.flatMap(
      ({ bid: id, reason }) => (reason === 'zone' ? [id] : []),
    )

  test('green lets everything in, amber drops the background, red also telemetry and gossip, never the interrupt', () => {
    expect([reasons('green'), reasons('amber'), reasons('red')]).toEqual([[], ['scene'], ['phase', 'scene']])
  })

  test('a bid with a floor speaks only from that zone on', () => {
    const late = bid('late', { zoneFloor: 'amber' })
    const verdict = (zone: 'green' | 'amber') =>
      row(assemble([late], request({ zone })).trace, 'late').verdict
    expect([verdict('green'), verdict('amber')]).toEqual(['dropped', 'kept'])
  })

  test('red halves the budget, but never below what pins and the interrupt need', () => {
    expect(assemble([guard], request({ zone: 'red', budget: 500 })).trace.budget).toBe(250)
    const needy = [
      bid('guard', { pin: true, lengths: [400] }),
      bid('alarm', { source: 'signal', lengths: [400], terms: { interrupt: 1 } }),
    ]
    const { trace } = assemble(needy, request({ zone: 'red', budget: 220 }))
    expect(trace.budget).toBe(201)
    expect(trace.rows.every(({ verdict }) => verdict === 'kept')).toBe(true)
  })
})
