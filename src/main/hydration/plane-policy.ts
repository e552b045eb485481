import { z } from 'zod'
import { ItemKind } from '../../shared/domain'

const share = z.number().min(0).max(1)
const weight = z.number().min(0).max(10)
const name = z.string().regex(/^[a-z][a-z0-9-]{0,31}$/, 'needs a short lower-case name, such as "my-plane"')
const moment = z.iso.date('needs a day such as "2026-03-01"')
const some = <T extends z.ZodType>(type: T) => z.array(type).min(1).max(50).optional()

/** One namespace of memory. An item belongs to the first segment all of whose conditions it fulfils. */
const Segment = z.strictObject({
  name,
  kinds: some(ItemKind),
  projects: some(z.string().min(1)),
  /** Sources by id or by path; a path also stands for all below it. */
  sources: some(z.string().min(1)),
  /** Entities an item names: a file, a package, a command, a person. */
  tags: some(z.string().min(1)),
  /** Days: from the first's beginning to the last's end, in the machine's time zone. */
  /** Cells by id or by name: a cell is mounted this way. */
  cells: some(z.string().min(1)),
  since: moment.optional(),
  until: moment.optional(),
  /** Its part of the frame's budget. */
  share,
  /** Whether it may also take what the others left unspent. */
  borrow: z.boolean().default(false),
  /** Candidates of this segment weaker than this part of the strongest are left out; the plane's when not given. */
  floor: share.optional(),
})
export type PlaneSegment = z.infer<typeof Segment>

/** How much each way of looking adds. 0 leaves it out. */
const Field = z.strictObject({
  lexical: weight.default(0.1),
  item: weight.default(0.3),
  context: weight.default(0.3),
  /** A goal names exactly one of the speakers: what they said counts more. */
  speaker: weight.default(0.3),
  neighbour: weight.default(0.5),
  /** What follows a question is likely its answer. */
  answer: weight.default(0.3),
  session: weight.default(0.5),
  goal: weight.default(0.3),
  /** The goal names a file, a time, or a kind of thing: items that fit count more. */
  path: weight.default(0.5),
  time: weight.default(0.3),
  kind: weight.default(0.15),
  /** A goal that asks for many things ("which files", "both") looks wide; 1 fully, 0 never. */
  breadth: share.default(1),
})
export type FieldWeights = z.infer<typeof Field>

const Walk = z.strictObject({
  hops: z.number().int().min(0).max(4).default(2),
  /** How many of the strongest a hop starts from. */
  width: z.number().int().min(1).max(200).default(12),
  /** What is left of a link's weight at each further hop. */
  decay: share.default(0.5),
  /** A reached item weaker than this part of the strongest is not walked on to. */
  floor: share.default(0.02),
  links: z
    .strictObject({
      /** Files, symbols, packages and names that both name, the rare ones most. */
      entity: weight.default(0.04),
      /** Rare words that both say. */
      word: weight.default(0.25),
      /** Near in meaning to what was found. */
      near: weight.default(0.2),
      /** The outcome of the arc it stands in, and the goal it was done for. */
      arc: weight.default(0.3),
      /** The same cell, and the cells beside it. Nothing by default: it found no more evidence than the others. */
      cell: weight.default(0),
    })
    .prefault({}),
})
export type WalkPolicy = z.infer<typeof Walk>

const Weights = z.strictObject({
  relevance: weight,
  recency: weight.default(0),
  importance: weight.default(0),
  novelty: weight.default(0),
  coherence: weight.default(0),
  tension: weight.default(0.3),
  interference: weight.default(0),
})

/** A named hydration policy, as a person can write it. */
export const PlanePolicy = z
  .strictObject({
    name,
    description: z.string().max(200).default(''),
    /** Tokens, when a request names none. */
    budget: z.number().int().min(50).max(200_000),
    segments: z.array(Segment).min(1).max(8),
    /** How many items the jump lands on for each way of looking. */
    seeds: z.number().int().min(10).max(500).default(200),
    /** Candidates weaker than this part of the strongest are left out. */
    floor: share.default(0.05),
    /** Days after which an item's recency has fallen to 1/e. */
    recencyDays: z.number().positive().default(30),
    /** Tokens at which the worth of more detail on one thing begins to flatten. Small: many things, briefly. */
    depth: z.number().positive().default(70),
    /** Tokens of a long text's passages that answer the goal, as a rung of its own; 0 for none. */
    excerpt: z.number().int().min(0).max(1000).default(80),
    /** One thing's part of a small budget: where `depth` is more than that, it and `excerpt` shrink alike; 1: never. */
    most: share.default(0.1),
    /** How much of a rung's worth hangs on its saying what the goal asks for; 1 all, 0 nothing. */
    fit: share.default(0.5),
    /** Power of a candidate's utility in what its tokens are worth: above 1 the strongest come first although others are shorter. */
    focus: z.number().min(0.25).max(4).default(1.5),
    field: Field.prefault({}),
    walk: Walk.prefault({}),
    weights: Weights,
  })
  .superRefine((plane, check) => {
    const total = plane.segments.reduce((sum, segment) => sum + segment.share, 0)
    if (total > 1.0001)
      check.addIssue({
        code: 'custom',
        path: ['segments'],
        message: `have shares that sum to ${Math.round(total * 100) / 100}, more than 1`,
      })
    plane.segments.forEach((segment, i) => {
      if (plane.segments.findIndex((other) => other.name === segment.name) < i)
        check.addIssue({ code: 'custom', path: ['segments', i, 'name'], message: 'stands twice' })
      if (segment.since && segment.until && segment.since > segment.until)
        check.addIssue({ code: 'custom', path: ['segments', i, 'until'], message: 'lies before since' })
    })
  })
export type PlanePolicy = z.infer<typeof PlanePolicy>

/** `depth` and `excerpt` as they are in a frame of so many tokens. */
export function detailIn(
  { depth, excerpt, most }: Pick<PlanePolicy, 'depth' | 'excerpt' | 'most'>,
  budget: number,
): { depth: number; excerpt: number } {
  const shrunk = Math.min(1, (most * budget) / depth)
  return { depth: Math.max(1, depth * shrunk), excerpt: Math.floor(excerpt * shrunk) }
}
