import type { Format } from '../drafts'
import { sha256 } from '../handles'

/** One record of a store. Its content is read only when it is asked for. */
export interface StoredRecord {
  /** Names it in its store. */
  key: string
  /** Changes when the record does. */
  stamp: string
  /** About so many bytes. */
  size: number
  /** Nothing more will be written to it, as far as the store tells. */
  closed: boolean
  /** What the format's reader is told beside the record itself. */
  about: unknown
  /** The record's own bytes; null when it is gone. */
  read(): Buffer | null
}

/** One session of a store. */
export interface StoredSession {
  /** Names it in its store; its file in the journal is called `<store>/<key>`. */
  key: string
  /** What the store says of it beside its records. */
  header: unknown
  /** When it was last written to, as far as the store tells. */
  updatedAt: number | null
  /** In their order. */
  records(): StoredRecord[]
}

/** One state of a place that holds many sessions. */
export interface Store {
  format: Format
  /**
   * Sessions that may have changed since the reading that left `saved`, and those that wait for more; all of them when
   * `saved` is null.
   */
  sessions(saved: unknown, waits: (key: string) => boolean): Iterable<StoredSession>
  /** The session of a name; null when it is gone. */
  session(key: string): StoredSession | null
  /** What the next reading needs to know of this one: numbers and hashes; names are foreign text. */
  state(): unknown
  /** Parts that could not be read, with the reason. */
  readonly damage: readonly string[]
  /** @throws ForeignProblem `busy` when what was read so far is not of one state */
  check(): void
  close(): void
}

/** What the reader of a store's format is given for each record. */
export interface StoredValue {
  key: string
  header: unknown
  about: unknown
  value: unknown
}

/** Names are foreign text: only their hash is kept between readings. */
export const nameHash = (name: string): string => sha256(name).slice(0, 16)

/** A record without which the rest can do: what is wrong with its place is told once. */
export const noted = (damage: string[], reason: string): void => {
  if (damage.length < 100 && !damage.includes(reason)) damage.push(reason)
}
