// How numbers, times and sizes read on screen. Times are shown in the time zone of the machine.

const number = new Intl.NumberFormat('en-US')
const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })
const clockExact = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' })
const dayMonth = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' })
const dayMonthYear = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' })
const weekday = new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long' })
const weekdayYear = new Intl.DateTimeFormat('en-GB', {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
})
const monthYear = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric' })

export const count = (n: number): string => number.format(n)

/** `3 items`, `1 item`. */
export const plural = (n: number, one: string, many = `${one}s`): string =>
  `${count(n)} ${n === 1 ? one : many}`

export const time = (ms: number): string => clock.format(ms)

/** A local calendar day (YYYY-MM-DD) as the local noon of that day, so that no time zone moves it. */
export const dayToDate = (day: string): Date => {
  const [y = 1970, m = 1, d = 1] = day.split('-').map(Number)
  return new Date(y, m - 1, d, 12)
}

/** `Thursday 26 November`, with the year when it is not the year of `now`. */
export function dayName(day: string, now: number): string {
  const date = dayToDate(day)
  const sameYear = date.getFullYear() === new Date(now).getFullYear()
  return (sameYear ? weekday : weekdayYear).format(date).replace(',', '')
}

export const monthName = (day: string): string => monthYear.format(dayToDate(day))

/** `26 Nov`, with the year when it is not the year of `now`. */
export function date(ms: number, now: number): string {
  const sameYear = new Date(ms).getFullYear() === new Date(now).getFullYear()
  return (sameYear ? dayMonth : dayMonthYear).format(ms)
}

export const dateTime = (ms: number, now: number): string => `${date(ms, now)} ${time(ms)}`

/** With the second, where two would read alike otherwise. */
export const dateTimeExact = (ms: number, now: number): string => `${date(ms, now)} ${clockExact.format(ms)}`

/** `now`, `22 min`, `3 h`, `4 d`, then a date. */
export function ago(ms: number, now: number): string {
  const minutes = Math.floor((now - ms) / 60_000)
  if (minutes < 1) return 'now'
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  if (hours < 24) return `${hours} h`
  const days = Math.floor(hours / 24)
  return days < 7 ? `${days} d` : date(ms, now)
}

/** The same within a sentence: `just now`, `22 min ago`, `on 3 Mar`. */
export function since(ms: number, now: number): string {
  const said = ago(ms, now)
  if (said === 'now') return 'just now'
  return /^\d+ (?:min|h|d)$/.test(said) ? `${said} ago` : `on ${said}`
}

export function bytes(n: number): string {
  if (n < 1000) return `${n} B`
  const units = ['kB', 'MB', 'GB', 'TB']
  let value = n / 1000
  let unit = 0
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000
    unit += 1
  }
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`
}

/** Share as a whole percent that says 100 only when it is all and 0 only when it is none. */
export function percent(part: number, whole: number): string {
  if (whole <= 0) return '0 %'
  const exact = (100 * part) / whole
  const shown = part >= whole ? 100 : part > 0 ? Math.min(99, Math.max(1, Math.round(exact))) : 0
  return `${shown} %`
}

/** `.82`, `1.00`, `−.06`: two digits, a real minus sign. */
export function term(value: number): string {
  const digits = Math.abs(value).toFixed(2).replace(/^0/, '')
  return value < 0 && digits !== '.00' ? `−${digits}` : digits
}

/** `itm_4q8z…`: enough of an id to tell two apart. */
export const shortId = (id: string, keep = 4): string =>
  id.length > keep + 5 ? `${id.slice(0, 4 + keep)}…` : id

/** A path in the person's own folder with a tilde in its place. */
export function tilde(path: string, userHome: string): string {
  const home = userHome.replace(/[\\/]+$/, '')
  return home !== '' && (path === home || /^[\\/]/.test(path.slice(home.length))) && path.startsWith(home)
    ? `~${path.slice(home.length)}`
    : path
}

/** A long path with whole folders in its middle left out, so that its beginning and its name stay readable. */
export function shortPath(path: string, max = 56): string {
  if (path.length <= max) return path
  const parts = path.split('/')
  const name = parts.pop() ?? ''
  let head = parts.shift() ?? ''
  for (const part of parts) {
    if (head.length + part.length + name.length + 4 > max) break
    head = `${head}/${part}`
  }
  return head === '' ? `…/${name}` : `${head}/…/${name}`
}

/** `a, b, 6 more`. */
export function few(names: readonly string[], show = 2): string {
  const rest = names.length - show
  return rest > 0 ? `${names.slice(0, show).join(', ')}, ${count(rest)} more` : names.join(', ')
}
