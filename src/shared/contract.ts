import { z } from 'zod'
import { StoredTrace, TraceDifference, TraceId, TraceLine } from './attention'
import { modelCalls } from './contract-models'
import { retentionCalls } from './contract-retention'
import { settingsCalls } from './contract-settings'
import {
  Agent,
  GateAction,
  GateId,
  GateState,
  Handle,
  ItemKind,
  Millis,
  ReceiptId,
  Rung,
  SourceStatus,
  TaskType,
} from './domain'
import { hookCalls } from './hooks'
import {
  ArcLine,
  CellDetail,
  CellGiven,
  CellId,
  CellLine,
  DayBucket,
  Erased,
  IndexStatus,
  IngestProgress,
  IngestReport,
  ItemDetail,
  ItemLine,
  RemovedSource,
  SourceCandidate,
  SourceHealth,
  SourceView,
  Stats,
} from './journal'
import { AssertedFact, QueryResult } from './logic'
import { CuratorStatus } from './models'
import {
  Comparison,
  Feedback,
  FeedbackVerdict,
  HydrateRequest,
  HydrateResult,
  LastTry,
  Plane,
  Receipt,
  ReceiptLine,
  SearchRequest,
  SearchResult,
  Tokenizer,
} from './recall'
import { GateDetail, GateImportReport, GateLine, Metrics, PredictionView } from './review'
import { TurnRequest, TurnResult } from './turn'

// Every call and every event that crosses a process boundary, once. Main's handlers, the preload, the renderer's
// client, the CLI and the tests are typed from here; main validates input and output against these schemas.

const call = <I extends z.ZodType, O extends z.ZodType>(input: I, output: O) => ({ input, output })
const nothing = z.object({})
const filters = { project: z.string().optional(), kind: ItemKind.optional(), since: Millis.optional() }

