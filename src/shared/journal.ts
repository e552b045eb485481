import { z } from 'zod'
import { Agent, Handle, ItemKind, Millis, Pointer, Rung, SourceStatus } from './domain'
import { CuratorStatus } from './models'
import { LetGo } from './retention'

export const SourceView = z.object({
  id: z.string(),
  path: z.string(),
  kind: z.enum(['folder', 'file', 'stream']),
  format: Agent.nullable(),
  project: z.string().nullable(),
  state: z.enum(['active', 'paused']),
  enrolledAt: Millis,
  lastScanAt: Millis.nullable(),
  lastError: z.string().nullable(),
  files: z.number().int(),
  bytes: z.number().int(),
  sessions: z.number().int(),
  items: z.number().int(),
  errors: z.number().int(),
  /** Since when it is not where it was; null while it is. It is read again by itself when it is back. */
  awaySince: Millis.nullable(),
})
export type SourceView = z.infer<typeof SourceView>

/** A source that was removed while what it brought was kept. That can still be forgotten. */
export const RemovedSource = z.object({
  id: z.string(),
  path: z.string(),
  kind: z.enum(['folder', 'file', 'stream']),
  removedAt: Millis,
  items: z.number().int(),
})
export type RemovedSource = z.infer<typeof RemovedSource>

/** A folder where an agent keeps transcripts; found by looking at names only, nothing in it has been read. */
export const SourceCandidate = z.object({
  path: z.string(),
  agent: Agent,
  files: z.number().int(),
  bytes: z.number().int(),
  newestAt: Millis.nullable(),
  enrolled: z.boolean(),
})
export type SourceCandidate = z.infer<typeof SourceCandidate>

/** read = used + attached + Σ dropped + duplicates + errors, for a file and for a run. */
export const RecordCounts = z.object({
  read: z.number().int(),
  used: z.number().int(),
  attached: z.number().int(),
  dropped: z.record(z.string(), z.number().int()),
  duplicates: z.number().int(),
  errors: z.number().int(),
})
export type RecordCounts = z.infer<typeof RecordCounts>

export const RecordError = z.object({ file: z.string(), line: z.number().int(), reason: z.string() })
export type RecordError = z.infer<typeof RecordError>

export const IngestReport = z.object({
  files: z.number().int(),
  bytes: z.number().int(),
  sessions: z.number().int(),
  items: z.partialRecord(ItemKind, z.number().int()),
  new: z.number().int(),
  updated: z.number().int(),
  records: RecordCounts,
  errors: z.array(RecordError),
  /** Files that are no transcripts as far as Fovea knows: the first ten, and how many there are. */
  unrecognised: z.object({ files: z.array(z.string()), total: z.number().int() }),
  masked: z.number().int(),
  /** Receipts this installation does not know, named by envelopes in a record: those stay as text. */
  unknownEnvelopes: z.number().int(),
  pendingEmbeddings: z.number().int(),
  embeddings: z.object({ path: z.enum(['semantic', 'none']), reason: z.string().nullable() }),
  cancelled: z.boolean(),
  ms: z.number(),
  perFile: z
    .array(
      z.object({
        file: z.string(),
        format: Agent.nullable(),
        bytes: z.number().int(),
        records: RecordCounts,
      }),
    )
    .optional(),
})
export type IngestReport = z.infer<typeof IngestReport>

export const IngestProgress = z.object({
  running: z.boolean(),
  sourceId: z.string().nullable(),
  filesDone: z.number().int(),
  filesTotal: z.number().int(),
  bytesDone: z.number().int(),
  bytesTotal: z.number().int(),
  items: z.number().int(),
  errors: z.number().int(),
  cancelled: z.boolean(),
})
export type IngestProgress = z.infer<typeof IngestProgress>

export const IndexStatus = z.object({
  vectors: z.number().int(),
  pending: z.number().int(),
  model: z.string().nullable(),
  state: z.enum(['ready', 'loading', 'missing', 'failed', 'paused']),
  reason: z.string().nullable(),
})
export type IndexStatus = z.infer<typeof IndexStatus>

