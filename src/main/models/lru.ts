/** Keeps the `limit` entries used last. */
export class Lru<V> {
  readonly #entries = new Map<string, V>()

  constructor(readonly limit: number) {}

  get(key: string): V | undefined {
    const value = this.#entries.get(key)
    if (value === undefined) return undefined
    this.#entries.delete(key)
    this.#entries.set(key, value)
    return value
  }

  set(key: string, value: V): void {
    this.#entries.delete(key)
    this.#entries.set(key, value)
    if (this.#entries.size <= this.limit) return
    const oldest = this.#entries.keys().next()
    if (!oldest.done) this.#entries.delete(oldest.value)
  }

  get size(): number {
    return this.#entries.size
  }
}
