import type { Handle, Rung } from '@shared/domain'

// The drawing of a frame: the goal in the middle, each fact at its distance from it.

export interface FoveaInput {
  handle: Handle
  level: Rung
  hop: number
  score: number
  tokens: number
}

export interface FoveaPoint {
  handle: Handle
  level: Rung
  x: number
  y: number
  r: number
}

/** What focus, one hop and periphery take of the area when nothing is in them. */
const roomAtLeast = [0.12, 0.3, 0.5] as const
const roomToShare = 1.2

/** Outer radius of focus, one hop and periphery as shares of the whole: a ring grows with the dots it has to hold. */
export function foveaRings(facts: readonly FoveaInput[]): [number, number, number] {
  const area = [0, 0, 0]
  for (const fact of facts) area[ringOf(fact)] = (area[ringOf(fact)] ?? 0) + 1
  const all = Math.max(1, facts.length)
  const room = roomAtLeast.map((least, ring) => least + (roomToShare * (area[ring] ?? 0)) / all)
  const total = room.reduce((sum, one) => sum + one, 0)
  const [focus = 0, hop = 0] = room
  return [Math.sqrt(focus / total), Math.sqrt((focus + hop) / total), 1]
}

const goldenAngle = Math.PI * (3 - Math.sqrt(5))

/**
 * Places facts in a circle of radius `size` around (0, 0). The ring is the hop (0, 1, 2 and more) or, for a
 * direct hit, the rung when it is coarser; inside a ring the better score lies nearer to the middle. The area
 * of a dot grows with its tokens. Deterministic; dots do not overlap while there is room.
 */
export function foveaLayout(facts: readonly FoveaInput[], size: number): FoveaPoint[] {
  const best = facts.reduce((max, fact) => Math.max(max, fact.score), 0)
  const worst = facts.reduce((min, fact) => Math.min(min, fact.score), best)
  const most = facts.reduce((max, fact) => Math.max(max, fact.tokens), 1)
  const rings = foveaRings(facts)
  const placed: FoveaPoint[] = []
  const order = [...facts].sort((a, b) => ringOf(a) - ringOf(b) || b.score - a.score)
  for (const [index, fact] of order.entries()) {
    const ring = ringOf(fact)
    const r = dotRadius(fact.tokens, most, size, facts.length)
    const outer = (rings[ring] ?? 1) * size - r
    // A ring thinner than the dot: the dot keeps inside the outer edge and reaches over the inner one.
    const inner = ring === 0 ? 0 : Math.min((rings[ring - 1] ?? 0) * size + r, outer)
    const far = best > worst ? (best - fact.score) / (best - worst) : 0
    placed.push({
      handle: fact.handle,
      level: fact.level,
      r,
      ...freeSpot(placed, { r, inner, outer, far, index }),
    })
  }
  return placed
}

/** 0 focus, 1 one hop, 2 periphery. */
export function ringOf(fact: Pick<FoveaInput, 'hop' | 'level'>): 0 | 1 | 2 {
  const byRung = { L0: 0, L1: 0, L2: 1, L3: 2 }[fact.level]
  return Math.min(2, Math.max(byRung, fact.hop)) as 0 | 1 | 2
}

function dotRadius(tokens: number, most: number, size: number, facts: number): number {
  const largest = size * (facts > 60 ? 0.06 : 0.1)
  return Math.max(3, largest * Math.sqrt(Math.max(1, tokens) / most))
}

interface Spot {
  r: number
  inner: number
  outer: number
  far: number
  index: number
}

const around = 24
const steps = around * 17

/** The first place on a spiral that touches nothing, else the one that overlaps least. */
function freeSpot(placed: readonly FoveaPoint[], spot: Spot): { x: number; y: number } {
  const { r, inner, outer, far, index } = spot
  const wanted = inner + far * (outer - inner)
  let best = { x: 0, y: 0 }
  let least = Number.POSITIVE_INFINITY
  for (let step = 0; step < steps; step++) {
    // Around at the wanted distance first, then a little further out and in, and so on.
    const turn = Math.floor(step / around)
    const shift = (turn % 2 === 0 ? -1 : 1) * Math.ceil(turn / 2) * (outer - inner) * 0.12
    const distance = Math.min(outer, Math.max(inner, wanted + shift))
    const angle = (index + step) * goldenAngle - Math.PI / 2
    const at = { x: distance * Math.cos(angle), y: distance * Math.sin(angle) }
    const overlap = placed.reduce((sum, other) => {
      const apart = Math.hypot(at.x - other.x, at.y - other.y) - other.r - r - 2
      return apart < 0 ? sum - apart : sum
    }, 0)
    if (overlap === 0) return at
    if (overlap < least) {
      least = overlap
      best = at
    }
  }
  return best
}
