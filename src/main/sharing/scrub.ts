import { ERASED_TEXT } from '../../shared/recall'

// Taking what was erased out of receipts and traces: texts as values, no database.

export const ERASED = ERASED_TEXT
const HANDLE = /itm_[a-z2-7]{26}/g
/** So many words in a row that also stand in an erased text are a quotation of it. */
const RUN = 4

const STAND_IN = 'itm_erased'
const LETTERS = 'abcdefghijklmnopqrstuvwxyz234567'

/** The handles of items a text names, each once. */
export const handlesIn = (text: string): string[] =>
  [...new Set(text.match(HANDLE) ?? [])].filter((handle) => !handle.startsWith(STAND_IN))

/**
 * A text without the handles of erased items. A handle is a hash of what its item said, and what was said in few words
 * can be guessed by it; what stands in its place says that it was erased, and is another one for each within this text.
 */
export function withoutHandles(text: string, erased: readonly string[]): string {
  if (erased.length === 0) return text
  // What an earlier erasure put in is numbered already.
  const numbers = (text.match(HANDLE) ?? []).filter((handle) => handle.startsWith(STAND_IN)).map(numberOf)
  const first = Math.max(-1, ...numbers) + 1
  const standIns = new Map(erased.map((handle, n) => [handle, standIn(first + n)]))
  return text.replace(HANDLE, (handle) => standIns.get(handle) ?? handle)
}

const DIGITS = 26 - 'erased'.length

function standIn(number: number): string {
  let digits = ''
  for (let rest = number; rest > 0; rest = Math.floor(rest / LETTERS.length))
    digits = LETTERS.charAt(rest % LETTERS.length) + digits
  return STAND_IN + digits.padStart(DIGITS, 'a')
}

const numberOf = (standing: string): number =>
  [...standing.slice(STAND_IN.length)].reduce(
    (sum, letter) => sum * LETTERS.length + LETTERS.indexOf(letter),
    0,
  )

/** What texts are compared by. */
export const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

/** Tells whether a text quotes one of the erased ones. A text of fewer words quotes when all of them stand there. */
export function quoter(erased: readonly string[]): (text: string) => boolean {
  const runs = new Set<string>()
  const whole = erased.map((text) => ` ${wordsOf(text).join(' ')} `)
  for (const text of whole) {
    const words = text.trim().split(' ')
    for (let at = 0; at + RUN <= words.length; at++) runs.add(words.slice(at, at + RUN).join(' '))
  }
  return (text) => {
    const words = wordsOf(text)
    if (words.length === 0) return false
    if (words.length < RUN)
      return isTelling(words) && whole.some((one) => words.every((word) => one.includes(` ${word} `)))
    for (let at = 0; at + RUN <= words.length; at++)
      if (runs.has(words.slice(at, at + RUN).join(' '))) return true
    return false
  }
}

/**
 * Of many short texts, such as what people asked for, tells which ones a longer text is quoted in. The other way round
 * than `quoter`: what is asked for is little, what is erased may be gigabytes.
 */
export function quotedBy(asked: readonly string[]): (text: string) => string[] {
  const byRun = new Map<string, string[]>()
  const short: { words: readonly string[]; asked: string }[] = []
  for (const one of asked) {
    const words = wordsOf(one)
    if (words.length < RUN && isTelling(words)) short.push({ words, asked: one })
    for (let at = 0; at + RUN <= words.length; at++) {
      const run = words.slice(at, at + RUN).join(' ')
      byRun.set(run, [...(byRun.get(run) ?? []), one])
    }
  }
  return (text) => {
    const words = wordsOf(text)
    const found = new Set<string>()
    for (let at = 0; at + RUN <= words.length; at++)
      for (const one of byRun.get(words.slice(at, at + RUN).join(' ')) ?? []) found.add(one)
    const whole = short.length === 0 ? '' : ` ${words.join(' ')} `
    for (const one of short) if (one.words.every((word) => whole.includes(` ${word} `))) found.add(one.asked)
    return [...found]
  }
}

/** A common word or two are no quotation. */
const isTelling = (words: readonly string[]): boolean =>
  words.some((word) => word.length >= 8 || /\d/.test(word))

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

/** Fields that say what a thing is, by a fixed set of words; they never hold a transcript's text. */
const KEPT = new Set([
  'handle',
  'handles',
  'kind',
  'level',
  'reason',
  'source',
  'modality',
  'verdict',
  'wanted',
  'id',
  'path',
  'plane',
  'tokenizer',
  'model',
  'mode',
  'zone',
])

/**
 * A receipt's or a trace's body without what was erased: an entry that names an erased item keeps its numbers and loses
 * its texts; any other text that quotes one goes too.
 */
export function scrub(
  body: Json,
  isErased: (handle: string) => boolean,
  quotes: (text: string) => boolean,
): Json {
  const walk = (value: Json, blank: boolean, key: string): Json => {
    if (typeof value === 'string') {
      if (KEPT.has(key)) return value
      return value !== '' && (blank || quotes(value)) ? ERASED : value
    }
    if (Array.isArray(value)) {
      if (key === 'handles') return value.filter((one) => typeof one !== 'string' || !isErased(one))
      return value.map((one) => walk(one, blank, key))
    }
    if (value === null || typeof value !== 'object') return value
    const names = [value.handle, ...(Array.isArray(value.handles) ? value.handles : [])]
    const gone = blank || names.some((one) => typeof one === 'string' && isErased(one))
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, walk(inner, gone, name)]))
  }
  return walk(body, false, '')
}

/** A receipt's body in which erased facts stand among what was left out, with that as the reason. */
export function scrubReceipt(
  body: Json,
  isErased: (handle: string) => boolean,
  quotes: (text: string) => boolean,
): Json {
  const clean = scrub(body, isErased, quotes)
  if (clean === null || typeof clean !== 'object' || Array.isArray(clean)) return clean
  const { facts, omitted } = clean
  if (!Array.isArray(facts) || !Array.isArray(omitted)) return clean
  const goneFrom = (one: Json): string | null => {
    const handle = one !== null && typeof one === 'object' && !Array.isArray(one) ? one.handle : null
    return typeof handle === 'string' && isErased(handle) ? handle : null
  }
  const left = omitted.map((one) =>
    goneFrom(one) === null ? one : { ...(one as object), reason: 'erased', title: ERASED },
  ) as Json[]
  const moved = facts.flatMap((one): Json[] => {
    const handle = goneFrom(one)
    return handle === null ? [] : [{ handle, reason: 'erased', score: 0, title: ERASED }]
  })
  return { ...clean, facts: facts.filter((one) => goneFrom(one) === null), omitted: [...left, ...moved] }
}

/**
 * A receipt without its breadcrumbs, in the body and in the frame: they are words of items that it does not name, so
 * nothing in it tells whose. Null when it has none.
 */
export function withoutCrumbs(body: Json, frame: string): { body: Json; frame: string } | null {
  if (body === null || typeof body !== 'object' || Array.isArray(body)) return null
  const { breadcrumbs } = body
  if (!Array.isArray(breadcrumbs) || breadcrumbs.length === 0) return null
  const lines = frame.split('\n').filter((line) => !breadcrumbs.includes(line))
  return { body: { ...body, breadcrumbs: [] }, frame: lines.join('\n') }
}
