/** What stands around a value on its line. */
export interface Line {
  before: string
  /** `: ` or `=` and the like. */
  sign: string
  after: string
  /** The lines around, where types may be told. */
  near: string
}

/** Of the value that stands at `start` and belongs to a name at `at`. */
export const lineOf = (text: string, at: number, start: number, value: string): Line => ({
  before:
    text
      .slice(Math.max(0, at - 60), at)
      .split('\n')
      .at(-1) ?? '',
  sign: text.slice(Math.max(at, start - 7), start),
  after: text.slice(start + value.length, start + value.length + 8),
  near: text.slice(Math.max(0, at - 200), start + value.length + 200),
})
