import type { z } from 'zod'
import { hasOwnWords, plainIssue } from '../../shared/plain-issue'
import { PlanePolicy } from './plane-policy'

const TALK = { name: 'talk', kinds: ['goal', 'conclusion', 'plan', 'decision', 'note'] }
const WORK = { name: 'work', kinds: ['file_op', 'command', 'error', 'image'] }

const shipped = [
  {
    name: 'garnish',
    description: 'A few lines beside a prompt: only what is closest.',
    budget: 300,
    seeds: 60,
    floor: 0.2,
    depth: 50,
    segments: [
      { ...TALK, share: 0.8, borrow: true },
      { ...WORK, share: 0.2, borrow: true },
    ],
    walk: { hops: 1 },
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
    name: 'exploration',
    description: 'For looking around: more things, each more briefly.',
    budget: 4000,
    seeds: 300,
    floor: 0.02,
    depth: 60,
    segments: [
      { ...TALK, share: 0.6, borrow: true },
      { ...WORK, share: 0.4, borrow: true },
    ],
    walk: { hops: 3, width: 20 },
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
      tension: 0.5,
      interference: 0.05,
    },
  },
]

/** The planes that come with Fovea, checked like anyone's. */
export const shippedPlanes: readonly PlanePolicy[] = shipped.map((plane) => PlanePolicy.parse(plane))

/** What is wrong with a plane, each field by its place: `Segment 1: the share must be at most 1.` */
export function planeProblems(error: z.ZodError): string {
  return error.issues.slice(0, 5).map(problem).join(' ')
}

function problem(issue: z.core.$ZodIssue): string {
  const field = issue.path.findLastIndex((part) => typeof part === 'string')
  const inside = issue.code === 'unrecognized_keys'
  const place = issue.path.slice(0, inside ? issue.path.length : field)
  const own = hasOwnWords(issue)
    ? `the ${String(issue.path[field] ?? 'plane')} ${issue.message}.`
    : plainIssue(issue)
  if (place.length === 0) return capital(own)
  return `${capital(placeIn(place))}: ${own.slice(0, 1).toLowerCase()}${own.slice(1)}`
}

/** `segments, 0` is the first segment; `walk, links` are the walk's links. */
function placeIn(path: readonly PropertyKey[]): string {
  const [first, second, ...rest] = path.map(String)
  const parts =
    first === 'segments' && second !== undefined ? [`segment ${Number(second) + 1}`] : [first, second]
  return [...parts, ...rest].filter((part) => part !== undefined).join(', ')
}

const capital = (words: string): string => `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`
