import { randomBytes } from 'node:crypto'
import { readdirSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join, sep } from 'node:path'
import {
  type FoundFile,
  ingestFiles,
  type JournalContext,
  onDisk,
  patiently,
  renderings,
  silent,
  sourceNamed,
} from '../journal'
import { erasureSql, predictedSql, removedSql, sessionSql, sourcesSql, unpackText } from '../store'
import { Predicted } from './predicted'
import {
  ERASED,
  handlesIn,
  type Json,
  quotedBy,
  quoter,
  scrub,
  scrubReceipt,
  withoutCrumbs,
  withoutHandles,
} from './scrub'

// Erasing what a source brought: out of the journal, out of everything made from it or quoting it, and out of the pages
// and files where it lay. In stages, each of which can be gone through again after a crash:
//   asked    the source is paused; what other sources hold too is read there, so that it becomes theirs
//   marked   a tombstone stands for each item that goes, and the source is no more: nobody can bring it back
//   removed  the rows are gone; what is left are deleted pages, the log and copies
//   done

const AT_ONCE = 100
const ROWS = 50
const NOTE = 'What this frame held was erased.'

export interface ErasureCounts {
  items: number
  receipts: number
  traces: number
  gates: number
  chunks: number
  predictions: number
  rungs: number
  vectors: number
  cells: number
  backups: number
}

export interface ErasureReport {
  auditId: string
  counts: ErasureCounts
  /** false: no row holds it any more, and old pages are overwritten as soon as another process lets go of them. */
  swept: boolean
}

const none = (): ErasureCounts => ({
  items: 0,
  receipts: 0,
  traces: 0,
  gates: 0,
  chunks: 0,
  predictions: 0,
  rungs: 0,
  vectors: 0,
  cells: 0,
  backups: 0,
})

/**
 * Ends a source's enrolment and erases what only it brought. What a source that stays holds too is kept.
 * @throws AppError `not-found`; `busy` and `unavailable` of the database, and then it goes on at `resumeErasures`
 */
export async function eraseSource(journal: JournalContext, sourceId: string): Promise<ErasureReport> {
  const { db } = journal
  const source = sourceNamed(db, sourceId)
  const id = db.transaction(() => {
    // Of a source that was removed before, or whose files went while it was, items have their paths only.
    removedSql.takeBackItems(db, source)
    const open = erasureSql.erasureOf(db, sourceId)
    if (open) return open.id
    const fresh = `era_${randomBytes(10).toString('hex')}`
    erasureSql.addErasure(db, { id: fresh, subject: sourceId, asked_at: journal.clock() })
    sourcesSql.setSourceState(db, sourceId, 'paused')
    return fresh
  })
  return new Erasing(journal, id).run()
}

/** Goes on with what was begun and not brought to its end. Answers whether everything is at its end now. */
export async function resumeErasures(journal: JournalContext): Promise<boolean> {
  let swept = true
  for (const { id } of erasureSql.openErasures(journal.db)) {
    const report = await new Erasing(journal, id).run()
    swept &&= report.swept
  }
  return swept
}

/** What is kept of an erasure between its stages. */
interface Kept extends ErasureCounts {
  /** Files of other sources that render the sessions of this one: read again when the originals are gone. */
  renderings?: number[]
}

class Erasing {
  private row: erasureSql.ErasureRow
  private goalsQuoting: ((text: string) => string[]) | null = null
  private predicted: Predicted | null = null
  private readonly kept: Kept

  constructor(
    private readonly journal: JournalContext,
    id: string,
  ) {
    const row = erasureSql.openErasures(journal.db).find((one) => one.id === id)
    if (!row) throw new Error(`no erasure ${id}`)
    this.row = row
    this.kept = { ...none(), ...(JSON.parse(row.counts) as Partial<Kept>) }
    erasureSql.overwriteDeleted(journal.db)
  }

  async run(): Promise<ErasureReport> {
    if (this.row.stage === 'asked') await this.mark()
    if (this.row.stage === 'marked') await this.remove()
    const swept = await this.sweep()
    const { renderings: _, ...counts } = this.kept
    return { auditId: this.row.id, counts, swept }
  }

  private async mark(): Promise<void> {
    const { db } = this.journal
    const sourceId = this.row.subject
    if (sourcesSql.sourceById(db, sourceId)) {
      await patiently(() => this.handOver(sourceId))
      await this.askOthers(sourceId)
    }
    await patiently(() =>
      db.transaction(() => {
        erasureSql.listErasing(db, this.row.id, sourceId)
        erasureSql.forgetTold(db, sourceId)
        sourcesSql.deleteSource(db, sourceId)
        this.save('marked')
      }),
    )
  }

