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
  for (let step = nextStep(rungs, from); step; step = nextStep(rungs, step.to)) steps.push(step)
  return steps
}

function nextStep(rungs: readonly RungCost[], at: number): LadderStep | null {
  const to = nextRung(rungs, at, 1)
  const [from, best] = [rungs[at], rungs[to]]
  return best ? { to, cost: best.cost - (from?.cost ?? 0), value: best.value - (from?.value ?? 0) } : null
}

/** Where the hull goes on from rung `at`, every value times `weight`; -1 where nothing finer is worth more. */
export function nextRung(rungs: readonly RungCost[], at: number, weight: number): number {
  const from = at < 0 ? undefined : rungs[at]
  const cost = from ? from.cost : 0
  const value = from ? from.value * weight : 0
  let to = -1
  let density = 0
  for (let finer = at + 1; finer < rungs.length; finer++) {
    const rung = rungs[finer] as RungCost
    const more = rung.value * weight - value
    if (more <= 0) continue
    const own = rung.cost <= cost ? Number.POSITIVE_INFINITY : more / (rung.cost - cost)
    // On a tie the finer rung: the same rate for more.
    if (own < density) continue
    to = finer
    density = own
  }
  return to
}
