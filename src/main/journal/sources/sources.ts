import { randomBytes } from 'node:crypto'
import { closeSync, existsSync, opendirSync, openSync, realpathSync, type Stats, statSync } from 'node:fs'
import { resolve, sep } from 'node:path'
import type { Agent } from '../../../shared/domain'
import { AppError } from '../../../shared/errors'
import type { RemovedSource, SourceHealth, SourceView } from '../../../shared/journal'
import { type ReadDb, removedSql, sourcesSql } from '../../store'
import type { JournalContext } from '../context'
import { openReason } from '../file-reasons'
import { formatNamed } from '../formats'
import { base32 } from '../handles'
import type { Target } from '../ingest'
import { addCounts, countsOf, noCounts } from '../writing/counts'
import { isGone } from './discover'

const ERRORS_SHOWN = 500

export interface Enrolment {
  path: string
  format?: Agent | undefined
  project?: string | undefined
}

/**
 * Makes a path a source of the person's; a path that is one already comes back as it is.
 * @throws AppError `not-found` when nothing is there, `unreadable` when it cannot be opened,
 * `unsupported` for a format Fovea cannot read yet
 */
export function enrol(journal: JournalContext, { path, format, project }: Enrolment): sourcesSql.SourceRow {
  const absolute = resolve(path)
  const stored = journal.paths.stored(absolute)
  const known = sourcesSql.sourceByPath(journal.db, stored)
  if (known) return known
  if (format) formatNamed(format)
  const kind = kindOf(absolute)
  return add(journal, { path: stored, kind, format: format ?? null, project: project ?? null })
}

/**
 * What a path names: a source itself, or a part of one that is enrolled already. A new path is enrolled.
 * @throws AppError as `enrol` does
 */
export function targetAt(journal: JournalContext, enrolment: Enrolment): Target {
  const path = resolve(enrolment.path)
  const known = sourcesSql.sourceByPath(journal.db, journal.paths.stored(path))
  if (known) {
    if (existsSync(path)) kindOf(path)
    return { ...known, path }
  }
  kindOf(path)
  const around = sourcesSql
    .sources(journal.db)
    .map((source) => onDisk(journal, source))
    .filter((source) => source.kind === 'folder' && path.startsWith(source.path + sep))
    .sort((a, b) => b.path.length - a.path.length)[0]
  return around ? { ...around, within: path } : { ...enrol(journal, enrolment), path }
}

/** The source with its path as it is on this disk; one that is not there keeps its stored path. */
export const onDisk = (journal: JournalContext, source: sourcesSql.SourceRow): sourcesSql.SourceRow =>
  source.kind === 'stream' ? source : { ...source, path: journal.paths.onDisk(source.path) ?? source.path }

const closeDir = (path: string): void => opendirSync(path).closeSync()

function kindOf(path: string): 'folder' | 'file' {
  try {
    const stat = statSync(path)
    refuseOdd(path, stat)
    const folder = stat.isDirectory()
    if (folder) closeDir(path)
    else closeSync(openSync(path, 'r'))
    return folder ? 'folder' : 'file'
  } catch (cause) {
    if (cause instanceof AppError) throw cause
    if (!isGone(path)) {
      const nowhere = (cause as { code?: string }).code === 'ENOENT'
      const why = nowhere ? 'a link that leads nowhere' : openReason(cause)
      throw new AppError('unreadable', `${path} cannot be read: ${why}.`, { cause })
    }
    throw new AppError('not-found', `There is nothing to read at ${path}.`, { cause })
  }
}

/** What the system shows as files and are none: reading them may never end, or tell of the machine instead. */
const SYSTEM = /^\/(?:proc|sys|dev)(?:\/|$)/

/** @throws AppError `unsupported` */
function refuseOdd(path: string, stat: Stats): void {
  const refuse = (is: string): never => {
    throw new AppError('unsupported', `${path} ${is}; Fovea reads folders and plain files only.`)
  }
  if (process.platform !== 'win32' && SYSTEM.test(realpathSync(path))) refuse('belongs to the system')
  if (stat.isFIFO()) {
    throw new AppError(
      'unsupported',
      `${path} is a named pipe; pipe what comes out of it: fovea ingest - < ${path}`,
    )
  }
  if (stat.isSocket()) refuse('is a socket')
  if (stat.isCharacterDevice() || stat.isBlockDevice()) refuse('is a device')
  if (!stat.isDirectory() && !stat.isFile()) refuse('is no file')
}

/** The source of what is piped in under a name. */
export function enrolStream(
  journal: JournalContext,
  name: string,
  project: string | null,
): sourcesSql.SourceRow {
  const path = `stream:${journal.redact(name.toWellFormed(), 'name').text}`
  const known = sourcesSql.sourceByPath(journal.db, path)
  return known ?? add(journal, { path, kind: 'stream', format: 'generic', project })
}

