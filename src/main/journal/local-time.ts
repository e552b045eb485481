// Some transcripts tell local times without a zone. Whose zone it was nobody can tell afterwards; a data folder takes
// them for its own, the one it was first used in, so that reading a file again elsewhere, or in summer, gives the same.

let zone = 'UTC'

/** While `read` runs, times without a zone are of this one. `read` must not wait for anything. */
export function inZone<T>(name: string, read: () => T): T {
  const before = zone
  zone = name
  try {
    return read()
  } finally {
    zone = before
  }
}

/** The zone this machine is in now, as the time zone database names it. */
export const ownZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC'

const ZONED = /(?:Z|UTC|GMT|[ECMP][SD]T|[+-]\d\d:?\d\d)(?:\s*\([^)]{0,60}\))?$/i
/** A day or a month alone begins at midnight UTC, by the standard. */
const DAY = /^\d{4}(?:-\d\d){0,2}$/
const ISO = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/

/** Milliseconds since 1970 of a time in words or in ISO 8601; NaN for what is none. */
export function parseTime(text: string): number {
  if (text.endsWith('Z') || DAY.test(text) || ZONED.test(text)) return Date.parse(text)
  const wall = Date.parse(ISO.test(text) ? `${text.replace(' ', 'T')}Z` : `${text} UTC`)
  return Number.isNaN(wall) ? Date.parse(text) : fromWall(wall, zone)
}

const DAY_MS = 86_400_000

/**
 * The moment at which the clocks of a zone show `wall`, given as if it were UTC. As JavaScript has it for the machine's
 * own zone: of an hour that comes twice the first, and what is skipped counts by the clock of before.
 */
export function fromWall(wall: number, name: string): number {
  if (!(Math.abs(wall) < 8e15)) return wall
  const before = wall - offsetAt(wall - DAY_MS, name)
  if (offsetAt(before, name) === wall - before) return before
  const after = wall - offsetAt(wall + DAY_MS, name)
  return offsetAt(after, name) === wall - after ? after : before
}

/** How far the clocks of a zone are ahead of UTC at a moment, in milliseconds. */
function offsetAt(moment: number, name: string): number {
  const second = Math.floor(moment / 1000) * 1000
  const fields = Object.fromEntries(
    clockOf(name)
      .formatToParts(second)
      .map(({ type, value }) => [type, Number(value)]),
  ) as Record<'year' | 'month' | 'day' | 'hour' | 'minute' | 'second', number>
  const { year, month, day, hour, minute } = fields
  return Date.UTC(year, month - 1, day, hour, minute, fields.second) - second
}

const clocks = new Map<string, Intl.DateTimeFormat>()

function clockOf(name: string): Intl.DateTimeFormat {
  const known = clocks.get(name)
  if (known) return known
  const two = '2-digit'
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone: name,
    hourCycle: 'h23',
    year: 'numeric',
    month: two,
    day: two,
    hour: two,
    minute: two,
    second: two,
  })
  clocks.set(name, made)
  return made
}
