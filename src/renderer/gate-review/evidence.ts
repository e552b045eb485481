import type { Prediction } from '@shared/review'
import type { Evidence } from '../lib/markdown'

/** What in the artifact moved the prediction, as places to mark. What is missing has no place, unless it is what covers the point. */
export function evidenceOf(prediction: Prediction | null): Evidence[] {
  if (!prediction) return []
  return prediction.percepts.flatMap((percept, id) =>
    (percept.present || percept.line !== null) && percept.evidence.trim() !== ''
      ? [{ id, line: percept.line, text: percept.evidence }]
      : [],
  )
}

/** Brings the marked evidence of one percept into sight. */
export function showEvidence(id: number): void {
  const mark = document.querySelector(`[data-percept="${id}"]`)
  const calm = window.matchMedia('(prefers-reduced-motion: reduce)').matches
  mark?.scrollIntoView({ block: 'center', behavior: calm ? 'auto' : 'smooth' })
}
