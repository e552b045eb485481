/** A binary heap: `pop` gives the element that `before` puts in front of all others. */
export class Heap<T> {
  constructor(
    private readonly before: (a: T, b: T) => boolean,
    private items: T[] = [],
  ) {
    this.arrange()
  }

  get size(): number {
    return this.items.length
  }

  peek(): T | undefined {
    return this.items[0]
  }

  push(item: T): void {
    const { items, before } = this
    let at = items.length
    items.push(item)
    while (at > 0) {
      const parent = (at - 1) >> 1
      const above = items[parent] as T
      if (!before(item, above)) break
      items[at] = above
      at = parent
    }
    items[at] = item
  }

  pop(): T | undefined {
    const { items } = this
    const top = items[0]
    const last = items.pop()
    if (items.length > 0 && last !== undefined) this.sink(last, 0)
    return top
  }

  /** Leaves out what does not pass. */
  keep(passes: (item: T) => boolean): void {
    this.items = this.items.filter(passes)
    this.arrange()
  }

  private arrange(): void {
    for (let at = (this.items.length >> 1) - 1; at >= 0; at--) this.sink(this.items[at] as T, at)
  }

  private sink(item: T, from: number): void {
    const { items, before } = this
    let at = from
    for (;;) {
      let child = 2 * at + 1
      if (child >= items.length) break
      const right = child + 1
      if (right < items.length && before(items[right] as T, items[child] as T)) child = right
      if (!before(items[child] as T, item)) break
      items[at] = items[child] as T
      at = child
    }
    items[at] = item
  }
}
