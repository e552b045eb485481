import type { ReceiptFact } from '@shared/recall'

/** Facts as a reader wants them, from the sharp middle outwards: finer rung, fewer hops, better score first. */
export function byDetail(facts: readonly ReceiptFact[]): ReceiptFact[] {
  return [...facts].sort(
    (a, b) =>
      a.level.localeCompare(b.level) ||
      a.hop - b.hop ||
      b.score - a.score ||
      a.handle.localeCompare(b.handle),
  )
}
