import type { GateAction, Outcome } from '../../shared/domain'
import { AppError } from '../../shared/errors'
import { Prediction } from '../../shared/review'
import { surpriseBits } from '../proxy'
import { gatesSql } from '../store'
import type { GateDeps } from './deps'
import { sealPrediction } from './predict'
import { decisionVectors, remember } from './remember'
import { speechActOf } from './speech-act'
import { gateOf } from './subject'

const OUTCOME_OF: Record<GateAction, Outcome> = {
  approve: 'approve',
  correct: 'correct',
  'revise-plan': 'correct',
  'refine-intent': 'correct',
  reject: 'reject',
}

/**
 * Records the person's decision, for good. A gate without a prediction gets one first, sealed before the action is
 * written. Decision, memory and attention are one transaction.
 * @throws AppError `not-found`; `bad-input` for a correction without words; `conflict` when the gate is already over
 */
export async function decideGate(
  deps: GateDeps,
  request: { id: string; action: GateAction; notes: string; via: 'app' | 'cli' },
): Promise<void> {
  const row = gateOf(deps.read, request.id)
  refuseUnlessOpen(row)
  if (OUTCOME_OF[request.action] === 'correct' && request.notes.trim() === '') {
    throw new AppError(
      'bad-input',
      'A correction needs notes: say what is wrong, so that the agent can mend it.',
    )
  }
  const { sealed, reading } = await sealPrediction(deps, request.id, 'case')
  const { prepared, space, subject } = reading
  const prediction = Prediction.parse(JSON.parse(sealed.body))
  const outcome = OUTCOME_OF[request.action]
  const words = deps.redact(request.notes)
  const { used, salient }: { used: string[]; salient: string[] } = JSON.parse(sealed.memory)
  const gate = { ...subject.gate, outcome, words }
  const made = { prediction, used, salient }
  const vectors = await decisionVectors({ gate, made }, space)
  const at = deps.clock()
  deps.write.transaction(() => {
    const current = gateOf(deps.write, request.id)
    refuseUnlessOpen(current)
    if (gatesSql.latestArtifact(deps.write, request.id)?.version !== sealed.version) {
      throw new AppError('conflict', 'A newer version of this artifact has just arrived. Look at it first.')
    }
    gatesSql.insertDecision(deps.write, {
      gate_id: request.id,
      action: request.action,
      outcome,
      speech_act: speechActOf(words),
      notes: words,
      via: request.via,
      decided_at: at,
      surprise_bits: surpriseBits(prediction.posterior, outcome),
      pointer: null,
    })
    gatesSql.setStatus(deps.write, request.id, 'decided')
    gatesSql.setDraft(deps.write, request.id, '')
    remember(deps.write, { row: current, gate, prepared, made, space, at }, vectors)
  })
}

function refuseUnlessOpen(row: gatesSql.GateRow): void {
  if (row.status === 'decided') {
    throw new AppError('conflict', 'This gate has been decided already. A decision is final.')
  }
  if (row.status === 'ended') {
    throw new AppError(
      'conflict',
      'This gate ended without a decision in its session. Nothing waits for an answer.',
    )
  }
}
