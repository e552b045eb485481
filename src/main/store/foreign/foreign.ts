import { hash } from 'node:crypto'
import { indexRowids, lastRowid, type OnDamage, type TableCell, tableCellAt, tableCells } from './btree'
import { Pager } from './pager'
import { ForeignRecord, type ForeignValue } from './record'
import { type ForeignTable, readSchema } from './schema'

/** One row, read column by column. Valid while its database is open. */
export interface ForeignRow {
  rowid: number
  /** Changes when the row does: of a long row its place, its length and its first kilobytes tell. */
  stamp: string
  /** A column's value; null for one the table does not have. @throws ForeignProblem */
  value(column: string): ForeignValue
  /** Bytes of a text (as UTF-8) or blob; null for anything else. @throws ForeignProblem */
  bytes(column: string): Buffer | null
  /** Bytes the column takes, without reading it. */
  size(column: string): number
}

/**
 * One state of a database that belongs to another program. It is never written, locked or copied; rows come one by one
 * and values when they are asked for, whatever the size of the file.
 */
export class ForeignDb {
  private readonly tables: Map<string, ForeignTable>

  private constructor(private readonly pager: Pager | null) {
    this.tables = pager ? readSchema(pager) : new Map()
  }

  /** @throws ForeignProblem; an error of the file system when it cannot be opened */
  static open(path: string): ForeignDb {
    const pager = Pager.open(path)
    try {
      return new ForeignDb(pager)
    } catch (error) {
      pager?.close()
      throw error
    }
  }

  close(): void {
    this.pager?.close()
  }

  /** Whether the table is there, with these columns. */
  has(table: string, ...columns: readonly string[]): boolean {
    const found = this.tables.get(table.toLowerCase())
    return found !== undefined && columns.every((name) => found.columns.includes(name.toLowerCase()))
  }

  /** Whether rows can be found by a text in `column` without a look through the table. */
  indexed(table: string, column: string): boolean {
    return this.tables.get(table.toLowerCase())?.indexes.has(column.toLowerCase()) ?? false
  }

  /**
   * Confirms that all that was read so far is one state of the database.
   * @throws ForeignProblem `busy` when it was written meanwhile: then what was read is not to be used
   */
  check(): void {
    this.pager?.check()
  }

  /** Rows by rowid, from behind `after` on. @throws ForeignProblem */
  *rows(table: string, options: { after?: number; onDamage?: OnDamage } = {}): Generator<ForeignRow> {
    const found = this.tables.get(table.toLowerCase())
    if (!found || !this.pager) return
    for (const cell of tableCells(this.pager, found.root, options.after, options.onDamage)) {
      const row = this.row(found, cell, options.onDamage)
      if (row) yield row
    }
  }

  /** Rows whose text in `column` is in `[from, to)`, by the column's index; without one the table is looked through. */
  *range(
    table: string,
    column: string,
    from: string,
    to: string,
    onDamage?: OnDamage,
  ): Generator<ForeignRow> {
    const found = this.tables.get(table.toLowerCase())
    if (!found || !this.pager) return
    const index = found.indexes.get(column.toLowerCase())
    if (index === undefined) {
      for (const row of this.rows(table, onDamage ? { onDamage } : {})) {
        const value = row.value(column)
        if (typeof value === 'string' && value >= from && value < to) yield row
      }
      return
    }
    const rowids = indexRowids(this.pager, index, Buffer.from(from), Buffer.from(to), onDamage)
    for (const rowid of rowids) {
      const row = this.at(table, rowid, onDamage)
      if (row) yield row
    }
  }

  /** The row whose text in `column` is `key`; null when there is none. @throws ForeignProblem */
  find(table: string, column: string, key: string): ForeignRow | null {
    for (const row of this.range(table, column, key, `${key}\0`)) return row
    return null
  }

  /** The row with a rowid; null when there is none. */
  at(table: string, rowid: number, onDamage?: OnDamage): ForeignRow | null {
    const found = this.tables.get(table.toLowerCase())
    const cell = found && this.pager ? tableCellAt(this.pager, found.root, rowid) : null
    return found && cell ? this.row(found, cell, onDamage) : null
  }

  /** The greatest rowid of a table; 0 when it is empty or missing. */
  last(table: string): number {
    const found = this.tables.get(table.toLowerCase())
    return found && this.pager ? lastRowid(this.pager, found.root) : 0
  }

  private row(table: ForeignTable, { rowid, payload }: TableCell, onDamage?: OnDamage): ForeignRow | null {
    const encoding = this.pager?.head.encoding ?? 'utf8'
    let record: ForeignRecord
    try {
      record = new ForeignRecord(payload, encoding)
    } catch (error) {
      if (!onDamage) throw error
      onDamage((error as Error).message)
      return null
    }
    const place = (column: string): number => table.columns.indexOf(column.toLowerCase())
    return {
      rowid,
      stamp: `${rowid}:${payload.length}:${hash('sha256', payload.local, 'hex').slice(0, 16)}`,
      value: (column) => (table.rowidColumn === column.toLowerCase() ? rowid : record.value(place(column))),
      bytes: (column) => record.bytes(place(column)),
      size: (column) => record.size(place(column)),
    }
  }
}
