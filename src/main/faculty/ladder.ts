/** One rung a candidate can be shown at: its cost in tokens and what it is worth there. */
export interface RungCost {
  cost: number
  value: number
}

/** From one rung (or nothing) to a finer one: what it costs more and is worth more. */
export interface LadderStep {
  to: number
  cost: number
  value: number
}

/**
 * The upgrades of a ladder, starting at rung `from` (-1: absent), that lie on its upper concave hull: each step gives
 * less value per token than the one before, so that taking the best step first is right for every budget. Rungs
 * beneath the hull cost more than they give.
 */
export function concaveSteps(rungs: readonly RungCost[], from = -1): LadderStep[] {
  const steps: LadderStep[] = []
  let at = from
  let here: RungCost = rungs[from] ?? { cost: 0, value: 0 }
  for (;;) {
    const best = bestStep(rungs, at, here)
    if (!best) return steps
    steps.push(best)
    at = best.to
    here = rungs[at] ?? here
  }
}

function bestStep(rungs: readonly RungCost[], at: number, here: RungCost): LadderStep | null {
  let best: LadderStep | null = null
  let density = 0
  for (let to = at + 1; to < rungs.length; to++) {
    const rung = rungs[to]
    if (!rung) continue
    const step = { to, cost: rung.cost - here.cost, value: rung.value - here.value }
    if (step.value <= 0) continue
    const own = step.cost <= 0 ? Number.POSITIVE_INFINITY : step.value / step.cost
    // On a tie the finer rung: the same rate for more.
    if (own >= density) {
      best = step
      density = own
    }
  }
  return best
}
