import { createHmac } from 'node:crypto'
import { assignmentHints, assignmentNames, findAssignments } from './assignments'
import { commandRules } from './commands'
import { halvesIn } from './halves'
import type { Rule } from './rule'
import { contextRules, PRIVATE_KEY_BEGIN, tokenRules } from './rules'
import { Looker, type Sight } from './sight'
import { inBase64, unescaped } from './views'

/** Raised when the rules change, so that what is stored can be scanned again. */
export const RULES_VERSION = 7

export interface Redacted {
  text: string
  /** How many secrets were replaced. */
  masked: number
}

export type Redactor = (text: string, as?: 'text' | 'name') => Redacted

/** Every rule with a pattern of its own. */
export const rules: readonly Rule[] = [...tokenRules, ...contextRules, ...commandRules]
const looker = new Looker(rules, assignmentNames)
const look = (text: string): Sight => looker.over(text)

interface Span {
  start: number
  end: number
  kind: string
  /** What it hides, where the text writes it in another way. */
  secret?: string
}

/**
 * Makes the door every text passes before it is stored; in a `name` also what is left of a cut key is looked for. The mark `[secret:<kind>:<4 hex>]` is the same for the same
 * secret within one installation: the hex comes from an HMAC with the installation's salt.
 * @param see tells what is worth looking for in a text; whatever it tells, short of too little, the result is the same
 */
export function makeRedactor(salt: string, see = look): Redactor {
  const mark = (span: Span, secret: string): string =>
    `[secret:${span.kind}:${createHmac('sha256', salt).update(secret).digest('hex').slice(0, 4)}]`
  return (text, as = 'text') => {
    if (text.length < 8) return { text, masked: 0 }
    const halves = as === 'name' ? halvesIn(text).map((half) => ({ ...half, kind: 'cut-key' })) : []
    const spans = merge(outsideMarks(text, findAll(text, see).concat(halves)))
    if (spans.length === 0) return { text, masked: 0 }
    let out = ''
    let at = 0
    for (const span of spans) {
      out += text.slice(at, span.start) + mark(span, span.secret ?? text.slice(span.start, span.end))
      at = span.end
    }
    return { text: out + text.slice(at), masked: spans.length }
  }
}

/** In the text as it stands, without its escapes, and in what it holds as base64. */
function findAll(text: string, see: See): Span[] {
  const sight = see(text)
  const spans = found(text, sight, see)
  const view = sight.escapes ? unescaped(text) : null
  if (!view) return spans
  for (const { start, end, kind } of found(view.text, see(view.text), see))
    spans.push({ ...view.place(start, end), kind, secret: view.text.slice(start, end) })
  return spans
}

type See = (text: string) => Sight

const found = (text: string, sight: Sight, see: See): Span[] =>
  sight.base64 ? [...find(text, sight), ...findInBase64(text, see)] : find(text, sight)

const findInBase64 = (text: string, see: See): Span[] =>
  inBase64(text).flatMap(({ start, end, text: inner }) => {
    const [first] = outsideMarks(inner, find(inner, see(inner)))
    return first ? [{ start, end, kind: first.kind }] : []
  })

function find(text: string, sight: Sight): Span[] {
  const spans: Span[] = []
  for (const rule of sight.rules) apply(rule, text, spans)
  if (text.includes('PRIVATE KEY') || text.includes('PuTTY-User-Key')) privateKeys(text, spans)
  // As many as a text of megabytes may hold are too many for the arguments of one call.
  return sight.names && assignmentHints.test(text) ? spans.concat(findAssignments(text)) : spans
}

function apply(rule: Rule, text: string, spans: Span[]): void {
  rule.pattern.lastIndex = 0
  for (let match = rule.pattern.exec(text); match; match = rule.pattern.exec(text)) {
    const secret = match[rule.group ?? 0] ?? ''
    if (secret === '') continue
    // The group is what ends the match or stands once in it; search from behind, so that a user name equal to the
    // password does not shift the place.
    const start = rule.group ? match.index + match[0].lastIndexOf(secret) : match.index
    if (isStandIn(secret) || (rule.accept && !rule.accept(secret))) continue
    spans.push({ start, end: start + secret.length, kind: rule.kind })
  }
}

