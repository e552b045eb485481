import type { FoveaBridge } from '@shared/bridge'
import type { CallInput, CallName, CallOutput, EventName, Handlers } from '@shared/contract'
import type { Result } from '@shared/errors'
import type { IngestProgress } from '@shared/journal'
import type { GateDetail } from '@shared/review'
import { type Emit, gateHandlers } from './fake/gate-handlers'
import { hookHandlers } from './fake/hooks'
import { at } from './fake/ids'
import { modelHandlers, modelSettings } from './fake/models'
import { promptLines, promptTrace } from './fake/prompts'
import { queryAnswer } from './fake/query'
import * as data from './fake-data'

export type Scenario =
  | 'full'
  | 'empty'
  | 'first-run'
  | 'failing'
  | 'loading'
  | 'model-none'
  | 'model-paused'
  | 'model-budget'
  | 'model-failing'

/** What a screen needs of main, answered from invented data and typed by the contract. */
export function fakeClient(scenario: Scenario): FoveaBridge & { emit: Emit } {
  const listeners = new Map<EventName, Set<(payload: unknown) => void>>()
  const emit: Emit = (event, payload) => {
    for (const listener of listeners.get(event) ?? []) listener(payload)
  }
  const handlers = fakeHandlers(scenario, emit)
  return {
    emit,
    call: async (name, input) => {
      if (scenario === 'loading' && !calm.has(name)) return new Promise(() => {})
      if (scenario === 'failing' && !calm.has(name)) return failure
      const handler = handlers[name] as ((input: unknown) => unknown) | undefined
      if (!handler) return failure
      return { ok: true, value: await handler(input) }
    },
    on: (event, listener) => {
      const set = listeners.get(event) ?? new Set()
      listeners.set(event, set.add(listener))
      return () => set.delete(listener)
    },
  }
}

const calm = new Set<CallName>(['settings.get', 'settings.set', 'app.info', 'ingest.status'])
const failure: Result<never> = {
  ok: false,
  error: {
    code: 'busy',
    message: 'The memory is busy with a long write. Nothing was changed; try again in a moment.',
    retryable: true,
  },
}

const idle: IngestProgress = {
  running: false,
  sourceId: null,
  filesDone: 0,
  filesTotal: 0,
  bytesDone: 0,
  bytesTotal: 0,
  items: 0,
  errors: 0,
  cancelled: false,
}

type Served = Partial<Handlers>