export const SourceHealth = z.object({
  source: SourceView,
  records: RecordCounts,
  masked: z.number().int(),
  unreadable: z.array(z.object({ file: z.string(), reason: z.string() })),
  /** Files that end in an unfinished line: the writer is still at it, or was cut off. Read when it is complete. */
  waiting: z
    .array(z.object({ file: z.string(), line: z.number().int(), bytes: z.number().int() }))
    .optional(),
  errors: z.array(RecordError),
  errorsTotal: z.number().int(),
})
export type SourceHealth = z.infer<typeof SourceHealth>

/** An item as a list shows it: `text` is the item at `level`, never longer than a line or two. */
export const ItemLine = z.object({
  handle: Handle,
  kind: ItemKind,
  ts: Millis,
  session: z.string(),
  project: z.string().nullable(),
  level: Rung,
  text: z.string(),
})
export type ItemLine = z.infer<typeof ItemLine>

export const RungView = z.object({
  level: Rung,
  text: z.string(),
  method: z.string(),
  model: z.string().nullable(),
  tokens: z.number().int(),
  /** Why rules made it although a model is chosen: `not by qwen3:8b: the answer was not JSON`. */
  why: z.string().nullable().optional(),
})
export type RungView = z.infer<typeof RungView>

/** Something an item says, by rules: who or what, does what, to what. */
export const FactView = z.object({
  subject: z.string(),
  predicate: z.string(),
  object: z.string(),
  method: z.string(),
})
export type FactView = z.infer<typeof FactView>

/** Something an item names; `items` is how many items name it, this one included. */
export const EntityView = z.object({
  kind: z.string(),
  name: z.string(),
  weight: z.number(),
  items: z.number().int(),
})
export type EntityView = z.infer<typeof EntityView>

export const CellId = z
  .string()
  .regex(/^cel_[a-z2-7]{16}$/, 'a cell id looks like cel_ and 16 letters or digits')
export type CellId = z.infer<typeof CellId>
/** A cell as a person names it: its id, or its name where only one has it. */
export const CellGiven = z.string().trim().min(1).max(200)

/** A neighbourhood of related items within one project. */
export const CellLine = z.object({
  id: CellId,
  name: z.string(),
  /** Whether the person gave the name. */
  named: z.boolean(),
  project: z.string().nullable(),
  items: z.number().int(),
  sessions: z.number().int(),
  since: Millis,
  until: Millis,
  tags: z.array(z.string()),
  /** What its items name most. */
  entities: z.array(z.string()),
  /** Recent use: each frame that held an item of it counts 1, and half after fourteen days. */
  heat: z.number(),
  /** One sentence (L1), or null when there is none. */
  summary: z.string().nullable(),
})
export type CellLine = z.infer<typeof CellLine>

export const CellDetail = CellLine.extend({
  rungs: z.array(RungView),
  /** The newest first; at most 200. */
  members: z.array(
    z.object({ handle: Handle, kind: ItemKind, ts: Millis, session: z.string(), title: z.string() }),
  ),
  /** Cells that many links lead to; `share` of all links that leave the cell, 0 to 1. */
  adjacent: z.array(z.object({ id: CellId, name: z.string(), share: z.number() })),
  /** Arcs most of which lies in the cell. */
  arcs: z.array(z.object({ id: z.string(), summary: z.string().nullable(), share: z.number() })),
})
export type CellDetail = z.infer<typeof CellDetail>

export const ItemDetail = z.object({
  handle: Handle,
  kind: ItemKind,
  ts: Millis,
  session: z.string(),
  sessions: z.array(z.string()),
  agent: Agent,
  project: z.string().nullable(),
  role: z.string().nullable(),
  tool: z.string().nullable(),
  goal: z.object({ handle: Handle, text: z.string() }).nullable(),
  arc: z.string().nullable(),
  rungs: z.array(RungView),
  pointer: Pointer,
  /** Levels of it that were let go, and when; the pointer still leads to its record. */
  letGo: LetGo.nullable().optional(),
  status: SourceStatus,
  labels: z.array(z.string()),
  facts: z.array(FactView),
  entities: z.array(EntityView),
  /** The neighbourhood it stands in, or null when it stands in none. */
  cell: CellLine.omit({ heat: true, summary: true }).nullable(),
  /** What it repeats or echoes, or null when it is the first to say it. */
  repeats: z
    .object({ first: Handle, kind: z.enum(['exact', 'near', 'paraphrase', 'echo']), similarity: z.number() })
    .nullable(),
  frames: z.array(z.object({ receipt: z.string(), goal: z.string(), createdAt: Millis })),
})
export type ItemDetail = z.infer<typeof ItemDetail>

