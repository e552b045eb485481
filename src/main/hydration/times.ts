import { startOfDay } from '../../shared/days'
import type { AskedFor } from '../../shared/recall'

// Times in a goal, relative to a moment, in the machine's time zone: "yesterday" is the person's. A span that ends now or at a named moment ("last week", "since
// Monday", "before 2026-03-01") is a condition; a date or a month ("in March") only makes what is of then count more,
// since one often tells of a day on another.

const DAY = 86_400_000
const MONTHS = 'january february march april may june july august september october november december'.split(
  ' ',
)
const WEEKDAYS = 'sunday monday tuesday wednesday thursday friday saturday'.split(' ')
const NUMBERS: Record<string, number> = {
  a: 1,
  an: 1,
  one: 1,
  two: 2,
  couple: 2,
  three: 3,
  few: 3,
  four: 4,
  five: 5,
}
const COUNT = '(\\d{1,3}|an?|one|two|(?:a )?couple(?: of)?|three|(?:a )?few|four|five)'
const MONTH = `(${MONTHS.map((month) => `${month}|${month.slice(0, 3)}`).join('|')}|sept)\\.?`
const DATE = `(\\d{4}-\\d{2}-\\d{2}|${MONTH} \\d{1,2}(?:st|nd|rd|th)?(?:,? \\d{4})?|\\d{1,2}(?:st|nd|rd|th)?(?: of)? ${MONTH}(?:,? \\d{4})?)`

interface Span {
  phrase: string
  since: number
  until: number
}
type Within = NonNullable<AskedFor['within']>
type Reader = (match: RegExpExecArray, asOf: number) => { since: number | null; until: number | null } | null

const WITHIN: readonly [RegExp, Reader][] = [
  [/\byesterday\b/i, (_, asOf) => span(startOfDay(asOf, -1), startOfDay(asOf))],
  [/\b(?:today|this morning)\b/i, (_, asOf) => span(startOfDay(asOf), startOfDay(asOf, 1))],
  [
    new RegExp(
      `\\b(?:in|over|within|during) the (?:last|past) (?:${COUNT} )?(day|week|month|year)s?\\b`,
      'i',
    ),
    (match, asOf) => ({ since: asOf - countOf(match[1]) * lengthOf(match[2]), until: null }),
  ],
  [
    /\b(last|this) (week|month|year)\b/i,
    (match, asOf) => calendar(match[1] ?? '', (match[2] ?? '').toLowerCase(), asOf),
  ],
  [
    new RegExp(`\\b(since|after|before|until) ${DATE}(?![\\w-])`, 'i'),
    (match, asOf) => sided(match[1] ?? '', dateOf(match[2] ?? '', asOf)),
  ],
  [
    new RegExp(`\\b(since|before|until) (${WEEKDAYS.join('|')})\\b`, 'i'),
    (match, asOf) => sided(match[1] ?? '', weekdayBefore(match[2] ?? '', asOf)),
  ],
]

/** What of a goal's words names a time. `within`: the first condition; `times`: what is named without one. */
export function timesIn(text: string, asOf: number): { within?: Within; times: Span[] } {
  for (const [pattern, read] of WITHIN) {
    const match = pattern.exec(text)
    const found = match ? read(match, asOf) : null
    if (match && found) return { within: { phrase: match[0], ...found }, times: [] }
  }
  const dates = [...text.matchAll(new RegExp(`\\b${DATE}(?![\\w-])`, 'gi'))].slice(0, 3).flatMap((match) => {
    const day = dateOf(match[0], asOf)
    return day ? [{ phrase: match[0], since: day.since, until: day.until }] : []
  })
  if (dates.length > 0) return { times: dates }
  return { times: monthsIn(text, asOf) }
}

