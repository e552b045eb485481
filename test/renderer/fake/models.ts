import type { CallOutput, Handlers } from '@shared/contract'
import type { CuratorStatus, ModelSettings } from '@shared/models'

// Every state in which the work with a language model can be seen.

const CHOSEN = 'qwen3:8b'
const NOW = new Date(2026, 10, 26, 16, 20).getTime()

export function modelSettings(scenario: string): ModelSettings {
  return {
    curator: scenario === 'empty' || scenario === 'model-none' ? null : CHOSEN,
    proxy: null,
    host: 'http://127.0.0.1:11434',
    allowCloud: [],
    window: 8192,
    dailyTokens: 500_000,
    paused: scenario === 'model-paused',
    pauseOnBattery: true,
    pauseForGates: true,
  }
}

const rests: Record<string, Pick<CuratorStatus, 'state' | 'reason' | 'resumesAt'>> = {
  'model-paused': { state: 'paused', reason: 'Paused by hand.', resumesAt: null },
  'model-budget': {
    state: 'budget',
    reason: 'The day’s budget of tokens is spent.',
    resumesAt: new Date(2026, 10, 27).getTime(),
  },
  'model-failing': {
    state: 'waiting',
    reason: 'Ollama does not have this model.',
    resumesAt: NOW + 240_000,
  },
}

export function modelHandlers(
  scenario: string,
  settings: CallOutput<'settings.get'>,
): Pick<Handlers, 'models.list' | 'curator.status' | 'curator.estimate' | 'curator.retry'> {
  return {
    'models.list': () =>
      scenario === 'model-none' || scenario === 'empty'
        ? {
            reachable: false,
            models: [],
            refused: [],
            reason: 'No Ollama answers on http://127.0.0.1:11434.',
          }
        : {
            reachable: true,
            models: scenario === 'model-failing' ? ['llama3.2:3b'] : [CHOSEN, 'llama3.2:3b'],
            refused: ['gpt-oss:120b-cloud'],
            reason: null,
          },
    'curator.status': () => statusOf(scenario, settings.models),
    'curator.retry': () => ({ again: 17 }),
    'curator.estimate': () => ({
      subjects: [
        { kind: 'item', n: 4_210, tokens: 3_902_000 },
        { kind: 'arc', n: 1_120, tokens: 1_544_000 },
        { kind: 'cell', n: 96, tokens: 172_800 },
        { kind: 'session', n: 201, tokens: 241_000 },
      ],
      tokens: 5_859_800,
    }),
  }
}

export function statusOf(scenario: string, { curator, paused, dailyTokens }: ModelSettings): CuratorStatus {
  const working = { state: 'working' as const, reason: null, resumesAt: null }
  const byHand = { state: 'paused' as const, reason: 'Paused by hand.', resumesAt: null }
  const off = { state: 'off' as const, reason: null, resumesAt: null }
  const rest = curator === null ? off : paused ? byHand : (rests[scenario] ?? working)
  const spent = scenario === 'model-budget' ? 496_210 : 182_400
  return {
    ...rest,
    model: curator,
    left:
      curator === null
        ? { arcs: 0, rollups: 0, cells: 0, items: 0, tokens: 0 }
        : { arcs: 312, rollups: 44, cells: 96, items: 4_018, tokens: 4_120_000 },
    today: {
      calls: curator === null ? 0 : 141,
      requests: curator === null ? 0 : 144,
      failed: scenario === 'model-failing' ? 3 : 0,
      promptTokens: curator === null ? 0 : spent - 40_000,
      answerTokens: curator === null ? 0 : 40_000,
      ms: curator === null ? 0 : 1_904_000,
      budget: dailyTokens,
    },
    total:
      curator === null
        ? { calls: 0, requests: 0, promptTokens: 0, answerTokens: 0, ms: 0 }
        : { calls: 902, requests: 911, promptTokens: 1_002_400, answerTokens: 214_000, ms: 9_212_000 },
    made: curator === null ? 0 : 1_004,
    kept:
      curator === null
        ? []
        : [
            { reason: 'the model said what does not stand in the text', n: 17, again: true },
            { reason: 'the text gives orders to its reader', n: 3, again: false },
          ],
  }
}
