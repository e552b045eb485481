/** A value SQLite can hold. */
export type SqlValue = string | number | bigint | Buffer | Uint8Array | null
export type SqlParams = readonly SqlValue[] | Readonly<Record<string, SqlValue>>

declare const writes: unique symbol

/**
 * A handle that can only read. Statements are prepared once per SQL text and kept.
 * Rows come back as plain objects; the caller names their type because only the SQL knows it.
 */
export interface ReadDb {
  readonly path: string
  all<T>(sql: string, params?: SqlParams): T[]
  get<T>(sql: string, params?: SqlParams): T | undefined
  iterate<T>(sql: string, params?: SqlParams): IterableIterator<T>
  /** Several reads that see one state of the database. */
  snapshot<T>(read: () => T): T
  /** While a snapshot is read, what stands for it; else null. What was read for it may be kept with it (`momentary`). */
  readonly moment: object | null
  close(): void
}

/** A handle that can write. A function that takes a ReadDb accepts it; one that takes a WriteDb refuses a ReadDb. */
export interface WriteDb extends ReadDb {
  readonly [writes]: true
  run(sql: string, params?: SqlParams): { changes: number; lastInsertRowid: number }
  /** Whether a transaction is open, so that another one would join it. */
  readonly inTransaction: boolean
  /** One immediate transaction: all of it or nothing. Inside another one it joins that. Keep it short. */
  transaction<T>(work: () => T): T
  /**
   * Whether each commit waits until the disk has it, as it does from the start. Where it does not, what was committed
   * survives the end of the process, and a failure of power may cost the last commits, each as a whole. The first commit
   * that waits again waits for all of them.
   */
  waits(each: boolean): void
  /** A part of a transaction that can fail on its own: what it wrote is taken back when it throws, the rest stays. */
  attempt<T>(work: () => T): T
}
