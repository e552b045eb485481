import { GateState, type TaskType } from '../../shared/domain'
import { type Metrics, Prediction } from '../../shared/review'
import {
  type AttentionMap,
  accuracy,
  alwaysApproveReference,
  attentionLines,
  baseRateReference,
  brier,
  logLoss,
  NO_ATTENTION,
  type Scored,
  skill,
  winner,
} from '../proxy'
import { proxySql, type ReadDb } from '../store'
import { loadAttention } from './experience'

export interface MetricsFilter {
  state?: GateState | undefined
  taskType?: TaskType | undefined
}

/**
 * How well the proxy foresees this person: only gates they answered themselves, after a sealed prediction they had
 * not looked at. What cannot be said yet is null. Brier over three classes (0…2), log loss in nats; skill is of the
 * posterior, against the outcome frequencies of the same gates and against a rubber stamp.
 */
export function metricsOf(db: ReadDb, filter: MetricsFilter): Metrics {
  const where = {
    ...(filter.state === undefined ? {} : { state: filter.state }),
    ...(filter.taskType === undefined ? {} : { taskType: filter.taskType }),
  }
  const gates = proxySql
    .scoredGates(db, where)
    .map(({ body, outcome }) => ({ outcome, prediction: Prediction.parse(JSON.parse(body)) }))
  const prior: Scored[] = gates.map(({ prediction, outcome }) => ({ p: prediction.prior, outcome }))
  const posterior: Scored[] = gates.map(({ prediction, outcome }) => ({ p: prediction.posterior, outcome }))
  const outcomes = gates.map(({ outcome }) => outcome)
  const both = (score: (scored: readonly Scored[]) => number | null) => ({
    prior: score(prior),
    posterior: score(posterior),
  })
  const share = (count: number): number | null => (gates.length === 0 ? null : count / gates.length)
  return {
    n: gates.length,
    accuracy: both(accuracy),
    brier: both(brier),
    logLoss: both(logLoss),
    skill: {
      baseRate: skill(posterior, baseRateReference(outcomes)),
      alwaysApprove: skill(posterior, alwaysApproveReference(outcomes)),
    },
    surpriseRate: share(gates.filter(({ prediction }) => prediction.surprise.fired).length),
    priorOverturned: share(
      gates.filter(({ prediction }) => winner(prediction.prior) !== winner(prediction.posterior)).length,
    ),
    remembered: proxySql.rememberedGates(db, where),
    attention: attentionLines(attentionOver(db, filter.state)),
  }
}

/** One state's map, or all states taken together. */
function attentionOver(db: ReadDb, state: GateState | undefined): AttentionMap {
  if (state) return loadAttention(db, state)
  return GateState.options.map((one) => loadAttention(db, one)).reduce(together, NO_ATTENTION)
}

function together(a: AttentionMap, b: AttentionMap): AttentionMap {
  const counts = new Map(a.counts)
  for (const [phrase, count] of b.counts) {
    const old = counts.get(phrase) ?? { present: 0, salient: 0, notApproved: 0, named: 0 }
    counts.set(phrase, {
      present: old.present + count.present,
      salient: old.salient + count.salient,
      notApproved: old.notApproved + count.notApproved,
      named: old.named + count.named,
    })
  }
  return { counts, gates: a.gates + b.gates, notApproved: a.notApproved + b.notApproved }
}
