// Everything Fovea injects into an agent's context is wrapped, so that it is known again when the transcript comes
// back. The markers hold nothing that JSON, Markdown or HTML would escape, and no line break.
import type { EnvelopeKey } from './envelope-key'

export interface EnvelopeInfo {
  /** What made it: `hydrate`, `session-start`, `mcp` and the like. */
  source: string
  /** The receipt that accounts for it. */
  receipt: string
  frame?: string
}

/** What tells our own envelopes from those that somebody only wrote like ours. */
export interface Receipts {
  /** Whether Fovea wrapped a text of so many characters for this receipt: here, or where its `mac` was made. */
  known(receipt: string, chars: number, mac: string): boolean
  /** So many receipts were named by envelopes that stay as text. */
  kept(receipts: number): void
}

const STRANGER: Receipts = { known: () => false, kept: () => {} }
let asked: Receipts = STRANGER

/**
 * While `read` runs, `strip` asks these receipts: formats strip deep inside pure functions of a record. `read` must not
 * wait for anything.
 */
export function withReceipts<T>(receipts: Receipts, read: () => T): T {
  const before = asked
  asked = receipts
  try {
    return read()
  } finally {
    asked = before
  }
}

const BEGIN = '[[fovea:begin'
const END = '[[fovea:end'
const CLOSE = ']]'

const field = (value: string): string => value.replace(/[^\w.:-]/g, '_').slice(0, 80)

/** Wraps text that goes into an agent's context. The markers name the receipt, and how long the text is. */
export function wrap(info: EnvelopeInfo, text: string, mac?: string): string {
  const frame = info.frame ? ` frame=${field(info.frame)}` : ''
  // Every marker names Fovea. Without saying it twice the longest fits into a line of 80 characters, where nobody breaks it.
  const source = info.source === 'fovea' ? '' : ` source=${field(info.source)}`
  // Receipt and length end a marker: by that they are found in what is stored.
  const tail = `${mac ? ` mac=${field(mac)}` : ''} receipt=${field(info.receipt)} chars=${text.length}`
  return `${BEGIN}${source}${frame}${tail}${CLOSE}\n${text}\n${END}${tail}${CLOSE}`
}

/** `wrap` with markers that every data folder of the key's owner knows. */
export const signedWrap =
  (key: EnvelopeKey) =>
  (info: EnvelopeInfo, text: string): string =>
    wrap(info, text, key.sign(field(info.receipt), text.length))

