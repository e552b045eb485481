// A corpus in each format, with a text of our choosing in every field that a person, an agent or a tool fills.

/** A file of a planted corpus. */
export interface Planted {
  path: string
  content: string
}

/** Asks for the next text; a format asks once for each of its fields. */
export type Next = () => string
export type Json = Record<string, unknown>

/** Writes one session, told apart by `n`, with a new text in each field; `name` asks for one that a file system takes. */
export type Plant = (next: Next, n: number, name: Next) => Planted[]

export const at = (n: number): string => new Date(Date.UTC(2026, 8, 1, 9, 0, n)).toISOString()
/** JSON as some writers put it: every second letter of a string in an escape. */
export const escaped = (value: unknown): string =>
  JSON.stringify(value).replace(/(?<=[A-Za-z0-9])[A-Za-z](?=[A-Za-z0-9]{3})/g, (char, place: number) =>
    place % 5 === 0 ? `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}` : char,
  )
export const lines = (records: readonly Json[], write: (value: unknown) => string = JSON.stringify): string =>
  records.map((record) => `${write(record)}\n`).join('')
export const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