export const calls = {
  ...modelCalls,
  ...settingsCalls,
  ...hookCalls,
  'app.info': call(
    nothing,
    z.object({
      version: z.string(),
      home: z.string(),
      /** The person's own folder, so that a path in it can be shown with a tilde. */
      userHome: z.string(),
      platform: z.string(),
      electron: z.string().nullable(),
      node: z.string(),
      sqlite: z.string(),
      /** Plain sentences on what runs on a lesser path, and why. */
      degraded: z.array(z.string()),
      firstRun: z.boolean(),
    }),
  ),
  'app.openExternal': call(z.object({ url: z.string().url() }), nothing),
  'app.pickFolder': call(nothing, z.object({ path: z.string().nullable() })),
  'app.pickSave': call(z.object({ name: z.string() }), z.object({ path: z.string().nullable() })),
  'stats.get': call(nothing, Stats),
  'doctor.run': call(
    nothing,
    z.object({
      ok: z.boolean(),
      checks: z.array(
        z.object({ name: z.string(), ok: z.boolean(), detail: z.string(), fix: z.string().optional() }),
      ),
    }),
  ),
  'backup.run': call(
    z.object({ out: z.string().min(1) }),
    z.object({ file: z.string(), bytes: z.number().int() }),
  ),

  'sources.detect': call(nothing, z.object({ candidates: z.array(SourceCandidate) })),
  'sources.list': call(nothing, z.object({ sources: z.array(SourceView), removed: z.array(RemovedSource) })),
  'sources.enrol': call(
    z.object({ path: z.string().min(1), format: Agent.optional(), project: z.string().optional() }),
    z.object({ source: SourceView }),
  ),
  'sources.enrolSample': call(nothing, z.object({ source: SourceView })),
  'sources.pause': call(z.object({ id: z.string() }), z.object({ source: SourceView })),
  'sources.resume': call(z.object({ id: z.string() }), z.object({ source: SourceView })),
  /** With `keep: false` also one that was removed before, by its id, and what is left of a path. */
  'sources.remove': call(
    z.object({ id: z.string(), keep: z.boolean() }),
    z.object({ removed: z.boolean(), itemsForgotten: z.number().int(), erased: Erased.optional() }),
  ),
  'sources.health': call(
    z.object({ id: z.string(), limit: z.number().int().min(1).max(1_000_000).default(500) }),
    SourceHealth,
  ),

  /** Enrols each path that is not a source yet, reads what is new, and waits for the embeddings unless told not to. */
  'ingest.run': call(
    z.object({
      paths: z.array(z.string().min(1)).min(1),
      format: Agent.optional(),
      project: z.string().optional(),
      embed: z.boolean().default(true),
      perFile: z.boolean().default(false),
    }),
    IngestReport,
  ),
  /** Generic transcript JSONL handed over as text (a pipe), under a stream source of the given name. */
  'ingest.stream': call(
    z.object({
      name: z.string().default('stdin'),
      text: z.string(),
      project: z.string().optional(),
      embed: z.boolean().default(true),
    }),
    IngestReport,
  ),
  'ingest.status': call(nothing, IngestProgress),
  'ingest.cancel': call(nothing, z.object({ cancelled: z.boolean() })),
  'index.status': call(nothing, IndexStatus),
  /** Canonical journal: one JSON line per item, sorted by handle, without row numbers. Written to a file. */
  'journal.dump': call(
    z.object({ out: z.string().min(1) }),
    z.object({ file: z.string(), items: z.number().int(), sha256: z.string() }),
  ),

  'projects.list': call(
    nothing,
    z.object({ projects: z.array(z.object({ name: z.string(), items: z.number().int() })) }),
  ),
  /** Puts a project under the name of another: its folder was renamed or moved. Undone by `projects.unmerge`. */
  'projects.merge': call(
    z.object({ from: z.string().min(1).max(300), into: z.string().min(1).max(300) }),
    z.object({ items: z.number().int() }),
  ),
  'projects.unmerge': call(
    z.object({ name: z.string().min(1).max(300) }),
    z.object({ items: z.number().int() }),
  ),
  /** Names that lead to another project since they were merged. */
  'projects.aliases': call(
    nothing,
    z.object({ aliases: z.array(z.object({ alias: z.string(), name: z.string(), at: Millis })) }),
  ),
  'timeline.days': call(
    z.object({ project: z.string().optional(), from: Millis.optional(), to: Millis.optional() }),
    z.object({ days: z.array(DayBucket) }),
  ),
  'timeline.arcs': call(
    z.object({
      project: z.string().optional(),
      /** Only arcs with an item in this cell. */
      cell: CellId.optional(),
      /** Arcs that start before this; the page's cursor. */
      before: Millis.optional(),
      limit: z.number().int().min(1).max(500).default(100),
    }),
    z.object({ arcs: z.array(ArcLine), total: z.number().int() }),
  ),
  'timeline.items': call(
    z.object({
      arc: z.string(),
      offset: z.number().int().min(0).default(0),
      limit: z.number().int().min(1).max(1000).default(200),
    }),
    z.object({ items: z.array(ItemLine), total: z.number().int() }),
  ),
  'items.get': call(z.object({ handle: Handle }), ItemDetail),
  'cells.list': call(
    z.object({ project: z.string().optional(), limit: z.number().int().min(1).max(500).default(100) }),
    z.object({ cells: z.array(CellLine), total: z.number().int() }),
  ),
  'cells.get': call(z.object({ cell: CellGiven }), CellDetail),
  'cells.rename': call(
    z.object({ cell: CellGiven, name: z.string().trim().min(1).max(80) }),
    z.object({ cell: CellLine }),
  ),
  'items.verify': call(
    z.object({ handles: z.array(Handle).optional() }),
    z.object({
      checked: z.number().int(),
      unchanged: z.number().int(),
      moved: z.number().int(),
      gone: z.number().int(),
      changed: z.number().int(),
      items: z.array(z.object({ handle: Handle, status: SourceStatus })),
    }),
  ),

  ...retentionCalls,
  'search.run': call(SearchRequest, SearchResult),
  'nearest.run': call(
    z.object({ text: z.string().min(1).max(100_000), k: z.number().int().min(1).max(500).default(10) }),
    z.object({
      path: z.enum(['semantic', 'lexical']),
      reason: z.string().nullable(),
      hits: z.array(z.object({ handle: Handle, score: z.number() })),
    }),
  ),
  /**
   * Asks the journal as a logic program (Prolog): a goal, with clauses before it if it needs rules of its own. It only
   * reads, within limits of time, steps and memory.
   */
  'query.run': call(
    z.object({ goal: z.string().min(1).max(20_000), limit: z.number().int().min(1).max(1000).default(100) }),
    QueryResult,
  ),
  /** Ends the query that runs; its call fails as cancelled. */
  'query.stop': call(nothing, z.object({ stopped: z.boolean() })),
  /** What an agent tells Fovea, in a namespace of its own; the same again only renews its time. */
  'facts.assert': call(
    AssertedFact,
    z.object({ id: z.number().int(), renewed: z.boolean(), masked: z.number().int() }),
  ),
  'planes.list': call(nothing, z.object({ planes: z.array(Plane) })),
  /** Checks and keeps a person's plane; one named as a shipped plane stands in its place. The policy is plain JSON. */
  'planes.save': call(z.object({ policy: z.record(z.string(), z.unknown()) }), z.object({ plane: Plane })),
  /** Forgets a person's plane; where it stood in place of a shipped one, that is back. */
  'planes.remove': call(z.object({ name: z.string().max(200) }), z.object({ planes: z.array(Plane) })),
  'hydrate.run': call(HydrateRequest, HydrateResult),
  /** The context for an agent's next turn, put together by its session's faculty. */
  'turn.run': call(TurnRequest, TurnResult),
  'receipts.list': call(
    z.object({ limit: z.number().int().min(1).max(500).default(100), before: Millis.optional() }),
    z.object({ receipts: z.array(ReceiptLine) }),
  ),
  'receipts.get': call(z.object({ id: ReceiptId }), z.object({ receipt: Receipt, frame: z.string() })),
  /** Today's memory, the same request: what stayed, what came, what went. */
  'receipts.replay': call(
    z.object({ id: ReceiptId }),
    z.object({
      receipt: Receipt,
      same: z.boolean(),
      added: z.array(Handle),
      removed: z.array(Handle),
      changed: z.array(z.object({ handle: Handle, from: Rung, to: Rung })),
    }),
  ),
  /** "When did we last try X": goals like it with what came of them, the last one first. */
  'lastTry.run': call(
    z.object({
      text: z.string().min(1).max(100_000),
      project: z.string().optional(),
      limit: z.number().int().min(1).max(50).default(5),
      /** The goal the question is asked from; it is not its own earlier attempt. */
      except: Handle.optional(),
    }),
    LastTry,
  ),
  'receipts.compare': call(z.object({ before: ReceiptId, after: ReceiptId }), Comparison),
  /** What the person says of a fact; the new verdict on an item takes the place of the one before. */
  'feedback.give': call(
    z.object({ handle: Handle, verdict: FeedbackVerdict, receipt: ReceiptId.optional() }),
    z.object({ feedback: Feedback }),
  ),
  'feedback.undo': call(z.object({ id: z.number().int() }), nothing),
  /** The verdicts that stand, newest first; of these items only when named. */
  'feedback.list': call(
    z.object({ handles: z.array(Handle).max(2000).optional() }),
    z.object({ feedback: z.array(Feedback) }),
  ),
  'traces.list': call(
    z.object({
      gate: GateId.optional(),
      /** Only those of prompts to a language model. */
      ofModel: z.boolean().default(false),
      before: Millis.optional(),
      limit: z.number().int().min(1).max(500).default(100),
    }),
    z.object({ traces: z.array(TraceLine) }),
  ),
  /** A trace by its own id or by its receipt's. */
  'traces.get': call(z.union([z.object({ id: TraceId }), z.object({ receipt: ReceiptId })]), StoredTrace),
  /** Bids that fared differently in two traces. */
  'traces.compare': call(
    z.object({ before: TraceId, after: TraceId }),
    z.object({ differences: z.array(TraceDifference) }),
  ),
  'tokens.count': call(
    z.object({ text: z.string(), tokenizer: Tokenizer.default('o200k') }),
    z.object({ tokens: z.number().int() }),
  ),

  'gates.list': call(
    z.object({ open: z.boolean().default(false), project: z.string().optional() }),
    z.object({ gates: z.array(GateLine) }),
  ),
  'gates.show': call(z.object({ id: GateId }), GateDetail),
  'gates.add': call(
    z.object({
      text: z.string().max(5_000_000),
      title: z.string().optional(),
      state: GateState.default('PLAN_ASSERT'),
      taskType: TaskType.optional(),
      project: z.string().optional(),
      upstream: z.array(z.object({ name: z.string(), text: z.string() })).default([]),
      question: z.string().default(''),
      lineage: z.string().optional(),
      origin: z.enum(['cli', 'app']).default('cli'),
    }),
    z.object({ id: GateId, lineage: z.string(), version: z.number().int() }),
  ),
  'gates.import': call(z.object({ path: z.string().optional() }), GateImportReport),
  /** Seals a prediction. Its numbers come back only with `reveal`, and then the gate is scored apart. */
  'gates.predict': call(
    z.object({
      id: GateId,
      engine: z.enum(['case', 'model']).default('case'),
      reveal: z.boolean().default(false),
    }),
    PredictionView,
  ),
  'gates.draft': call(z.object({ id: GateId, text: z.string().max(200_000) }), nothing),
  'gates.setTaskType': call(z.object({ id: GateId, taskType: TaskType }), GateLine),
  'gates.decide': call(
    z.object({
      id: GateId,
      action: GateAction,
      notes: z.string().max(200_000).default(''),
      via: z.enum(['app', 'cli']).default('cli'),
    }),
    GateDetail,
  ),
  'metrics.get': call(z.object({ state: GateState.optional(), taskType: TaskType.optional() }), Metrics),

  'export.run': call(
    z.object({ out: z.string().min(1), ceiling: Rung, ...filters }),
    z.object({
      file: z.string(),
      items: z.number().int(),
      ceiling: Rung,
      sha256: z.string(),
      masked: z.number().int(),
      restricted: z.number().int(),
    }),
  ),
} as const satisfies Record<string, { input: z.ZodType; output: z.ZodType }>