function add(
  journal: JournalContext,
  source: Pick<sourcesSql.SourceRow, 'path' | 'kind' | 'format' | 'project'>,
): sourcesSql.SourceRow {
  const row: sourcesSql.SourceRow = {
    ...source,
    project: source.project && journal.redact(source.project.toWellFormed(), 'name').text,
    id: newId(),
    state: 'active',
    enrolled_at: journal.clock(),
    last_scan_at: null,
    last_error: null,
    away_since: null,
  }
  sourcesSql.addSource(journal.db, row)
  removedSql.forgetRemoved(journal.db, row.path)
  return sourcesSql.sourceByPath(journal.db, row.path) ?? row
}

/** @throws AppError `not-found` */
export function sourceNamed(db: ReadDb, id: string): sourcesSql.SourceRow {
  const row = sourcesSql.sourceById(db, id)
  if (!row) throw new AppError('not-found', `There is no source “${id}”.`)
  return row
}

export function viewOf(db: ReadDb, row: sourcesSql.SourceRow): SourceView {
  return {
    id: row.id,
    path: row.path,
    kind: row.kind,
    format: row.format as Agent | null,
    project: row.project,
    state: row.state,
    enrolledAt: row.enrolled_at,
    lastScanAt: row.last_scan_at,
    lastError: row.last_error,
    awaySince: row.away_since,
    ...sourcesSql.sourceSums(db, row.id),
  }
}

export const listSources = (db: ReadDb): SourceView[] => sourcesSql.sources(db).map((row) => viewOf(db, row))

/** @throws AppError `not-found` */
export function setState(journal: JournalContext, id: string, state: 'active' | 'paused'): SourceView {
  sourceNamed(journal.db, id)
  sourcesSql.setSourceState(journal.db, id, state)
  return viewOf(journal.db, sourceNamed(journal.db, id))
}

/** Ends an enrolment; what it brought stays, and can be forgotten later. @throws AppError `not-found` */
export function removeSource({ db, clock }: JournalContext, id: string): void {
  sourceNamed(db, id)
  db.transaction(() => removedSql.removeKeeping(db, id, clock()))
}

/** What was removed and kept, where something of it is left. */
export const listRemoved = (db: ReadDb): RemovedSource[] =>
  removedSql.removedSources(db).map(({ id, path, kind, removed_at, items }) => ({
    id,
    path,
    kind,
    removedAt: removed_at,
    items,
  }))

/**
 * The source that is to be forgotten: an enrolled one, one that was removed before, or what is left of a path that is
 * enrolled no more. The last two become sources again, paused, so that they can go.
 * @throws AppError `not-found`
 */
export function sourceToForget(journal: JournalContext, named: string): string {
  const { db, clock, paths } = journal
  if (sourcesSql.sourceById(db, named)) return named
  const removed = removedSql.removedSource(db, named)
  const path = paths.stored(resolve(named))
  const known = removed ?? (removedSql.leftItems(db, path) > 0 ? leftAt(path, clock()) : null)
  if (!known) throw new AppError('not-found', `There is no source “${named}”, and nothing is left of one.`)
  db.transaction(() => removedSql.bringBack(db, known))
  return sourcesSql.sourceByPath(db, known.path)?.id ?? known.id
}

const leftAt = (path: string, at: number) => ({
  id: newId(),
  path,
  kind: 'folder' as const,
  format: null,
  project: null,
  enrolled_at: at,
})

const newId = (): string => `src_${base32(randomBytes(10), 16)}`

/** Every loss of a source by file and line, the first `limit` of them. @throws AppError `not-found` */
export function health(db: ReadDb, id: string, limit = ERRORS_SHOWN): SourceHealth {
  const source = sourceNamed(db, id)
  const files = sourcesSql.filesOf(db, id)
  const records = noCounts()
  for (const file of files) addCounts(records, countsOf(file))
  return {
    source: viewOf(db, source),
    records,
    masked: files.reduce((sum, file) => sum + file.masked, 0),
    unreadable: files
      .filter((file) => file.status === 'unreadable')
      .map((file) => ({ file: file.path, reason: file.reason ?? 'it cannot be read' })),
    waiting: files
      .filter((file) => file.status === 'ok' && file.size > file.offset && source.kind !== 'stream')
      .map((file) => ({ file: file.path, line: file.line + 1, bytes: file.size - file.offset })),
    errors: sourcesSql.fileErrors(db, id, limit).map(({ file, line, reason }) => ({ file, line, reason })),
    errorsTotal: sourcesSql.countFileErrors(db, id),
  }
}
