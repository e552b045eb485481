import { createHmac } from 'node:crypto'
import { assignmentHints, findAssignments } from './assignments'
import { contextRules, PRIVATE_KEY_BEGIN, type Rule, tokenRules } from './rules'

/** Raised when the rules change, so that what is stored can be scanned again. */
export const RULES_VERSION = 2

export interface Redacted {
  text: string
  /** How many secrets were replaced. */
  masked: number
}

export type Redactor = (text: string) => Redacted

const rules: readonly Rule[] = [...tokenRules, ...contextRules]
const byLiteral = new Map<string, Rule[]>()
for (const rule of rules) {
  for (const literal of rule.literals) byLiteral.set(literal, [...(byLiteral.get(literal) ?? []), rule])
}
// '.' alone stands in every text; the rule behind it is cheap and runs on what could hold it at all.
const common = new Set(['.', '-us', 'SK', 'pat', 'SG.', 'dp.', 'sl.', 'cio', 'key-', 'sk-', 'pul-', '1//'])
const literals = [...byLiteral.keys()].filter((literal) => !common.has(literal))
const quoted = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
const anyLiteral = new RegExp(literals.map(quoted).join('|'), 'g')
const commonRules = [...common].flatMap((literal) =>
  (byLiteral.get(literal) ?? []).map((rule) => ({ literal, rule })),
)

interface Span {
  start: number
  end: number
  kind: string
}

/**
 * Makes the door every text passes before it is stored. The mark `[secret:<kind>:<4 hex>]` is the same for the same
 * secret within one installation: the hex comes from an HMAC with the installation's salt.
 */
export function makeRedactor(salt: string): Redactor {
  const mark = (span: Span, secret: string): string =>
    `[secret:${span.kind}:${createHmac('sha256', salt).update(secret).digest('hex').slice(0, 4)}]`
  return (text) => {
    if (text.length < 8) return { text, masked: 0 }
    const spans = merge(outsideMarks(text, find(text)))
    if (spans.length === 0) return { text, masked: 0 }
    let out = ''
    let at = 0
    for (const span of spans) {
      out += text.slice(at, span.start) + mark(span, text.slice(span.start, span.end))
      at = span.end
    }
    return { text: out + text.slice(at), masked: spans.length }
  }
}

function find(text: string): Span[] {
  const spans: Span[] = []
  const tried = new Set<Rule>()
  const run = (rule: Rule): void => {
    if (tried.has(rule)) return
    tried.add(rule)
    apply(rule, text, spans)
  }
  anyLiteral.lastIndex = 0
  for (let match = anyLiteral.exec(text); match; match = anyLiteral.exec(text)) {
    for (const rule of byLiteral.get(match[0]) ?? []) run(rule)
    // Literals may overlap ("sk-" in "sk-ant-"): look again from the next character.
    anyLiteral.lastIndex = match.index + 1
    if (tried.size === rules.length) break
  }
  for (const { literal, rule } of commonRules) if (text.includes(literal)) run(rule)
  if (text.includes('PRIVATE KEY') || text.includes('PuTTY-User-Key')) privateKeys(text, spans)
  if (assignmentHints.test(text)) spans.push(...findAssignments(text))
  return spans
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
  const marks = [...text.matchAll(/\[secret:[a-z0-9-]{1,40}:[0-9a-f]{4}\]/g)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
  }))
  return spans.filter((span) => !marks.some((mark) => span.start < mark.end && mark.start < span.end))
}

/** Overlapping finds become one, named after the first. */
function merge(spans: Span[]): Span[] {
  const sorted = spans.sort((a, b) => a.start - b.start || b.end - a.end)
  const merged: Span[] = []
  for (const span of sorted) {
    const last = merged.at(-1)
    if (last && span.start < last.end) last.end = Math.max(last.end, span.end)
    else merged.push({ ...span })
  }
  return merged
}

/** Redacts every string inside a JSON value. */
export function redactDeep<T>(value: T, redact: Redactor): { value: T; masked: number } {
  let masked = 0
  const walk = (inner: unknown): unknown => {
    if (typeof inner === 'string') {
      const result = redact(inner)
      masked += result.masked
      return result.text
    }
    if (Array.isArray(inner)) return inner.map(walk)
    if (inner !== null && typeof inner === 'object') {
      return Object.fromEntries(Object.entries(inner).map(([key, each]) => [key, walk(each)]))
    }
    return inner
  }
  const out = walk(value) as T
  return { value: out, masked }
}
