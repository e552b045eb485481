import type { ReceiptLine } from '@shared/recall'

/** Receipts of one goal made within one minute: nothing but their seconds would tell them apart. */
export function sameMinute(lines: readonly ReceiptLine[]): ReadonlySet<string> {
  const alike = Map.groupBy(lines, (line) => `${Math.floor(line.createdAt / 60_000)} ${line.goal}`)
  return new Set(
    [...alike.values()].flatMap((group) => (group.length > 1 ? group.map((line) => line.id) : [])),
  )
}
