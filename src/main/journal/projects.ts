import { AppError } from '../../shared/errors'
import { projectSql, sessionSql, type WriteDb } from '../store'
import type { JournalContext } from './context'

/**
 * Puts one project under the name of another: a folder was renamed or moved. What is read later under the old name
 * follows. Answers how many items moved.
 * @throws AppError `not-found` when no project has the first name, `bad-input` when both are one
 */
export function mergeProjects(journal: JournalContext, from: string, into: string): number {
  const { db } = journal
  const name = projectSql.projectAlias(db, into) ?? into
  if (from === name) {
    throw new AppError('bad-input', `“${from}” and “${into}” are the same project already.`)
  }
  if (!projectSql.isProject(db, from)) throw new AppError('not-found', `There is no project “${from}”.`)
  return db.transaction(() => {
    projectSql.putAlias(db, from, name, journal.clock())
    const moved = projectSql.moveProject(db, from, name)
    if (moved.sessions.length > 0) journal.afterWrite(db, moved.sessions)
    return moved.items
  })
}

/**
 * Undoes a merge: everything that was called by the old name is called so again.
 * @throws AppError `not-found` when that name was not merged
 */
export function unmergeProject(journal: JournalContext, alias: string): number {
  const { db } = journal
  if (projectSql.projectAlias(db, alias) === undefined) {
    throw new AppError('not-found', `“${alias}” was not merged into another project.`)
  }
  return db.transaction(() => {
    projectSql.deleteAlias(db, alias)
    const given = projectSql.giveBack(db, alias)
    let items = given.items
    const changed = new Set(given.sessions)
    for (const id of projectSql.sessionsCalled(db, alias)) {
      const project = sessionSql.fileSessions(db, id).find((file) => file.project !== null)?.project ?? null
      const moved = projectSql.nameSession(db, id, currentName(db, project))
      if (moved > 0) changed.add(id)
      items += moved
    }
    if (changed.size > 0) journal.afterWrite(db, [...changed])
    return items
  })
}

/** The name a project goes by now. */
export const currentName = (db: WriteDb, project: string | null): string | null =>
  project === null ? null : (projectSql.projectAlias(db, project) ?? project)
