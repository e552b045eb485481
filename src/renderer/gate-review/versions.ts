import type { ArtifactVersion, GateDetail } from '@shared/review'

/**
 * The version a gate is about, and the one before it. A lineage goes on after a round is decided: what was decided
 * stays what is shown.
 */
export function versionsOf(gate: Pick<GateDetail, 'round' | 'versions'>): {
  current: ArtifactVersion | undefined
  before: ArtifactVersion | undefined
} {
  const known = gate.versions.filter((one) => one.version <= gate.round).sort((a, b) => a.version - b.version)
  const current = known[known.length - 1] ?? gate.versions[0]
  return { current, before: known[known.length - 2] }
}
