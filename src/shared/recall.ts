import { z } from 'zod'
import { Handle, ItemKind, Millis, OmitReason, Pointer, RecallPath, ReceiptId, Rung } from './domain'

/** The tokenizers a budget can be counted with. `chars4` is ceil(length / 4), the benchmark's measure. */
export const Tokenizer = z.enum(['o200k', 'cl100k', 'chars4'])
export type Tokenizer = z.infer<typeof Tokenizer>

export const SearchRequest = z.object({
  text: z.string().min(1).max(100_000),
  project: z.string().optional(),
  kind: ItemKind.optional(),
  /** A cell by id or by name. */
  cell: z.string().min(1).max(200).optional(),
  since: Millis.optional(),
  until: Millis.optional(),
  limit: z.number().int().min(1).max(1000).default(20),
})

export const SearchHit = z.object({
  handle: Handle,
  kind: ItemKind,
  session: z.string(),
  project: z.string().nullable(),
  ts: Millis,
  score: z.number(),
  snippet: z.string(),
  pointer: Pointer,
})
export type SearchHit = z.infer<typeof SearchHit>

export const SearchResult = z.object({
  path: RecallPath,
  reason: z.string().nullable(),
  hits: z.array(SearchHit),
  /** How many were found but share no more than a frequent word with the question. */
  leftOut: z.number().int().nonnegative().default(0),
  receipt: ReceiptId.nullable(),
})
export type SearchResult = z.infer<typeof SearchResult>

export const HydrateRequest = z.object({
  goal: z.string().trim().min(1, 'the goal is empty').max(100_000),
  plane: z.string().default('execution'),
  budget: z
    .number()
    .int()
    .min(50, 'a budget is at least 50 tokens')
    .max(200_000, 'a budget is at most 200,000 tokens')
    .optional(),
  project: z.string().optional(),
  asOf: Millis.optional(),
  tokenizer: Tokenizer.default('o200k'),
  viewer: z.string().default('person'),
})
export type HydrateRequest = z.infer<typeof HydrateRequest>

export const SeededBy = z.enum([
  'lexical',
  'semantic',
  'goal',
  'recency',
  'neighbour',
  'entity',
  'word',
  'near',
  'arc',
  'cell',
  'tension',
  'pin',
])
export type SeededBy = z.infer<typeof SeededBy>

/** What the goal's words were taken to ask for. Absent: nothing of the kind. */
export const AskedFor = z.object({
  /** Nothing outside this time is looked at; the phrase it was read from. Milliseconds UTC, the end exclusive. */
  within: z
    .object({
      phrase: z.string(),
      since: Millis.nullable(),
      until: Millis.nullable(),
      /** The item that tells when the event was that the phrase names. */
      event: z.object({ handle: Handle, ts: Millis }).optional(),
    })
    .optional(),
  /** Times the goal names; items of then count more. */
  times: z.array(z.object({ phrase: z.string(), since: Millis, until: Millis })).optional(),
  /** Files it names; items about them count more. */
  paths: z.array(z.string()).optional(),
  /** Speakers it names; what they said counts more. */
  names: z.array(z.string()).optional(),
  kinds: z.array(ItemKind).optional(),
  /** It asks for many things, or for things of several: the jump looks wide. */
  broad: z.boolean().optional(),
  /** What was asked for and could not be held to, in a sentence. */
  dropped: z.array(z.string()).optional(),
})
export type AskedFor = z.infer<typeof AskedFor>

export const ReceiptFact = z.object({
  handle: Handle,
  kind: ItemKind,
  segment: z.string(),
  cell: z.string().nullable(),
  level: Rung,
  /** Of L0: only the passages of a long text that answer the goal. */
  part: z.literal(true).optional(),
  /** How it was found: by the jump, beside a hit, by a link of the walk, by what it reverses, or pinned. */
  seededBy: z.array(SeededBy),
  hop: z.number().int(),
  score: z.number(),
  terms: z.record(z.string(), z.number()),
  tokens: z.number().int(),
  ts: Millis,
  session: z.string(),
  project: z.string().nullable(),
  /** The text as it stands in the frame. */
  text: z.string(),
  pointer: Pointer,
})
export type ReceiptFact = z.infer<typeof ReceiptFact>

export const Omitted = z.object({
  handle: Handle,
  reason: OmitReason,
  score: z.number(),
  title: z.string(),
})
export type Omitted = z.infer<typeof Omitted>

/** How near memory came to the goal. */
export const Match = z.object({
  /** The best cosine of an item, or of one in its context, with the goal; null when nothing was looked up by meaning. */
  cosine: z.number().nullable(),
  /** Of the goal's words, by their weight, how much the one item says that says the most, 0 to 1; null without words. */
  coverage: z.number().nullable(),
  /** Neither is enough: the frame holds the nearest, which is not near. */
  weak: z.boolean(),
})
export type Match = z.infer<typeof Match>