export const events = {
  'ingest.progress': IngestProgress,
  /** Items were added or changed; the renderer asks again for what it shows. */
  'journal.changed': z.object({ items: z.number().int(), sessions: z.array(z.string()) }),
  'index.progress': IndexStatus,
  'curator.progress': CuratorStatus,
  'sources.changed': z.object({}),
  'gates.changed': z.object({ id: GateId.nullable() }),
  /** Something runs on a lesser path now; a sentence for the person. */
  'health.changed': z.object({ degraded: z.array(z.string()) }),
} as const satisfies Record<string, z.ZodType>

export type CallName = keyof typeof calls
export type EventName = keyof typeof events
/** What a caller may leave out is filled in by the schema. */
export type CallInput<N extends CallName> = z.input<(typeof calls)[N]['input']>
/** What a handler receives: validated, defaults filled in. */
export type ParsedInput<N extends CallName> = z.output<(typeof calls)[N]['input']>
export type CallOutput<N extends CallName> = z.output<(typeof calls)[N]['output']>
export type EventPayload<N extends EventName> = z.output<(typeof events)[N]>

export type Handler<N extends CallName> = (input: ParsedInput<N>) => CallOutput<N> | Promise<CallOutput<N>>
export type Handlers<N extends CallName = CallName> = { [K in N]: Handler<K> }
export type Emit = <N extends EventName>(event: N, payload: EventPayload<N>) => void