export function fakeHandlers(scenario: Scenario, emit: Emit): Served {
  const full = scenario === 'full' || scenario.startsWith('model-')
  const settings: CallOutput<'settings.get'> = {
    theme: 'system',
    blind: true,
    faculty: { adaptive: false, salience: false, sceneGate: false, interrupts: false, adaptiveDepth: false },
    models: modelSettings(scenario),
    hooks: { budget: 800, phrases: [] },
  }
  const gates = new Map<string, GateDetail>(
    full ? data.gateLines.map((line) => [line.id, data.gateDetail(line)]) : [],
  )
  const source = data.sources[0] as (typeof data.sources)[number]
  const inProject =
    (project: string | undefined) =>
    (one: { project: string | null }): boolean =>
      project === undefined || one.project === project

  return {
    'app.info': () => ({
      version: '0.1.0',
      home: '/home/mira/.config/Fovea',
      userHome: '/home/mira',
      platform: 'linux',
      electron: '45.5.0',
      node: '24.21.0',
      sqlite: '3.54.1',
      degraded: [],
      firstRun: scenario === 'first-run',
    }),
    'app.openExternal': () => ({}),
    'app.pickFolder': () => ({ path: '/home/mira/work/transcripts' }),
    'app.pickSave': ({ name }) => ({ path: `/home/mira/${name}` }),
    'settings.get': () => settings,
    'settings.set': ({ faculty, models, hooks, ...change }) =>
      Object.assign(settings, change, {
        faculty: { ...settings.faculty, ...faculty },
        models: { ...settings.models, ...models },
        hooks: { ...settings.hooks, ...hooks },
      }),
    ...hookHandlers(),
    ...modelHandlers(scenario, settings),
    'stats.get': () => ({
      sources: full ? 2 : 0,
      sessions: full ? 229 : 0,
      items: full ? 41_208 : 0,
      goals: 900,
      arcs: full ? 2311 : 0,
      rungs: { L1: 9000, L2: 0, L3: 41_208 },
      facts: 0,
      entities: 0,
      cells: 0,
      vectors: 40_100,
      receipts: full ? 60 : 0,
      gates: gates.size,
      chunks: 23,
      predictions: 2,
      models: { calls: 0, promptTokens: 0, answerTokens: 0, ms: 0, summaries: 0, waiting: 0 },
      dbBytes: 88_204_551,
    }),
    'query.run': ({ goal }) => (goal.includes('forever') ? new Promise(() => {}) : queryAnswer(full, goal)),
    'query.stop': () => ({ stopped: true }),
    'index.status': () => ({
      vectors: full ? 40_100 : 0,
      pending: full ? 1108 : 0,
      model: 'all-MiniLM-L6-v2',
      state: 'ready',
      reason: null,
    }),
    'ingest.status': () => idle,
    'ingest.cancel': () => {
      emit('ingest.progress', { ...idle, cancelled: true })
      return { cancelled: true }
    },
    'projects.list': () => ({
      projects: full
        ? [
            { name: 'shop-api', items: 30_000 },
            { name: 'finance-ui', items: 9000 },
            { name: 'ledger', items: 2208 },
          ]
        : [],
    }),
    'sources.detect': () => ({
      candidates: [
        {
          path: '/home/mira/.claude/projects',
          agent: 'claude-code',
          files: 214,
          bytes: 318_204_551,
          newestAt: data.today - 240_000,
          enrolled: full,
        },
        {
          path: '/home/mira/.codex/sessions',
          agent: 'codex',
          files: 31,
          bytes: 12_004_551,
          newestAt: data.today - 86_400_000,
          enrolled: false,
        },
      ],
    }),
    'projects.aliases': () => ({
      aliases: full ? [{ alias: 'shop-api-old', name: 'shop-api', at: Date.UTC(2026, 10, 2) }] : [],
    }),
    'sources.list': () => ({ sources: full ? data.sources : [], removed: full ? data.removed : [] }),
    'sources.enrol': () => {
      emit('ingest.progress', {
        ...idle,
        running: true,
        filesDone: 12,
        filesTotal: 214,
        bytesDone: 41e6,
        bytesTotal: 318_204_551,
        items: 5203,
        errors: 1,
      })
      return { source }
    },
    'sources.enrolSample': () => ({ source }),
    'sources.pause': () => ({ source }),
    'sources.resume': () => ({ source }),
    'projects.merge': () => ({ items: 418 }),
    'projects.unmerge': () => ({ items: 418 }),
    'sources.remove': () => ({ removed: true, itemsForgotten: 3204 }),
    'sources.health': () => ({
      source,
      masked: 14,
      records: {
        read: 120_402,
        used: 38_004,
        attached: 61_008,
        dropped: { 'system reminder': 9004, 'progress chatter': 8120, 'command echo': 3040 },
        duplicates: 1223,
        errors: 3,
      },
      unreadable: [
        { file: '/home/mira/.claude/projects/-srv-old/0001.jsonl', reason: 'Fovea may not read this file.' },
      ],
      errors: [
        {
          file: '/home/mira/.claude/projects/-srv-shop-api/7b1d2c44-90aa-4c1e-b1f0-3f6a2f0b9e21.jsonl',
          line: 418,
          reason: 'the line is not JSON',
        },
        {
          file: '/home/mira/.claude/projects/-srv-shop-api/7b1d2c44.jsonl',
          line: 9120,
          reason: 'the line is longer than 32 MiB: a stub was kept',
        },
      ],
      errorsTotal: 3,
    }),
    'timeline.days': ({ project }) => ({
      days: full ? data.days.filter((day) => !project || day.projects.includes(project)) : [],
    }),
    'timeline.arcs': ({ project, before, limit = 100 }) => {
      const all = full ? data.arcs.filter(inProject(project)).sort((a, b) => b.startedAt - a.startedAt) : []
      return {
        arcs: all.filter((arc) => before === undefined || arc.startedAt < before).slice(0, limit),
        total: all.length,
      }
    },
    'timeline.items': ({ arc }) => {
      const found = data.arcs.find((one) => one.id === arc)
      const items = found ? data.itemsOf(found) : []
      return { items, total: items.length }
    },
    'items.get': ({ handle }) => data.itemDetail(handle),
    'items.verify': ({ handles = [] }) => ({
      checked: 1,
      unchanged: 1,
      moved: 0,
      gone: 0,
      changed: 0,
      items: handles.map((handle) => ({ handle, status: 'unchanged' as const })),
    }),
    'search.run': ({ text, kind }) => ({
      path: 'hybrid',
      reason: null,
      leftOut: 0,
      receipt: data.receiptId(4),
      hits: /nothing/.test(text) ? [] : data.hits(text).filter((hit) => !kind || hit.kind === kind),
    }),
    'planes.list': () => ({
      planes: [
        { name: 'garnish', description: 'A few lines', budget: 300, ...asShipped },
        { name: 'execution', description: 'Narrow and coherent', budget: 2000, ...asShipped },
        { name: 'exploration', description: 'Wide and novel', budget: 4000, ...asShipped },
        { name: 'review', description: 'For gates', budget: 3000, ...asShipped },
      ],
    }),
    'hydrate.run': ({ goal, plane, budget }) => ({
      frame: frameOf(goal),
      receipt: data.receipt(1, goal, plane, budget ?? 2000),
    }),
    'receipts.list': () => ({
      receipts: full
        ? [...data.receiptLines.slice(0, 2), data.passLine, ...data.turnLines, ...data.receiptLines.slice(2)]
        : [],
    }),
    'traces.list': ({ ofModel }) => ({ traces: full && ofModel ? [...promptLines] : [] }),
    'traces.get': (wanted) =>
      ('id' in wanted ? promptTrace : null) ??
      data.turnTraces.find(({ receipt }) => 'receipt' in wanted && receipt === wanted.receipt) ??
      data.passTrace,
    'traces.compare': () => ({ differences: [] }),
    'receipts.get': ({ id }) => {
      if (id === data.passReceiptId)
        return { receipt: data.passReceipt, frame: frameOf(data.passReceipt.goal) }
      const turn = data.turnReceipts.find((made) => made.id === id)
      if (turn) return { receipt: turn, frame: frameOf(turn.request.goal) }
      const at = data.receiptLines.findIndex((line) => line.id === id)
      const goal = data.receiptLines[at]?.goal ?? 'a goal'
      return { receipt: data.receipt(at + 1, goal), frame: frameOf(goal) }
    },
    'receipts.replay': ({ id }) => ({
      receipt: { ...data.receipt(1, 'the retry decision'), id },
      same: false,
      added: [data.handle(3)],
      removed: [data.handle(4)],
      changed: [{ handle: data.handle(5), from: 'L2', to: 'L1' }],
    }),
    'planes.save': ({ policy }) => ({
      plane: { name: String(policy.name), description: '', budget: 300, shipped: false, policy },
    }),
    'planes.remove': () => ({ planes: [] }),
    'lastTry.run': () => data.lastTry,
    'receipts.compare': () => data.comparison,
    'feedback.give': ({ handle, verdict }) => ({
      feedback: { id: 1, handle, verdict, goal: '', givenAt: 0 },
    }),
    'feedback.undo': () => ({}),
    'feedback.list': () => ({ feedback: [] }),
    'retention.get': () => ({
      rules: [{ source: null, level: 'L0', days: 90 }],
      automatic: true,
      ran: { at: at(0, 3, 10), L0: 14, L1: 0, L2: 0 },
      letGo: { L0: 1204, L1: 0, L2: 0 },
    }),
    'retention.set': ({ rules, automatic = true }) => ({
      rules,
      automatic,
      ran: null,
      letGo: { L0: 1204, L1: 0, L2: 0 },
    }),
    'retention.preview': () => ({
      levels: {
        L0: { items: 318, bytes: 2_411_008 },
        L1: { items: 0, bytes: 0 },
        L2: { items: 0, bytes: 0 },
      },
      waiting: 0,
      sources: [],
    }),
    ...gateHandlers(gates, emit),
    'export.run': ({ out, ceiling }: CallInput<'export.run'>) => ({
      file: out,
      items: 3204,
      ceiling,
      sha256: 'c'.repeat(64),
      masked: 14,
      restricted: 2,
    }),
  }
}

const asShipped = { shipped: true, policy: {} }

const frameOf = (goal: string): string =>
  `<fovea-frame source="fovea" frame="rcp_7k2m">\ngoal: ${goal}\n\n[itm_4q8z L0] “No new queue, use what we have.”\n[itm_9d2a L1] Chose backoff with a cap of five tries and one key per event.\n</fovea-frame>`
