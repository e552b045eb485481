// A record of many megabytes is one enormous string in it: the output of a command, a file. Items keep the first and
// the last hundred thousand characters of any text at most, so its middle need not be decoded, parsed and copied.

/** A shorter record is taken as it is. */
const LARGE = 4 * 1024 * 1024
/** A longer string loses its middle; so much of either end stays, in bytes: more than any item keeps of a text. */
const LONG = 1024 * 1024
const HEAD = 512 * 1024
const TAIL = 256 * 1024
/** An escape has at most 12 bytes (a pair of surrogates): where the bytes before hold no backslash, none is cut. */
const ESCAPE = 12
const SEARCH = 4096

const QUOTE = 0x22
const BACKSLASH = 0x5c

/** A JSON text without the middle of its enormous strings; pictures in base64 stay whole. Shorter ones as they are. */
export function slim(json: Buffer): Buffer {
  if (json.length < LARGE) return json
  const parts: Buffer[] = []
  let kept = 0
  for (let open = json.indexOf(QUOTE); open !== -1; ) {
    const close = endOfString(json, open)
    if (close === -1) break
    const cut = close - open > LONG ? middle(json, open, close) : null
    if (cut) {
      const note = `[… ${cut.to - cut.from} bytes left out …]`
      parts.push(json.subarray(kept, cut.from), Buffer.from(note))
      kept = cut.to
    }
    open = json.indexOf(QUOTE, close + 1)
  }
  return parts.length === 0 ? json : Buffer.concat([...parts, json.subarray(kept)])
}

/** Where the quote stands that ends the string; -1 when none does. */
function endOfString(json: Buffer, open: number): number {
  for (let at = json.indexOf(QUOTE, open + 1); at !== -1; at = json.indexOf(QUOTE, at + 1)) {
    let slashes = 0
    while (json[at - 1 - slashes] === BACKSLASH) slashes++
    if (slashes % 2 === 0) return at
  }
  return -1
}

function middle(json: Buffer, open: number, close: number): { from: number; to: number } | null {
  if (isBase64(json.subarray(open + 64, open + 320))) return null
  const from = whole(json, open + HEAD)
  const to = whole(json, close - TAIL)
  return from === null || to === null ? null : { from, to }
}

const isBase64 = (sample: Buffer): boolean => /^[\w+/=-]*$/.test(sample.toString('latin1'))

/** The next place where neither a character nor an escape is cut. */
function whole(json: Buffer, near: number): number | null {
  for (let at = near; at < near + SEARCH; at++) {
    const isContinuation = ((json[at] ?? 0) & 0xc0) === 0x80
    if (!isContinuation && !json.subarray(at - ESCAPE, at).includes(BACKSLASH)) return at
  }
  return null
}
