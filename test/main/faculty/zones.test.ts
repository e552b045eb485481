import { describe, expect, test } from 'vitest'
import {
  attentionMode,
  CALM,
  onSignal,
  onTurn,
  type SignalKind,
  type ZoneState,
} from '../../../src/main/faculty'

const T = 1_000_000
const heard = (state: ZoneState, ...signals: [SignalKind, number][]): ZoneState =>
  signals.reduce((now, [kind, at]) => onSignal(now, kind, at).state, state)

describe('a faculty’s zone', () => {
  test.each([
    ['alert', 'red'],
    ['safety', 'red'],
    ['mention', 'amber'],
    ['gate-opened', 'amber'],
    ['scene-change', 'green'],
    ['gossip', 'green'],
    ['failing-command', 'green'],
  ] as const)('after one %s is %s', (kind, zone) => {
    expect(onSignal(CALM, kind, T).state.zone).toBe(zone)
  })

  test('turns amber when what only queues comes again within a minute, and not later', () => {
    expect(heard(CALM, ['gossip', T], ['gossip', T + 60_000]).zone).toBe('amber')
    expect(heard(CALM, ['gossip', T], ['gossip', T + 60_001]).zone).toBe('green')
    expect(heard(CALM, ['gossip', T], ['scene-change', T + 1]).zone).toBe('green')
  })

  test('is only ever raised by events', () => {
    expect(heard(CALM, ['alert', T], ['mention', T + 1], ['gossip', T + 2], ['gossip', T + 3]).zone).toBe(
      'red',
    )
  })

  test('steps down once a quiet turn, and stays while something stirs', () => {
    let state = heard(CALM, ['alert', T])
    const zones = [1, 2, 3, 4].map((n) => {
      state = onTurn(state, T + n * 1000).state
      return state.zone
    })
    expect(zones).toEqual(['red', 'amber', 'green', 'green'])
  })

  test('is green after five quiet minutes, however red it was', () => {
    const first = onTurn(heard(CALM, ['alert', T]), T + 1000).state
    expect(onTurn(first, T + 299_999).state.zone).toBe('amber')
    expect(onTurn(first, T + 300_000)).toMatchObject({
      state: { zone: 'green' },
      change: { from: 'red', to: 'green', cause: 'five quiet minutes' },
    })
  })

  test('makes the mode: ambient while green, engaged otherwise', () => {
    expect((['green', 'amber', 'red'] as const).map(attentionMode)).toEqual(['ambient', 'engaged', 'engaged'])
  })
})