export const Receipt = z.object({
  id: ReceiptId,
  request: z.object({
    goal: z.string(),
    plane: z.string(),
    segments: z.array(z.string()),
    budget: z.number().int(),
    asOf: Millis,
    viewer: z.string(),
    tokenizer: Tokenizer,
    project: z.string().nullable(),
    /** The time zone its days were counted in, of a frame; absent in receipts from before it was told. */
    zone: z.string().optional(),
    /** The cell a search was held to. */
    cell: z.string().optional(),
    /** What was read out of the goal's words. */
    filters: AskedFor.optional(),
    /** The words that were looked up in the full-text index. */
    words: z.array(z.string()).optional(),
  }),
  goal: z.string(),
  path: RecallPath,
  paths: z.record(z.string(), z.object({ path: RecallPath, reason: z.string().optional() })),
  model: z.string().nullable(),
  budget: z.object({
    total: z.number().int(),
    spent: z.number().int(),
    segments: z.record(z.string(), z.object({ budget: z.number().int(), spent: z.number().int() })),
  }),
  /** Of frames; absent in receipts from before it was measured. */
  match: Match.optional(),
  facts: z.array(ReceiptFact),
  omitted: z.array(Omitted),
  breadcrumbs: z.array(z.string()),
  tokenizer: Tokenizer,
  createdAt: Millis,
  ms: z.record(z.string(), z.number()),
})
export type Receipt = z.infer<typeof Receipt>

export const HydrateResult = z.object({ frame: z.string(), receipt: Receipt })
export type HydrateResult = z.infer<typeof HydrateResult>

/** What stands in the place of a text that was erased. */
export const ERASED_TEXT = '[erased]'

export const FeedbackVerdict = z.enum(['useful', 'wrong', 'pin', 'never'])
export type FeedbackVerdict = z.infer<typeof FeedbackVerdict>

/** What the person said of an item in a frame; it stands until it is taken back or replaced. */
/** Two receipts side by side. */
export const Comparison = z.object({
  before: Receipt,
  after: Receipt,
  /** In which parts of the request they differ. */
  request: z.array(z.object({ field: z.string(), before: z.string(), after: z.string() })),
  added: z.array(Handle),
  removed: z.array(Handle),
  changed: z.array(z.object({ handle: Handle, from: Rung, to: Rung })),
  /** Facts of both whose score moved, most first, with the terms that moved it. */
  moved: z.array(
    z.object({
      handle: Handle,
      from: z.number(),
      to: z.number(),
      terms: z.array(z.object({ name: z.string(), from: z.number(), to: z.number() })),
    }),
  ),
})
export type Comparison = z.infer<typeof Comparison>

export const Feedback = z.object({
  id: z.number().int(),
  handle: Handle,
  verdict: FeedbackVerdict,
  /** What the frame was rendered for; empty when there was none. */
  goal: z.string(),
  givenAt: Millis,
})
export type Feedback = z.infer<typeof Feedback>

/** One time a goal was pursued, and what came of it. */
export const Attempt = z.object({
  goal: Handle,
  text: z.string(),
  session: z.string(),
  project: z.string().nullable(),
  startedAt: Millis,
  endedAt: Millis,
  /** Likeness over the best one's. */
  score: z.number(),
  /** concluded: the agent said it was done; refused, stopped: the person's decision; failed: an error came last. */
  outcome: z.enum(['concluded', 'refused', 'stopped', 'failed', 'open']),
  end: z.object({ handle: Handle, kind: ItemKind, text: z.string(), ts: Millis }).nullable(),
  /** How much was done for it, by kind. */
  items: z.record(z.string(), z.number().int()),
  /** Files it had changed that were changed again after it ended. */
  changedSince: z.array(z.object({ path: z.string(), changes: z.number().int(), last: Millis })),
})
export type Attempt = z.infer<typeof Attempt>

/** The attempts at something, the last one first. */
export const LastTry = z.object({
  path: RecallPath,
  reason: z.string().nullable(),
  /** False: nothing like it was tried, as far as memory tells; the attempts are only the nearest. */
  near: z.boolean(),
  attempts: z.array(Attempt),
  receipt: ReceiptId,
})
export type LastTry = z.infer<typeof LastTry>

export const ReceiptLine = z.object({
  id: ReceiptId,
  kind: z.enum(['hydrate', 'search', 'nearest', 'prediction', 'last-try']),
  goal: z.string(),
  plane: z.string(),
  path: RecallPath,
  spent: z.number().int(),
  budget: z.number().int(),
  facts: z.number().int(),
  createdAt: Millis,
})
export type ReceiptLine = z.infer<typeof ReceiptLine>

export const Plane = z.object({
  name: z.string(),
  description: z.string(),
  budget: z.number().int(),
  /** Whether it came with Fovea. */
  shipped: z.boolean(),
  /** The whole policy, as a person can edit it. */
  policy: z.record(z.string(), z.unknown()),
})
export type Plane = z.infer<typeof Plane>