const isStandIn = (secret: string): boolean =>
  secret.startsWith('[secret:') ||
  secret.startsWith('$') ||
  secret.startsWith('<') ||
  secret.startsWith('{') ||
  /^\*+$|^x{3,}$/i.test(secret)

/** From BEGIN to END, or, when the end is cut off, as far as key material goes on. */
function privateKeys(text: string, spans: Span[]): void {
  PRIVATE_KEY_BEGIN.lastIndex = 0
  for (let match = PRIVATE_KEY_BEGIN.exec(text); match; match = PRIVATE_KEY_BEGIN.exec(text)) {
    const body = match.index + match[0].length
    const end = /-----END (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)?-----|Private-MAC: [0-9a-f]{40,64}/.exec(
      text.slice(body, body + 20_000),
    )
    const material = end ? end.index + end[0].length : keyMaterial(text, body)
    if (material < 16) continue
    spans.push({ start: match.index, end: body + material, kind: 'private-key' })
    PRIVATE_KEY_BEGIN.lastIndex = body + material
  }
}

function keyMaterial(text: string, from: number): number {
  const match = /^(?:[A-Za-z0-9+/=\s:,-]|\\[nr]){0,20000}/.exec(text.slice(from, from + 20_000))
  return match?.[0].trimEnd().length ?? 0
}

/** A mark stands where a secret was; nothing in it is one. */
function outsideMarks(text: string, spans: Span[]): Span[] {
  if (!text.includes('[secret:')) return spans
  const marks = [...text.matchAll(/\[secret:[a-z0-9-]{1,40}:[0-9a-f]{4}\]/g)]
  let next = 0
  return byStart(spans).filter((span) => {
    while (endOf(marks[next]) <= span.start) next++
    const mark = marks[next]
    return mark === undefined || (mark.index ?? 0) >= span.end
  })
}

const byStart = (spans: Span[]): Span[] => spans.sort((a, b) => a.start - b.start || b.end - a.end)
/** No end is below the end of the text when there is no mark left. */
const endOf = (mark: RegExpMatchArray | undefined): number =>
  mark === undefined ? Number.POSITIVE_INFINITY : (mark.index ?? 0) + mark[0].length

/** Overlapping finds become one, named after the first. */
function merge(spans: Span[]): Span[] {
  const merged: Span[] = []
  for (const span of byStart(spans)) {
    const last = merged.at(-1)
    if (!last || span.start >= last.end) merged.push({ ...span })
    else if (span.end > last.end) {
      last.end = span.end
      delete last.secret
    }
  }
  return merged
}

/** Redacts every string inside a JSON value. */
export function redactDeep<T>(value: T, redact: Redactor): { value: T; masked: number } {
  return walk(value, redact, (key) => key)
}

/** The same, and the names of its fields as well. */
export function redactKeysToo<T>(value: T, redact: Redactor): { value: T; masked: number } {
  return walk(value, redact, (key) => redact(key).text)
}

function walk<T>(value: T, redact: Redactor, nameOf: (key: string) => string): { value: T; masked: number } {
  let masked = 0
  const each = (inner: unknown): unknown => {
    if (typeof inner === 'string') {
      const result = redact(inner)
      masked += result.masked
      return result.text
    }
    if (Array.isArray(inner)) return inner.map(each)
    if (inner !== null && typeof inner === 'object') {
      return Object.fromEntries(
        Object.entries(inner).map(([key, member]) => {
          const name = nameOf(key)
          if (name !== key) masked++
          return [name, each(member)]
        }),
      )
    }
    return inner
  }
  const out = each(value) as T
  return { value: out, masked }
}
