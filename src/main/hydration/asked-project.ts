import { projectSql, type ReadDb } from '../store'

/** The request with its project under the name it has now: a folder may have been renamed since. */
export function underItsName<T extends { project?: string | undefined }>(db: ReadDb, request: T): T {
  if (request.project === undefined) return request
  return { ...request, project: projectSql.projectAlias(db, request.project) ?? request.project }
}

/** What to say of a project that no session and no item is of; null for one that is. */
export function noProject(db: ReadDb, project: string | undefined): string | null {
  if (project === undefined || projectSql.isProject(db, project)) return null
  return `Memory knows no project "${project.slice(0, 60)}".`
}