/** A whole marker: short, and exactly what `wrap` writes. */
const MARKER = /\[\[fovea:(begin|end)((?: [a-z]{1,12}=[\w.:-]{1,80}){2,6})\]\]/g
/** The beginning of a marker that the text's end cuts. */
const FRAGMENT =
  /\[\[fovea:[a-z]{0,5}(?: [a-z]{1,12}=[\w.:-]{1,80}){0,6}(?: [a-z]{0,12}(?:=[\w.:-]{0,80})?)?\]?$/
const NO_ROOM = /[ \t>|*#-]*\[fovea rcp_[a-z2-7]{16}: no room for a frame\]/g
const MAX_OPEN = 1_000
const LOOK_BACK = 32

interface Marker {
  at: number
  end: number
  open: boolean
  receipt: string
  /** Length of the wrapped text when it was written. */
  chars: number
  /** Empty where there is none. */
  mac: string
  /** Characters before it and up to its end, as they were before they were quoted or escaped. */
  from: number
  to: number
}

type Span = [start: number, end: number]

function markers(text: string): Marker[] {
  const found: Marker[] = []
  const measure = new Measure(text)
  for (const match of text.matchAll(MARKER)) {
    const receipt = / receipt=(\S{1,80})/.exec(match[2] ?? '')?.[1]
    const chars = / chars=(\d{1,9})(?!\S)/.exec(match[2] ?? '')?.[1]
    if (receipt === undefined || chars === undefined) continue
    const at = match.index
    const end = at + match[0].length
    const from = measure.upTo(at)
    found.push({
      at,
      end,
      open: match[1] === 'begin',
      receipt,
      chars: Number(chars),
      mac: / mac=(\d{1,80})(?!\S)/.exec(match[2] ?? '')?.[1] ?? '',
      from,
      to: measure.upTo(end),
    })
  }
  return found
}

/** Counts characters as they were before JSON, Markdown or HTML lengthened them. Goes forward only. */
class Measure {
  private count = 0
  constructor(
    private readonly text: string,
    private at = 0,
  ) {}

  upTo(position: number): number {
    while (this.at < position) this.step()
    return this.count
  }

  /** Where so many characters more have gone by. */
  after(chars: number): number {
    const goal = this.count + chars
    while (this.count < goal && this.at < this.text.length) this.step()
    return this.at
  }

  private step(): void {
    const { text } = this
    const code = text.charCodeAt(this.at)
    if (code === 0x0a) {
      this.at++
      while (this.at < text.length && ' \t>|*#-'.includes(text.charAt(this.at))) this.at++
      this.count++
    } else if (code === 0x5c || code === 0x0d)
      this.at += text.charAt(this.at + 1) === 'u' && code === 0x5c ? 5 : 1
    else {
      const entity =
        code === 0x26
          ? /^&(?:lt|gt|quot|amp|apos|#\d{2,3}|#x[0-9a-f]{2});/i.exec(text.slice(this.at, this.at + 8))
          : null
      this.at += entity?.[0].length ?? 1
      this.count++
    }
  }
}

/** What quoting may still have added to a text of so many characters. */
const slack = (chars: number): number => 64 + Math.ceil(chars / 10)

/**
 * Removes envelopes from a text: nested, cut at either end, quoted (`> `), indented or JSON-escaped. Only as much goes
 * as the markers account for: both name one receipt of ours, and between them is no more than they say; of a cut envelope
 * what is left of it. Any other marker is somebody's text: it stays, and is no marker any more. Whoever writes a
 * transcript can write an envelope, and taking it for ours would let a text hide itself from memory: a marker is ours
 * when its receipt is known here, or when the person's key signed it. Text cannot be signed, since it comes back quoted
 * and escaped; so who copies markers that an agent was given hides as much text as stood between them, and no more.
 */
export function strip(given: string, receipts: Receipts = asked): string {
  // A frame without room for its envelope; nothing can hide in it.
  const text = given.includes('[fovea rcp_') ? given.replace(NO_ROOM, '').trim() : given
  if (!text.includes('[[fovea:')) return text
  const spans: Span[] = []
  const open: Marker[] = []
  const whole: Whole[] = []
  const found = markers(text)
  const ours = (marker: Marker): boolean => receipts.known(marker.receipt, marker.chars, marker.mac)
  for (const marker of found) {
    if (marker.open) {
      if (open.length < MAX_OPEN) open.push(marker)
      continue
    }
    if (!ours(marker)) continue
    const partner = partnerOf(marker, open, whole)
    const opening = partner === -1 ? undefined : open.splice(partner)[0]
    if (opening === undefined) beginningCut(text, marker, spans)
    else {
      spans.push([opening.at, marker.end])
      whole.push({ at: opening.at, end: marker.end, chars: marker.to - opening.from })
    }
  }
  const fragment = open.length > 0 ? text.search(FRAGMENT) : -1
  for (const marker of open.slice(0, LOOK_BACK)) {
    if (isWithin(marker, spans) || !ours(marker)) continue
    const end = endOfCut(text, marker, whole)
    // What follows a cut envelope by a hair is the rest of its own end.
    const isLast = fragment >= 0 && new Measure(text, end).upTo(fragment) <= slack(marker.chars)
    spans.push([marker.at, isLast ? text.length : end])
  }
  receipts.kept(new Set(found.filter((one) => !isWithin(one, spans)).map((one) => one.receipt)).size)
  return cut(text, spans)
}

const isWithin = (marker: Marker, spans: readonly Span[]): boolean =>
  spans.some(([from, to]) => from <= marker.at && marker.end <= to)

/** A whole envelope that was found, and its characters as they were: another one may have been put into it, or it into another. */
interface Whole {
  at: number
  end: number
  chars: number
}

/** Characters of the whole envelopes that begin between two places, each counted once. */
function within(whole: readonly Whole[], from: number, to: number): number {
  let chars = 0
  let past = from
  const inside = whole.filter(({ at }) => at >= from && at < to)
  for (const one of inside.sort((a, b) => a.at - b.at || b.end - a.end)) {
    if (one.at < past) continue
    chars += one.chars
    past = one.end
  }
  return chars
}

/** Where what an envelope without its end may account for ends: what was put into it is not its own. */
function endOfCut(text: string, marker: Marker, whole: readonly Whole[]): number {
  let end = marker.end
  for (let inside = -1, now = 0; now !== inside; now = within(whole, marker.end, end)) {
    inside = now
    end = new Measure(text, marker.end).after(marker.chars + 1 + inside)
  }
  return end
}

/** The opening marker that a closing one belongs to; -1 when none fits. */
function partnerOf(close: Marker, open: readonly Marker[], whole: readonly Whole[]): number {
  for (let at = open.length - 1; at >= Math.max(0, open.length - LOOK_BACK); at--) {
    const marker = open[at]
    if (marker?.receipt !== close.receipt || marker.chars !== close.chars) continue
    const most = close.chars + slack(close.chars)
    const between = close.from - marker.to
    // What was put in between is only looked for where it matters: a text may hold thousands of envelopes.
    if (between <= most || between - within(whole, marker.end, close.at) <= most) return at
  }
  return -1
}

/** An envelope whose beginning is cut off begins the text, or follows another one. */
function beginningCut(text: string, close: Marker, spans: Span[]): void {
  if (close.from - restOfOpening(text, close) <= close.chars + slack(0)) spans.push([0, close.end])
}

const LONGEST_MARKER = 300

/** Characters of the opening marker that the text's beginning cuts. */
function restOfOpening(text: string, close: Marker): number {
  const rest = text.slice(0, text.slice(0, LONGEST_MARKER).indexOf(CLOSE) + CLOSE.length)
  return rest.endsWith(` chars=${close.chars}${CLOSE}`) ? rest.length : 0
}

function cut(text: string, spans: Span[]): string {
  let out = ''
  let at = 0
  for (const [from, to] of spans.sort((a, b) => a[0] - b[0])) {
    if (from > at || at === 0) out += text.slice(at, Math.max(at, from)).replace(/(?:^|\n)[ \t>|*#-]*$/, '\n')
    at = Math.max(at, to)
  }
  return (out + text.slice(at)).replace(FRAGMENT, '').replaceAll('[[fovea:', '[fovea:').trim()
}
