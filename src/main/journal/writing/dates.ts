const MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
]
const DAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']

let lastDay = Number.NaN
let lastWords = ''

/** The words a date can be searched by, in the machine's time zone: `tuesday 3 march 2026 2026-03-03`. */
export function dateWords(ts: number): string {
  const date = new Date(ts)
  const day = date.getFullYear() * 10_000 + date.getMonth() * 100 + date.getDate()
  if (day === lastDay) return lastWords
  const pad = (value: number): string => String(value).padStart(2, '0')
  const iso = `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`
  lastDay = day
  lastWords = `${DAYS[date.getDay()]} ${date.getDate()} ${MONTHS[date.getMonth()]} ${date.getFullYear()} ${iso}`
  return lastWords
}
