import { predictedSql, rescanSql, type WriteDb } from '../store'
import { ERASED, type Json, quotedBy, wordsOf } from './scrub'

// What the proxy said at a person's own gates may quote gates of a transcript that goes: a title, a phrase, a line of a
// correction. The words go, the figures stay, and the seal says that it is no longer what was sealed.

/** Looks at them once and then, item by item, takes out what an item that goes is quoted in. */
export class Predicted {
  private readonly rows: predictedSql.PredictedRow[]
  private readonly quoting: (text: string) => string[]
  private readonly gone = new Set<string>()
  private readonly changed = new Set<predictedSql.PredictedRow>()

  constructor(private readonly db: WriteDb) {
    this.rows = predictedSql.predictedRows(db)
    this.quoting = quotedBy([...new Set(this.rows.flatMap((row) => this.said(row)))])
  }

  /** Answers how many rows lost words. */
  forget(texts: readonly string[]): number {
    return this.blank(new Set(texts.flatMap((text) => this.quoting(text))))
  }

  /** The same for texts that name one of these in the middle of a sentence. */
  forgetNames(names: readonly string[]): number {
    const whole = names.map(padded).filter((name) => name.trim() !== '')
    const named = this.rows
      .flatMap((row) => this.said(row))
      .filter((text) => {
        const words = padded(text)
        return whole.some((name) => words.includes(name))
      })
    return this.blank(new Set(named))
  }

  /** From what the rows said at first, so that a transaction that is tried once more writes the same again. */
  private blank(gone: ReadonlySet<string>): number {
    if (gone.size === 0) return 0
    for (const text of gone) this.gone.add(text)
    const before = this.changed.size
    for (const row of this.rows) {
      if (!Object.values(row.texts).some((text) => stringsIn(text).some((one) => gone.has(one)))) continue
      const clean = (text: string | null): string | null => (text === null ? null : without(text, this.gone))
      const texts = Object.entries(row.texts).map(([column, text]) => [column, clean(text)])
      predictedSql.putPredicted(this.db, { ...row, texts: Object.fromEntries(texts) })
      // Vectors of the old words tell them still.
      if (row.table === 'chunks') rescanSql.dropChunkVectors(this.db, [row.rowid])
      this.changed.add(row)
    }
    return this.changed.size - before
  }

  /** What the row says in words that are not the person's own: a line of the artifact stays where it stands. */
  private said(row: predictedSql.PredictedRow): string[] {
    const own = predictedSql.ownTexts(this.db, row.gate).map(padded)
    return Object.values(row.texts)
      .flatMap(stringsIn)
      .filter((text) => {
        const words = padded(text)
        return words.trim() !== '' && !own.some((one) => one.includes(words))
      })
  }
}

const padded = (text: string): string => ` ${wordsOf(text).join(' ')} `

function stringsIn(text: string | null): string[] {
  const found: string[] = []
  if (text !== null)
    each(text, (one) => {
      found.push(one)
      return one
    })
  return found
}

const without = (text: string, gone: ReadonlySet<string>): string =>
  each(text, (one) => (gone.has(one) ? ERASED : one))

/** A text that is JSON, string by string; any other as a whole. What stays keeps its bytes. */
function each(text: string, change: (one: string) => string): string {
  let value: Json
  try {
    value = JSON.parse(text) as Json
  } catch {
    return change(text)
  }
  let changed = false
  const walk = (inner: Json): Json => {
    if (typeof inner === 'string') {
      const after = change(inner)
      changed ||= after !== inner
      return after
    }
    if (Array.isArray(inner)) return inner.map(walk)
    if (inner === null || typeof inner !== 'object') return inner
    return Object.fromEntries(Object.entries(inner).map(([name, one]) => [name, walk(one)]))
  }
  const after = walk(value)
  return changed ? JSON.stringify(after) : text
}
