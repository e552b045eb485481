import type { ItemKind } from '../../../shared/domain'
import { branchSql, journalSql, sessionSql, unpackText, type WriteDb } from '../../store'
import type { JournalContext } from '../context'
import { dateWords } from './dates'
import { tieRenderings } from './renderings'
import { indexText } from './values'

/** Each kind's share of a session's item budget. */
const SHARES: Record<ItemKind, number> = {
  goal: 0.1,
  conclusion: 0.12,
  plan: 0.06,
  decision: 0.06,
  error: 0.12,
  command: 0.18,
  file_op: 0.2,
  note: 0.14,
  image: 0.02,
}
const PER_TRANSACTION = 5

/**
 * Works out again what depends on a session as a whole, from the database alone, so that the order in which files
 * were read does not matter: a sub-agent's inherited goal, the order over several files, the item budget.
 */
export async function settle(journal: JournalContext): Promise<number> {
  let settled = 0
  // Most of the time there is nothing: then no transaction is begun.
  while (sessionSql.settleQueue(journal.db, 1).length > 0) {
    const done = journal.db.transaction(() => {
      const ids = sessionSql.settleQueue(journal.db, PER_TRANSACTION)
      const changed = ids.filter((id) => settleSession(journal, id))
      if (changed.length > 0) journal.afterWrite(journal.db, changed)
      return ids.length
    })
    settled += done
    // Whoever asks meanwhile is answered between two transactions.
    await new Promise<void>((resolve) => setImmediate(resolve))
  }
  return settled
}

function settleSession(journal: JournalContext, id: string): boolean {
  const { db } = journal
  sessionSql.unqueueSettle(db, id)
  const session = sessionSql.sessionRow(db, id)
  if (!session) return false
  const tied = tieRenderings(journal, id)
  if (sessionSql.deleteIfEmpty(db, id)) return true
  const ordered = orderFiles(db, id)
  // Where a branch ends is a matter of order.
  const rewound = branchSql.hasRewinds(db, id) && branchSql.markRewound(db, id) > 0
  const inherited = session.parent_id !== null && inherit(db, session)
  const cut = keepBudget(db, id, journal.budget)
  return tied || ordered || rewound || inherited || cut
}

function orderFiles(db: WriteDb, id: string): boolean {
  const files = sessionSql.itemFilesOfSession(db, id)
  let changed = 0
  for (const [index, file] of files.entries()) changed += sessionSql.setEpoch(db, id, file.file, index)
  return changed > 0
}

function inherit(db: WriteDb, session: sessionSql.SessionRow): boolean {
  const changed = sessionSql.setInheritedGoal(db, session.id, goalOf(db, session, 0)) > 0
  if (changed) {
    const children = [...sessionSql.childSessions(db, session.id), ...branchSql.startedIn(db, session.id)]
    for (const child of children) sessionSql.queueSettle(db, child)
  }
  return changed
}

/** The goal of the call that started a sub-agent; where no call is known, its parent's at the moment it began. */
function goalOf(db: WriteDb, session: sessionSql.SessionRow, depth: number): string | null {
  if (session.parent_id === null || depth > 8) return null
  const called = branchSql.goalOfCall(db, session.id)
  if (called) return called
  const goal = sessionSql.goalAt(db, session.parent_id, session.started_at)
  if (goal) return goal
  const parent = sessionSql.sessionRow(db, session.parent_id)
  return parent ? goalOf(db, parent, depth + 1) : null
}

function keepBudget(db: WriteDb, id: string, budget: number): boolean {
  const counts = sessionSql.countsByKind(db, id)
  const total = counts.reduce((sum, row) => sum + row.n, 0)
  if (total <= budget && counts.every((row) => row.n === row.indexed)) return false
  let changed = false
  for (const { kind } of counts) {
    const share = SHARES[kind as ItemKind]
    const keep = total <= budget ? total : Math.floor(budget * share)
    for (const item of sessionSql.overBudget(db, id, kind, keep)) {
      changed = true
      if (item.wanted === 1) putBack(db, item)
      else takeOut(db, item)
    }
  }
  return changed
}

/** Its text and pointer stay; only the skeleton is indexed. */
function takeOut(db: WriteDb, item: { id: number; handle: string }): void {
  sessionSql.setIndexed(db, item.id, 0)
  journalSql.unindexItem(db, item.id)
  journalSql.dropVectors(db, item.id)
  const row = journalSql.itemText(db, item.id)
  if (row) journalSql.indexItem(db, item.id, skeleton(row.kind, row.data), dateWords(row.ts))
}

/** Puts an item whose text has changed into the index anew, and asks for its vectors and rungs again. */
export function reindex(db: WriteDb, item: { id: number; handle: string; indexed: number }): void {
  journalSql.dropVectors(db, item.id)
  if (item.indexed === 1) putBack(db, item)
  else takeOut(db, item)
}

/** Kind, path or command name: enough to be found by name. */
function skeleton(kind: string, data: string): string {
  const facts = JSON.parse(data) as Record<string, unknown>
  const name = [facts.path, facts.command, facts.tool].find((value) => typeof value === 'string')
  return `${kind} ${String(name ?? '').slice(0, 120)}`.trim()
}

function putBack(db: WriteDb, item: { id: number; handle: string }): void {
  const row = journalSql.itemText(db, item.id)
  if (!row) return
  sessionSql.setIndexed(db, item.id, 1)
  journalSql.unindexItem(db, item.id)
  journalSql.indexItem(db, item.id, indexText(row.kind as ItemKind, unpackText(row)), dateWords(row.ts))
  journalSql.queueItem(db, item.id, item.handle, row.kind)
}