  /** A file that lies within another source is that source's too. */
  private handOver(sourceId: string): void {
    const { db } = this.journal
    const others = sourcesSql.sources(db).filter(({ id, kind }) => id !== sourceId && kind !== 'stream')
    db.transaction(() => {
      for (const file of sourcesSql.filesOf(db, sourceId)) {
        const holder = others.find(({ path }) => file.path === path || file.path.startsWith(path + sep))
        if (holder) erasureSql.handOverFile(db, file.id, holder.id)
      }
    })
  }

  /** Reads the files of other sources that may hold the same items: what they tell becomes theirs. */
  private async askOthers(sourceId: string): Promise<void> {
    const { db, paths } = this.journal
    const files = erasureSql.filesToAsk(db, sourceId)
    const there = files.flatMap((file) => {
      const path = paths.onDisk(file.path)
      const stat = path === null ? undefined : statSync(path, { throwIfNoEntry: false })
      return path !== null && stat?.isFile() ? [{ ...file, found: { path, stat } satisfies FoundFile }] : []
    })
    for (const { id, source_id, found } of there) {
      await patiently(() =>
        db.transaction(() => {
          for (const file of sourcesSql.filesOf(db, sourceId)) sourcesSql.markStale(db, file.id)
          sourcesSql.restartFile(db, id)
        }),
      )
      await ingestFiles(this.journal, onDisk(this.journal, sourceNamed(db, source_id)), [found], silent)
    }
    const rendered = there.filter(({ format }) => renderings().some(({ agent }) => agent === format))
    if (rendered.length > 0) this.kept.renderings = rendered.map(({ id }) => id)
  }

  private async remove(): Promise<void> {
    const { db } = this.journal
    await this.rewriteQuotes()
    await patiently(() =>
      db.transaction(() => {
        this.predicted = new Predicted(db)
        this.kept.predictions += this.predicted.forgetNames(predictedSql.goingNames(db, this.row.id))
        this.kept.gates += erasureSql.eraseGates(db, this.row.id)
        erasureSql.blankGoals(db, this.row.id)
        this.save('marked')
      }),
    )
    while (await patiently(() => this.removeSome())) await breath()
    // What was rendered or reviewed meanwhile names them still.
    await this.rewriteQuotes()
    await this.dropCrumbs()
    await patiently(() =>
      db.transaction(() => {
        erasureSql.dropGoneTombstones(db, this.row.id)
        const derived = erasureSql.eraseDerived(db)
        for (const key of ['rungs', 'vectors', 'cells', 'chunks'] as const) this.kept[key] += derived[key]
        // What only the original told a rendering had to leave to it; the next look at its file reads it again.
        for (const id of this.kept.renderings ?? []) sourcesSql.restartFile(db, id)
        delete this.kept.renderings
        sessionSql.deleteEmptySessions(db)
        erasureSql.dropUnusedNames(db)
        erasureSql.unqueueErased(db)
        this.save('removed')
      }),
    )
  }

  private removeSome(): boolean {
    const { db } = this.journal
    return db.transaction(() => {
      const items = erasureSql.nextErasing(db, this.row.id, AT_ONCE)
      this.predicted ??= new Predicted(db)
      this.kept.predictions += this.predicted.forget(items.map(unpackText))
      for (const item of items) {
        this.goalsQuoting ??= quotedBy(erasureSql.askedGoals(db))
        for (const goal of this.goalsQuoting(unpackText(item))) this.blankGoal(goal)
        erasureSql.eraseItem(db, item)
      }
      const sessions = [...new Set(items.map((item) => item.session_id))]
      if (sessions.length > 0) this.journal.afterWrite(db, sessions)
      this.kept.items += items.length
      this.save('marked')
      return items.length > 0
    })
  }

  /** Somebody may have asked for it in its own words, and got nothing that names it. */
  private blankGoal(goal: string): void {
    const { db } = this.journal
    const quotes = quoter([goal])
    const clean = (row: erasureSql.WrittenRow): erasureSql.WrittenRow => {
      const body = scrub(JSON.parse(row.body) as Json, () => false, quotes)
      return { ...row, goal: ERASED, body: JSON.stringify(body), frame: quotes(row.frame) ? NOTE : row.frame }
    }
    for (const row of erasureSql.receiptsFor(db, goal)) erasureSql.rewriteReceipt(db, clean(row), [])
    for (const row of erasureSql.tracesFor(db, goal)) erasureSql.rewriteTrace(db, clean(row), [])
    erasureSql.blankGoal(db, goal, ERASED)
  }

