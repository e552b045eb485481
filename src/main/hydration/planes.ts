import { z } from 'zod'
import { ItemKind } from '../../shared/domain'
import { AppError } from '../../shared/errors'

const share = z.number().min(0).max(1)
const Segment = z.object({
  name: z.string().regex(/^[a-z][a-z0-9-]{0,31}$/, 'a segment needs a short lower-case name'),
  /** Which items belong to it. Each kind belongs to one segment. */
  kinds: z.array(ItemKind).min(1),
  /** Its part of the frame's budget. */
  share,
  /** Whether it may also take what the others left unspent. */
  borrow: z.boolean(),
})

/** A named hydration policy, as a person can write it. */
export const PlanePolicy = z
  .object({
    name: z.string().regex(/^[a-z][a-z0-9-]{0,31}$/, 'a plane needs a short lower-case name'),
    description: z.string().max(200),
    /** Tokens, when a request names none. */
    budget: z.number().int().min(50).max(200_000),
    segments: z.array(Segment).min(1).max(8),
    /** How many items the jump lands on for each way of looking. */
    seeds: z.number().int().min(10).max(500),
    /** Candidates weaker than this part of the strongest are left out. */
    floor: share,
    /** Days after which an item's recency has fallen to 1/e. */
    recencyDays: z.number().positive(),
    /** Tokens at which the worth of more detail on one thing begins to flatten. Small: many things, briefly. */
    depth: z.number().positive(),
    weights: z.object({
      relevance: z.number().min(0),
      recency: z.number().min(0),
      importance: z.number().min(0),
      novelty: z.number().min(0),
      coherence: z.number().min(0),
      interference: z.number().min(0),
    }),
  })
  .refine((plane) => plane.segments.reduce((sum, segment) => sum + segment.share, 0) <= 1.0001, {
    message: 'the shares of the segments sum to more than 1',
  })
  .refine(
    (plane) => {
      const kinds = plane.segments.flatMap((segment) => segment.kinds)
      return new Set(kinds).size === kinds.length
    },
    { message: 'a kind stands in two segments' },
  )
export type PlanePolicy = z.infer<typeof PlanePolicy>

const TALK = { name: 'talk', kinds: ['goal', 'conclusion', 'plan', 'decision', 'note'] as const }
const WORK = { name: 'work', kinds: ['file_op', 'command', 'error', 'image'] as const }
const base = { seeds: 200, floor: 0.05, recencyDays: 30, depth: 300 }

const shipped = [
  {
    ...base,
    name: 'garnish',
    description: 'A few lines beside a prompt: only what is closest.',
    budget: 300,
    seeds: 60,
    floor: 0.2,
    depth: 80,
    segments: [
      { ...TALK, share: 0.8, borrow: true },
      { ...WORK, share: 0.2, borrow: true },
    ],
    weights: {
      relevance: 1,
      recency: 0.06,
      importance: 0.04,
      novelty: 0.03,
      coherence: 0.02,
      interference: 0.05,
    },
  },
  {
    ...base,
    name: 'execution',
    description: 'For doing: what was decided and done about exactly this.',
    budget: 2000,
    segments: [
      { ...TALK, share: 0.65, borrow: true },
      { ...WORK, share: 0.35, borrow: true },
    ],
    weights: {
      relevance: 1,
      recency: 0.04,
      importance: 0.04,
      novelty: 0.03,
      coherence: 0.05,
      interference: 0.05,
    },
  },
  {
    ...base,
    name: 'exploration',
    description: 'For looking around: more things, each more briefly.',
    budget: 4000,
    seeds: 300,
    floor: 0.02,
    depth: 150,
    segments: [
      { ...TALK, share: 0.6, borrow: true },
      { ...WORK, share: 0.4, borrow: true },
    ],
    weights: {
      relevance: 1,
      recency: 0.03,
      importance: 0.03,
      novelty: 0.08,
      coherence: 0.01,
      interference: 0.08,
    },
  },
  {
    ...base,
    name: 'review',
    description: 'For a gate: earlier plans, what was decided on them and why.',
    budget: 3000,
    segments: [
      { name: 'decisions', kinds: ['decision', 'plan'], share: 0.4, borrow: true },
      { name: 'talk', kinds: ['goal', 'conclusion', 'note'], share: 0.35, borrow: true },
      { ...WORK, share: 0.25, borrow: true },
    ],
    weights: {
      relevance: 1,
      recency: 0.04,
      importance: 0.08,
      novelty: 0.03,
      coherence: 0.03,
      interference: 0.05,
    },
  },
]

/** The planes that come with Fovea, checked like anyone's. */
export const planes: readonly PlanePolicy[] = shipped.map((plane) => PlanePolicy.parse(plane))

/** @throws AppError `bad-input` when there is no such plane, naming those there are. */
export function planeNamed(name: string): PlanePolicy {
  const plane = planes.find((candidate) => candidate.name === name)
  if (plane) return plane
  const names = planes.map((candidate) => candidate.name).join(', ')
  throw new AppError('bad-input', `There is no plane "${name.slice(0, 60)}". Known planes: ${names}.`)
}