export const DayBucket = z.object({
  /** Local calendar day, YYYY-MM-DD, in the time zone of the machine. */
  day: z.string(),
  items: z.number().int(),
  arcs: z.number().int(),
  byKind: z.partialRecord(ItemKind, z.number().int()),
  projects: z.array(z.string()),
  /** One sentence about the day, or null when there is none yet. */
  rollup: z.string().nullable(),
})
export type DayBucket = z.infer<typeof DayBucket>

export const ArcLine = z.object({
  id: z.string(),
  day: z.string(),
  session: z.string(),
  agent: Agent,
  project: z.string().nullable(),
  goal: z.string(),
  goalHandle: Handle.nullable(),
  /** One sentence (L1) about the arc, or null when there is none yet. */
  summary: z.string().nullable(),
  startedAt: Millis,
  endedAt: Millis,
  items: z.number().int(),
  byKind: z.partialRecord(ItemKind, z.number().int()),
})
export type ArcLine = z.infer<typeof ArcLine>

export const Stats = z.object({
  sources: z.number().int(),
  sessions: z.number().int(),
  items: z.number().int(),
  goals: z.number().int(),
  arcs: z.number().int(),
  rungs: z.object({ L1: z.number().int(), L2: z.number().int(), L3: z.number().int() }),
  facts: z.number().int(),
  entities: z.number().int(),
  cells: z.number().int(),
  vectors: z.number().int(),
  receipts: z.number().int(),
  gates: z.number().int(),
  chunks: z.number().int(),
  /** Calls to language models so far, and what they took; `summaries`: subjects that have one by a model. */
  models: z.object({
    calls: z.number().int(),
    promptTokens: z.number().int(),
    answerTokens: z.number().int(),
    ms: z.number().int(),
    summaries: z.number().int(),
    waiting: z.number().int(),
  }),
  dbBytes: z.number().int(),
})
export type Stats = z.infer<typeof Stats>

/** What the curator has made; `left` still waits. */
export const CurateReport = z.object({
  arcs: z.number().int(),
  rungs: z.object({ L1: z.number().int(), L2: z.number().int(), L3: z.number().int() }),
  rollups: z.number().int(),
  cells: z.number().int(),
  /** Items that repeat an earlier one, by how; and echoes of frames. */
  repeats: z.object({ exact: z.number().int(), near: z.number().int(), paraphrase: z.number().int() }),
  echoes: z.number().int(),
  left: z.object({ rungs: z.number().int(), vectors: z.number().int(), neighbours: z.number().int() }),
  /** How rungs are made here. */
  method: z.enum(['extractive', 'model']),
  /** What the language model did of it, cost, and has left. */
  model: CuratorStatus,
  ms: z.number(),
})
export type CurateReport = z.infer<typeof CurateReport>

/** What went with a source that was forgotten: rows of each sort. */
export const Erased = z.object({
  /** Of the row that says when something was erased, and how much. */
  auditId: z.string(),
  /** false: no row holds it any more; old pages are overwritten as soon as another process lets go of them. */
  swept: z.boolean(),
  items: z.number().int(),
  receipts: z.number().int(),
  traces: z.number().int(),
  gates: z.number().int(),
  chunks: z.number().int(),
  /** Predictions at the person's own gates, and what is remembered of them, that lost the words they quoted. */
  predictions: z.number().int(),
  rungs: z.number().int(),
  vectors: z.number().int(),
  cells: z.number().int(),
  /** Copies of the database from before an upgrade that were deleted. */
  backups: z.number().int(),
})
export type Erased = z.infer<typeof Erased>