  private async rewriteQuotes(): Promise<void> {
    const { db } = this.journal
    this.kept.receipts += await this.rewrite(erasureSql.receiptsFrom, (row, erased, quotes) => {
      const isErased = (handle: string): boolean => erased.includes(handle)
      const body = scrubReceipt(JSON.parse(row.body) as Json, isErased, quotes)
      const goal = quotes(row.goal) ? ERASED : row.goal
      const frame = row.frame === '' ? '' : NOTE
      erasureSql.rewriteReceipt(
        db,
        { ...row, goal, frame, body: withoutHandles(JSON.stringify(body), erased) },
        erased,
      )
    })
    this.kept.traces += await this.rewrite(erasureSql.tracesFrom, (row, erased, quotes) => {
      const isErased = (handle: string): boolean => erased.includes(handle)
      const body = scrub(JSON.parse(row.body) as Json, isErased, quotes)
      const goal = quotes(row.goal) ? ERASED : row.goal
      erasureSql.rewriteTrace(
        db,
        { ...row, goal, body: withoutHandles(JSON.stringify(body), erased) },
        erased,
      )
    })
  }

  private async dropCrumbs(): Promise<void> {
    const { db } = this.journal
    await this.eachWritten(erasureSql.receiptsFrom, (row) => {
      const clean = withoutCrumbs(JSON.parse(row.body) as Json, row.frame)
      if (!clean) return
      const body = JSON.stringify(clean.body)
      erasureSql.rewriteReceipt(db, { ...row, frame: clean.frame, body }, [])
    })
  }

  /** Has those of the written rows that name an erased item written anew. */
  private async rewrite(
    page: typeof erasureSql.receiptsFrom,
    write: (row: erasureSql.WrittenRow, erased: string[], quotes: (text: string) => boolean) => void,
  ): Promise<number> {
    const { db } = this.journal
    let rewritten = 0
    await this.eachWritten(page, (row) => {
      const erased = handlesIn(row.body).filter((handle) => erasureSql.isErased(db, handle))
      if (erased.length === 0) return
      write(row, erased, quoter([...erased.flatMap((handle) => this.textOf(handle)), ...toldOf(row, erased)]))
      rewritten++
    })
    return rewritten
  }

  /** Goes through all written rows, page by page, each page in a transaction of its own. */
  private async eachWritten(
    page: typeof erasureSql.receiptsFrom,
    work: (row: erasureSql.WrittenRow) => void,
  ): Promise<void> {
    const { db } = this.journal
    for (let after = 0, more = true; more; ) {
      await patiently(() =>
        db.transaction(() => {
          const rows = page(db, after, ROWS)
          for (const row of rows) work(row)
          more = rows.length === ROWS
          after = rows.at(-1)?.rowid ?? after
        }),
      )
      await breath()
    }
  }

  private textOf(handle: string): string[] {
    const item = erasureSql.erasingText(this.journal.db, handle)
    return item ? [unpackText(item)] : []
  }

  /** Rewrites the database's pages and does away with older copies of it in the data folder. */
  private async sweep(): Promise<boolean> {
    const { db } = this.journal
    this.kept.backups += removeBackups(db.path)
    const swept = await patiently(() => erasureSql.sweepPages(db))
    if (swept) {
      this.row.done_at = this.journal.clock()
      this.save('done')
    }
    return swept
  }

  private save(stage: erasureSql.ErasureStage): void {
    this.row.stage = stage
    erasureSql.saveErasure(this.journal.db, { ...this.row, counts: JSON.stringify(this.kept) })
  }
}

/** What a receipt itself shows of erased items, for when the items are gone already. */
function toldOf(row: erasureSql.WrittenRow, erased: readonly string[]): string[] {
  const body = JSON.parse(row.body) as { facts?: unknown; omitted?: unknown }
  const entries = [body.facts, body.omitted].flatMap((list) =>
    Array.isArray(list) ? (list as unknown[]) : [],
  )
  return entries.flatMap((entry) => {
    const { handle, text, title } = entry as { handle?: string; text?: string; title?: string }
    return handle !== undefined && erased.includes(handle) ? [text ?? title ?? ''] : []
  })
}

/** Copies that Fovea made before it changed the schema hold all that was there then. */
function removeBackups(path: string): number {
  const folder = dirname(path)
  const name = basename(path)
  const copies = readdirSync(folder).filter((file) => file.startsWith(`${name}.`) && file.endsWith('.bak'))
  for (const file of copies) rmSync(join(folder, file), { force: true })
  return copies.length
}

const breath = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
