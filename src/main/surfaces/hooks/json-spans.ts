// Where each value of a JSON text stands, so that one can be added or taken out and the rest stays byte for byte.

export interface Span {
  start: number
  /** Exclusive. */
  end: number
}

export interface Member extends Span {
  key: string
  value: Node
}

export type Node = Span &
  ({ kind: 'object'; members: Member[] } | { kind: 'array'; elements: Node[] } | { kind: 'plain' })

const MAX_DEPTH = 200

/** The tree of a text that `JSON.parse` takes, a byte order mark before it or not; null for any other. */
export function spansOf(text: string): Node | null {
  const bom = text.startsWith('\uFEFF') ? 1 : 0
  try {
    JSON.parse(text.slice(bom))
    return new Reader(text, bom).value(0)
  } catch {
    return null
  }
}

/** Reads a text that is known to be sound, so that it only has to count. */
class Reader {
  constructor(
    private readonly text: string,
    private at: number,
  ) {}

  value(depth: number): Node {
    if (depth > MAX_DEPTH) throw new Error('nested too deeply')
    this.space()
    const start = this.at
    const first = this.text[start]
    if (first === '{') {
      const members = this.list('}', () => this.member(depth))
      return { kind: 'object', start, end: this.at, members }
    }
    if (first === '[') {
      const elements = this.list(']', () => this.value(depth + 1))
      return { kind: 'array', start, end: this.at, elements }
    }
    if (first === '"') this.string()
    else while (/[\w.+-]/.test(this.text[this.at] ?? '')) this.at++
    return { kind: 'plain', start, end: this.at }
  }

  private list<T>(close: string, one: () => T): T[] {
    const found: T[] = []
    this.at++
    for (this.space(); this.text[this.at] !== close; this.space()) {
      if (this.text[this.at] === ',') this.at++
      found.push(one())
    }
    this.at++
    return found
  }

  private member(depth: number): Member {
    this.space()
    const start = this.at
    this.string()
    const key = JSON.parse(this.text.slice(start, this.at)) as string
    this.space()
    this.at++
    const value = this.value(depth + 1)
    return { start, end: value.end, key, value }
  }

  private string(): void {
    for (this.at++; this.text[this.at] !== '"'; this.at++) if (this.text[this.at] === '\\') this.at++
    this.at++
  }

  private space(): void {
    while (/[ \t\r\n]/.test(this.text[this.at] ?? '')) this.at++
  }
}
