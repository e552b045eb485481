/**
 * Finds which of many short literals stand in a text, in one pass: a table of their first two characters says at each
 * place whether one may begin there. A regular expression over all of them tries each one at each place.
 */
export class LiteralFinder<T> {
  private readonly pairs = new Uint8Array(128 * 128)
  private readonly byPair = new Map<number, { literal: string; value: T }[]>()
  private readonly single: { literal: string; value: T }[] = []

  /** Literals are ASCII, of one character or more. */
  constructor(entries: Iterable<readonly [literal: string, value: T]>) {
    for (const [literal, value] of entries) {
      if (literal.length < 2) {
        this.single.push({ literal, value })
        continue
      }
      const pair = (literal.charCodeAt(0) << 7) | literal.charCodeAt(1)
      this.pairs[pair] = 1
      this.byPair.set(pair, [...(this.byPair.get(pair) ?? []), { literal, value }])
    }
  }

  /** The values of the literals that stand in the text, each once. */
  in(text: string): Set<T> {
    const found = new Set<T>()
    for (const { literal, value } of this.single) if (text.includes(literal)) found.add(value)
    let before = text.charCodeAt(0)
    for (let at = 1; at < text.length; at++) {
      const code = text.charCodeAt(at)
      const pair = (before << 7) | code
      before = code
      // A first character beyond ASCII leads out of the table; a second one may lead to another pair, and then the
      // literal is not there.
      if (this.pairs[pair] === 1) this.at(text, at - 1, pair, found)
    }
    return found
  }

  private at(text: string, place: number, pair: number, found: Set<T>): void {
    for (const { literal, value } of this.byPair.get(pair) ?? [])
      if (!found.has(value) && text.startsWith(literal, place)) found.add(value)
  }
}
