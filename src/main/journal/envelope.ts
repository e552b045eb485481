// Everything Fovea injects into an agent's context is wrapped, so that it is known again when the transcript comes
// back. The markers hold nothing that JSON, Markdown or HTML would escape, and no line break.

export interface EnvelopeInfo {
  /** What made it: `hydrate`, `session-start`, `mcp` and the like. */
  source: string
  /** The receipt that accounts for it. */
  receipt: string
  frame?: string
}

const BEGIN = '[[fovea:begin'
const END = '[[fovea:end'
const CLOSE = ']]'
/** A marker is short; what claims to be a longer one is not a marker. */
const MARKER_LIMIT = 300

const field = (value: string): string => value.replace(/[^\w.:-]/g, '_').slice(0, 80)

/** Wraps text that goes into an agent's context. The markers name the receipt, and how long the text is. */
export function wrap(info: EnvelopeInfo, text: string): string {
  const frame = info.frame ? ` frame=${field(info.frame)}` : ''
  const tail = `receipt=${field(info.receipt)} chars=${text.length}`
  return `${BEGIN} source=${field(info.source)}${frame} ${tail}${CLOSE}\n${text}\n${END} ${tail}${CLOSE}`
}

interface Marker {
  at: number
  end: number
  open: boolean
  /** Length of the wrapped text when it was written; null when the marker is cut. */
  chars: number | null
}

function markers(text: string): Marker[] {
  const found: Marker[] = []
  let at = text.indexOf('[[fovea:')
  while (at !== -1) {
    const open = text.startsWith(BEGIN, at)
    if (open || text.startsWith(END, at)) {
      const close = text.indexOf(CLOSE, at)
      const whole = close !== -1 && close - at <= MARKER_LIMIT
      const end = whole ? close + CLOSE.length : Math.min(text.length, at + MARKER_LIMIT)
      const chars = whole ? /chars=(\d{1,9})/.exec(text.slice(at, end))?.[1] : undefined
      found.push({ at, end, open, chars: chars === undefined ? null : Number(chars) })
    }
    at = text.indexOf('[[fovea:', at + 2)
  }
  return found
}

// Escaping and quoting lengthen a text; a cut envelope may reach at most this far from the marker that is left.
const reach = (chars: number | null): number => (chars === null ? Number.POSITIVE_INFINITY : chars * 2 + 400)

/**
 * Removes every envelope from a text: nested, cut at either end, quoted (`> `), indented or JSON-escaped.
 * Text without a marker comes back as it is.
 */
export function strip(text: string): string {
  if (!text.includes('[[fovea:')) return text
  const spans: [number, number][] = []
  let depth = 0
  let start = 0
  let opener: Marker | null = null
  for (const marker of markers(text)) {
    if (marker.open) {
      if (depth === 0) {
        start = marker.at
        opener = marker
      }
      depth++
    } else if (depth > 0) {
      depth--
      if (depth === 0) {
        spans.push([start, marker.end])
        opener = null
      }
    } else {
      // Its beginning was cut off: what stands before it is the rest of an envelope.
      const floor = spans.at(-1)?.[1] ?? 0
      spans.push([Math.max(floor, marker.at - reach(marker.chars)), marker.end])
    }
  }
  if (depth > 0 && opener) spans.push([start, Math.min(text.length, opener.end + reach(opener.chars))])
  return cut(text, spans)
}

function cut(text: string, spans: readonly [number, number][]): string {
  let out = ''
  let at = 0
  for (const [from, to] of spans) {
    out += text.slice(at, from).replace(/(?:^|\n)[ \t>|*#-]*$/, '\n')
    at = Math.max(at, to)
  }
  return (out + text.slice(at)).replace(/\[\[fovea:[^\]\n]*$/, '').trim()
}
