// Calendar days as the person at this machine counts them: what was done on an evening is not of the next day because
// it is past midnight in Greenwich.

/** Midnight before `at` (milliseconds UTC) in the machine's time zone, or `days` days later. */
export function startOfDay(at: number, days = 0): number {
  const date = new Date(at)
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + days).getTime()
}

/** The machine's time zone by its name, `Europe/Berlin`. */
export const zoneName = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

const two = (n: number): string => String(n).padStart(2, '0')

/** `2026-03-04`, in the machine's time zone. */
export function dayText(at: number): string {
  const date = new Date(at)
  return `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/** `2026-03-04 21:15`, in the machine's time zone. */
export function minuteText(at: number): string {
  const date = new Date(at)
  return `${dayText(at)} ${two(date.getHours())}:${two(date.getMinutes())}`
}
