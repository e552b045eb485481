import { curatorSql, modelWorkSql, retentionSql, rollupSql, settingsSql, type WriteDb } from '../store'
import { arcRungs } from './arc-rungs'
import { union } from './arcs'
import { itemRungs } from './item-rungs'
import { offerSubject } from './model/offers'
import { usesModel } from './model/settings'
import { markRepeats } from './novelty/repeats'
import { RUNG_VERSION } from './rung-version'
import { FACT_VERSION, writeFacts } from './write-facts'

const VERSION_KEY = 'curator.version'

/** Subjects done in one transaction: short enough that another writer, or a question, hardly waits. */
const BATCH = 40

const RANK: Record<string, number> = { model: 2 }
/** Whether a rung made by `method` may stand in place of one made by `old`. A better method is never replaced. */
export const mayReplace = (method: string, old: string | undefined): boolean =>
  old === undefined || (RANK[method] ?? 1) >= (RANK[old] ?? 1)

interface Draft {
  level: 'L1' | 'L2' | 'L3'
  text: string
  method: string
  provenance: string[]
  labels: string[]
}

/**
 * Makes the rungs of the next subjects of the queue, and of items what they name and say, and links them to what they
 * repeat. Reading, writing and leaving the queue are one transaction, so
 * after a crash a subject has its rungs or is still queued. A subject that cannot be read leaves the queue without.
 * @returns how many subjects left the queue; 0 when it is empty
 */
export function curate(db: WriteDb, options: { now: number; limit?: number }): number {
  if (curatorSql.countQueued(db, 1) === 0) return 0
  return db.transaction(() => {
    const subjects = curatorSql.nextSubjects(db, options.limit ?? BATCH)
    const goals = new Map<string, string>()
    const offers = usesModel(db)
    for (const subject of subjects) {
      const drafts = draftsOf(db, subject, goals)
      const levels = drafts.map((draft) => draft.level)
      if (drafts.length > 0) curatorSql.keepLevels(db, subject, levels)
      for (const draft of drafts) write(db, subject, draft, options.now)
      if (subject.startsWith('arc_')) rollupSql.enqueueRollups(db, subject)
      else if (retentionSql.letGoOf(db, subject).length === 0) readable(() => markRepeats(db, subject))
      if (offers) offerSubject(db, subject)
      curatorSql.dequeue(db, subject)
    }
    return subjects.length
  })
}

/** Queues every subject when the rungs were made by other rules than these. Call it once at start. */
export function recurateWhenChanged(db: WriteDb): void {
  db.transaction(() => {
    const before = settingsSql.readMeta(db, VERSION_KEY)
    const now = `${RUNG_VERSION}+facts${FACT_VERSION}`
    if (before === now) return
    if (before !== undefined) curatorSql.requeueAllRungs(db)
    settingsSql.writeMeta(db, VERSION_KEY, now)
  })
}

/** The rungs of a subject; an item's entities and facts are written on the way, since its text is read here. */
function draftsOf(db: WriteDb, subject: string, goals: Map<string, string>): Draft[] {
  try {
    if (subject.startsWith('arc_')) {
      const arc = curatorSql.arc(db, subject)
      return arc ? arcRungs(db, arc) : []
    }
    const item = curatorSql.rungSource(db, subject)
    if (!item) return []
    const gone = retentionSql.letGoOf(db, subject).map(({ level }) => level as string)
    // What its verbatim text told is told already, better than what stands in its place could tell it.
    if (gone.length > 0 && curatorSql.rungMethods(db, subject).size > 0) return []
    writeFacts(db, item)
    const goal =
      item.goalHandle === null || item.goalHandle === item.handle ? '' : goalText(db, item.goalHandle, goals)
    const drafts = itemRungs(item, goal).filter(({ level }) => !gone.includes(level))
    return drafts.map((draft) => ({
      ...draft,
      provenance: [item.handle],
      labels: union([item.labels]),
    }))
  } catch (error) {
    // One row that cannot be read (a damaged text) must not hold up the rest; anything else is the caller's.
    if (isDamage(error)) return []
    throw error
  }
}

/** Does something with a stored text unless it cannot be read. */
function readable(work: () => void): void {
  try {
    work()
  } catch (error) {
    if (!isDamage(error)) throw error
  }
}

/** Whether a stored text or its data could not be read; anything else is a fault of the moment. */
export function isDamage(error: unknown): boolean {
  return error instanceof SyntaxError || (error as { code?: string }).code?.startsWith('Z_') === true
}

function goalText(db: WriteDb, handle: string, known: Map<string, string>): string {
  const text = known.get(handle) ?? curatorSql.rungSource(db, handle)?.text.slice(0, 4_000) ?? ''
  known.set(handle, text)
  return text
}

/** What a model said of an arc that has grown since is about another arc; until it is asked again rules tell this one. */
function hasGrown(db: WriteDb, subject: string): boolean {
  if (!subject.startsWith('arc_')) return false
  const size = modelWorkSql.done(db, subject)?.size
  return size !== undefined && size !== curatorSql.arc(db, subject)?.items
}

function write(db: WriteDb, subject: string, draft: Draft, now: number): void {
  const old = curatorSql.rungMethods(db, subject).get(draft.level)
  if (!mayReplace(draft.method, old) && !hasGrown(db, subject)) return
  curatorSql.putRung(db, {
    subject,
    ...draft,
    model: null,
    version: RUNG_VERSION,
    tokens: Math.ceil(draft.text.length / 4),
    createdAt: now,
  })
}
