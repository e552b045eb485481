import { wordsOf } from './goal-words'
import { stopWords } from './stop-words'

// What contradicts or reverses something said before. A later statement with a cue of reversal ("no longer",
// "instead", "remove it again", a plan sent back) stands in tension with the earlier one it speaks of.

const READ = 700

/** Cues and how surely they reverse. */
const CUES: readonly [RegExp, number][] = [
  [/\b(?:no longer|not any ?more|changed? (?:my|our|your) minds?|never ?mind|on second thought)\b/i, 1],
  [/\b(?:revert(?:s|ed|ing)?|roll(?:ed)? back|undo|undid|back out|superseded|obsolete)\b/i, 1],
  [/\b(?:remove|removed|drop|dropped|delete|deleted)\b[^.?!]{0,40}\b(?:again|after all|instead)\b/i, 1],
  [
    /\b(?:instead|rather than|after all|replaced? (?:by|with)|switch(?:ed)? (?:to|from)|moved? (?:away )?from)\b/i,
    0.8,
  ],
  [/^(?:sent back|no\b|nope|wait\b|hmm?\b|ah\b|actually)/i, 0.6],
  [/\b(?:but then|is wrong|was wrong|pointless|not (?:needed|useful)|don'?t (?:do|want|need))\b/i, 0.6],
  [/\b(?:gone|inlined|eliminat(?:es|ed)|inverted|renamed)\b/i, 0.6],
]

/** How surely a text reverses something, 0 to 1. Only its beginning is read. */
export function reversalCue(text: string): number {
  const head = text.slice(0, READ)
  return CUES.reduce((most, [pattern, sure]) => (sure > most && pattern.test(head) ? sure : most), 0)
}

export interface Claim {
  id: number
  text: string
  session: string
  position: number
  ts: number
  goal: string | null
  /** 0 to 1; how near the goal of the frame. */
  relevance: number
}

/** Of which earlier claim a claim may be the reversal, and how strongly (0 to 1). */
export interface Tension {
  of: number
  amount: number
}

/** Only what is reversed and near the goal brings its reversal along. */
const EARLIER = 40
const LATER = 80

/**
 * For each claim that reverses an earlier one: cue × shared words × the earlier one's relevance. In one session, or
 * for one goal, a few shared words are enough; across sessions they must be many.
 */
export function tensions(claims: readonly Claim[]): Map<number, Tension> {
  const found = new Map<number, Tension>()
  const earlier = [...claims].sort((a, b) => b.relevance - a.relevance || a.id - b.id).slice(0, EARLIER)
  const later = claims
    .map((claim) => ({ claim, cue: reversalCue(claim.text) }))
    .filter(({ cue }) => cue > 0)
    .slice(0, LATER)
  const words = new Map(
    [...earlier, ...later.map(({ claim }) => claim)].map((one) => [one.id, telling(one.text)]),
  )
  for (const { claim, cue } of later) {
    for (const before of earlier) {
      if (!isAfter(claim, before)) continue
      const shared = likeness(words.get(claim.id) ?? new Set(), words.get(before.id) ?? new Set())
      const close = claim.session === before.session || (claim.goal !== null && claim.goal === before.goal)
      const likely = close ? Math.min(1, 2 * shared) : shared >= 0.35 ? shared : 0
      const amount = cue * likely * before.relevance
      if (amount > (found.get(claim.id)?.amount ?? 0.01)) found.set(claim.id, { of: before.id, amount })
    }
  }
  return found
}

function isAfter(claim: Claim, before: Claim): boolean {
  if (claim.id === before.id) return false
  return claim.session === before.session ? claim.position > before.position : claim.ts > before.ts
}

function telling(text: string): Set<string> {
  return new Set(wordsOf(text.slice(0, READ)).filter((word) => word.length > 2 && !stopWords.has(word)))
}

/** Shared words over the smaller set. */
function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size === 0 || b.size === 0) return 0
  const [small, large] = a.size < b.size ? [a, b] : [b, a]
  let shared = 0
  for (const word of small) if (large.has(word)) shared += 1
  return shared / Math.max(4, small.size)
}
