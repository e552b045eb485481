import { contentWords } from '../proxy'

/** Words in a row that make one shingle. */
const SHINGLE = 3
/** Two plans of one session are versions of each other from this share of common shingles on. */
export const SAME_LINEAGE = 0.3

/** The distinct shingles of a text. */
export function shinglesOf(text: string): Set<string> {
  const stems = contentWords(text).map(({ stem }) => stem)
  const shingles = new Set<string>()
  for (let i = 0; i + SHINGLE <= stems.length; i += 1) shingles.add(stems.slice(i, i + SHINGLE).join(' '))
  return shingles
}

/** Share of the smaller text's shingles that the other holds too: a plan that only grew is still the same plan. */
export function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const [small, large] = a.size <= b.size ? [a, b] : [b, a]
  if (small.size === 0) return 0
  let common = 0
  for (const shingle of small) if (large.has(shingle)) common += 1
  return common / small.size
}

/** An earlier gate of the same session. */
export interface EarlierGate {
  lineage: string
  round: number
  text: string
}

/**
 * The lineage a plan continues: that of the most similar earlier plan of its session, whatever its title. A plan
 * without text continues the one before it.
 */
export function continuedLineage(text: string, earlier: readonly EarlierGate[]): EarlierGate | null {
  if (text.trim() === '') return earlier.at(-1) ?? null
  const own = shinglesOf(text)
  let best: { lineage: string; share: number } | null = null
  for (const gate of earlier) {
    const share = overlap(own, shinglesOf(gate.text))
    if (share >= SAME_LINEAGE && (best === null || share > best.share))
      best = { lineage: gate.lineage, share }
  }
  // The round goes on from the last of that lineage, not from the one it resembles most.
  return earlier.findLast(({ lineage }) => lineage === best?.lineage) ?? null
}