/** "in March", "during May 2023"; a month without a year is the last one that has begun. */
function monthsIn(text: string, asOf: number): Span[] {
  const pattern = new RegExp(`\\b(?:in|during|since|early|late|of) ${MONTH}(?: (\\d{4}))?(?![\\w-])`, 'gi')
  return [...text.matchAll(pattern)].slice(0, 3).flatMap((match) => {
    const month = monthOf(match[1] ?? '')
    if (month < 0) return []
    const now = new Date(asOf)
    const year = match[2] ? Number(match[2]) : now.getFullYear() - (month > now.getMonth() ? 1 : 0)
    return [{ phrase: match[0], since: monthAt(year, month), until: monthAt(year, month + 1) }]
  })
}

const span = (since: number, until: number) => ({ since, until })
const monthAt = (year: number, month: number): number => new Date(year, month, 1).getTime()
const monthOf = (word: string): number =>
  MONTHS.findIndex((month) => month.startsWith(word.toLowerCase().replace(/\./g, '').slice(0, 3)))

function countOf(word: string | undefined): number {
  if (word === undefined) return 1
  const plain = word
    .toLowerCase()
    .replace(/^a (?=\w)/, '')
    .replace(/ of$/, '')
  return NUMBERS[plain] ?? Number(plain)
}

const LENGTHS: Record<string, number> = { day: DAY, week: 7 * DAY, month: 30 * DAY, year: 365 * DAY }
const lengthOf = (unit: string | undefined): number => LENGTHS[(unit ?? '').toLowerCase()] ?? DAY

/** Weeks begin on Monday. */
function calendar(which: string, unit: string, asOf: number): { since: number; until: number } {
  const now = new Date(asOf)
  const back = which.toLowerCase() === 'last' ? 1 : 0
  if (unit === 'week') {
    const monday = -((now.getDay() + 6) % 7) - back * 7
    return span(startOfDay(asOf, monday), startOfDay(asOf, monday + 7))
  }
  const [year, month] = [now.getFullYear(), now.getMonth()]
  if (unit === 'month') return span(monthAt(year, month - back), monthAt(year, month - back + 1))
  return span(monthAt(year - back, 0), monthAt(year - back + 1, 0))
}

function sided(
  side: string,
  day: { since: number; until: number } | null,
): { since: number | null; until: number | null } | null {
  if (!day) return null
  switch (side.toLowerCase()) {
    case 'since':
      return { since: day.since, until: null }
    case 'after':
      return { since: day.until, until: null }
    case 'until':
      return { since: null, until: day.until }
    default:
      return { since: null, until: day.since }
  }
}

/** A day without a year is the last such day that has begun. */
function dateOf(text: string, asOf: number): { since: number; until: number } | null {
  const iso = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)
  if (iso) return dayAt(Number(iso[1]), Number(iso[2]) - 1, Number(iso[3]))
  const month = monthOf(/[A-Za-z]{3,}/.exec(text.replace(/\d+(?:st|nd|rd|th)|\bof\b/gi, ''))?.[0] ?? '')
  const day = Number(/(?<!\d)\d{1,2}(?!\d)/.exec(text)?.[0])
  const year = /\d{4}/.exec(text)?.[0]
  if (month < 0 || !(day > 0)) return null
  if (year) return dayAt(Number(year), month, day)
  const thisYear = new Date(asOf).getFullYear()
  const own = dayAt(thisYear, month, day)
  return own && own.since > asOf ? dayAt(thisYear - 1, month, day) : own
}

/** Null where there is no such day. */
function dayAt(year: number, month: number, day: number): { since: number; until: number } | null {
  const since = new Date(year, month, day).getTime()
  return new Date(since).getMonth() === month ? span(since, startOfDay(since, 1)) : null
}

function weekdayBefore(name: string, asOf: number): { since: number; until: number } {
  const back = (new Date(asOf).getDay() - WEEKDAYS.indexOf(name.toLowerCase()) + 7) % 7
  const days = back === 0 ? 7 : back
  return span(startOfDay(asOf, -days), startOfDay(asOf, 1 - days))
}
