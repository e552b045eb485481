import type { Receipt } from '@shared/recall'

// How near memory came to a goal, and why a segment was looked through in one way only, as lines on screen.

/** Null where something is near. */
export function weakMatch({ match }: Receipt): string | null {
  if (!match?.weak) return null
  const { cosine, coverage } = match
  const meaning = cosine === null ? '' : `the nearest in meaning is ${Math.round(cosine * 100)} % alike`
  const words =
    coverage === null
      ? ''
      : coverage < 0.005
        ? 'none of its words is told of'
        : `no item says more than ${Math.round(coverage * 100)} % of what was asked`
  const told = [meaning, words].filter((part) => part !== '')
  return `Memory has no close match for this: ${told.length > 0 ? told.join(', ') : 'it holds no word to look for'}.`
}

/** A reason that all segments share is said once. */
export function pathReasons({ paths }: Pick<Receipt, 'paths'>): string[] {
  const told = Object.entries(paths).filter(([, { path, reason }]) => path !== 'hybrid' && reason)
  const reasons = [...new Set(told.map(([, { reason }]) => reason ?? ''))]
  const [only] = reasons
  if (only !== undefined && reasons.length === 1 && told.length === Object.keys(paths).length) return [only]
  return told.map(([segment, { reason }]) => `${segment}: ${reason}`)
}
