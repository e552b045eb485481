import { AppError } from '../../shared/errors'
import { Prediction, type PredictionView } from '../../shared/review'
import { chooseSpace, predictCase, prepare, sealHolds, sealOf, type VectorSpace } from '../proxy'
import { proxySql, type ReadDb } from '../store'
import { type GateDeps, newSalt } from './deps'
import { ensureVectors, loadExperience } from './experience'
import { keepPasses, makePasses, newReceiptIds, passBids } from './pass-receipts'
import type { Reading } from './reading'
import { gateOf, subjectOf } from './subject'

/** Gets a gate ready: its vectors, percepts and what is remembered. Nothing is written but missing vectors. */
export async function readGate(deps: GateDeps, id: string): Promise<Reading> {
  const subject = subjectOf(deps.read, gateOf(deps.read, id))
  const space = await chooseSpace(deps.embedder)
  await ensureVectors(deps.write, space)
  const experience = loadExperience(deps.read, space, [subject.gate.situation.state])
  return { subject, space, prepared: await prepare(subject.gate, experience, space) }
}

/**
 * Seals a prediction of the version at hand, once. Its numbers come back only when asked for, and then the gate is
 * marked as peeked for good.
 * @throws AppError `not-found`; `conflict` when the gate is over and was never predicted
 */
export async function predictGate(
  deps: GateDeps,
  request: { id: string; engine: 'case' | 'model'; reveal: boolean },
): Promise<PredictionView> {
  const row = gateOf(deps.read, request.id)
  if (row.status === 'open') await sealPrediction(deps, request.id, request.engine)
  else if (!proxySql.predictionOf(deps.read, request.id)) {
    throw new AppError('conflict', 'This gate is over. A prediction made now would not be one.')
  }
  if (request.reveal && row.status === 'open') proxySql.markPeeked(deps.write, request.id)
  const view = predictionView(deps.read, request.id)
  if (!view) throw new AppError('internal', 'The prediction was not stored. Try again.')
  return view
}

/** The stored prediction of the version at hand; makes and seals it when there is none. */
export async function sealPrediction(
  deps: GateDeps,
  id: string,
  engine: 'case' | 'model',
): Promise<{ sealed: proxySql.PredictionRow; reading: Reading }> {
  const reading = await readGate(deps, id)
  const known = proxySql.predictionOf(deps.read, id)
  if (known?.version === reading.subject.version) return { sealed: known, reading }
  const { prepared, space, subject } = reading
  const made = predictCase(prepared.context, prepared.inspection, engineReason(engine, space))
  const receipts = newReceiptIds(deps)
  const bids = passBids(deps, reading, made)
  const prediction = Prediction.parse({ ...made.prediction, receipts })
  const salt = newSalt(deps.random)
  const row: proxySql.PredictionRow = {
    gate_id: id,
    version: subject.version,
    seal: sealOf(sealedValue(id, subject.version, prediction), salt),
    salt,
    sealed_at: deps.clock(),
    peeked: 0,
    engine: prediction.engine,
    body: JSON.stringify(prediction),
    memory: JSON.stringify({ used: made.used, salient: made.salient }),
  }
  deps.write.transaction(() => {
    keepPasses(deps.write, makePasses(deps, reading, bids, receipts), reading)
    proxySql.putPrediction(deps.write, row)
  })
  // What was stored, not what was meant: an earlier peek survives a new version.
  return { sealed: proxySql.predictionOf(deps.read, id) ?? row, reading }
}

/** What the seal covers: sha256 over salt, a line break, and the canonical JSON of this. */
export const sealedValue = (gate: string, version: number, prediction: Prediction) => ({
  gate,
  version,
  prediction,
})

/** What a person may see now: the seal always; the numbers once decided, or once they asked. */
export function predictionView(db: ReadDb, id: string): PredictionView | null {
  const row = proxySql.predictionOf(db, id)
  if (!row) return null
  const decided = gateOf(db, id).status === 'decided'
  const peeked = row.peeked === 1
  const prediction = Prediction.parse(JSON.parse(row.body))
  return {
    seal: row.seal,
    sealedAt: row.sealed_at,
    peeked,
    revealed: decided || peeked ? prediction : null,
    ...(decided
      ? { salt: row.salt, intact: sealHolds(sealedValue(id, row.version, prediction), row.salt, row.seal) }
      : {}),
  }
}

function engineReason(engine: 'case' | 'model', space: VectorSpace): string | null {
  const reasons = [
    ...(engine === 'model' ? ['No language model is wired in yet, so the case engine answered.'] : []),
    ...(space.reason === null ? [] : [`Gates were compared by their words only: ${space.reason}`]),
  ]
  return reasons.length > 0 ? reasons.join(' ') : null
}
