import { statSync } from 'node:fs'
import { sep } from 'node:path'
import { sourcesSql } from '../../store'
import type { JournalContext } from '../context'
import { isLasting, isOpen } from '../file-reasons'
import { stampOf, unchanged } from '../reading/watermark'
import { storeOf } from '../stores/names'
import { discover, type FoundFile, isGone } from './discover'

export interface Scan {
  /** Files whose stat says that there is something to read. */
  due: FoundFile[]
  /** Every readable file there is. */
  all: FoundFile[]
  missing: boolean
}

/**
 * Looks at a source's files without reading one: new and changed ones are due, what cannot be read is noted, moved
 * files keep their row, vanished ones are marked.
 */
export function scan(journal: JournalContext, source: sourcesSql.SourceRow, skip: readonly string[]): Scan {
  const { db } = journal
  const { stored } = journal.paths
  const found = discover(source.path, skip)
  const rows = new Map(sourcesSql.fileStamps(db, source.id).map((row) => [row.path, row]))
  const files = found.files.map((file) => ({ file, path: stored(file.path) }))
  if (!found.missing) {
    const unread = found.unreadable.map(({ path, reason }) => ({ path: stored(path), reason }))
    const present = new Set([...files, ...unread].map(({ path }) => path))
    follow(journal, source, files, rows, present)
    for (const row of rows.values()) if (!present.has(row.path)) opened(journal, row)
    for (const { path, reason } of unread) noteUnreadable(journal, source, path, reason, rows.get(path))
  } else if (rows.size > 0) {
    // The whole folder is away (an unmounted disk, a rename): its files are not forgotten for that.
    for (const row of rows.values()) vanish(journal, row)
  }
  const due = files.filter(({ file, path }) => {
    // A file may have been enrolled on its own before its folder was.
    const row = rows.get(path) ?? sourcesSql.fileByPath(db, path)
    if (!row || row.status === 'gone' || isUnread(row)) return true
    return (source.format === null && isOpen(row)) || !unchanged(rowStamp(row), stampOf(file.stat))
  })
  return { due: due.map(({ file }) => file), all: found.files, missing: found.missing }
}

const rowStamp = (row: sourcesSql.FileStampRow) => ({
  dev: row.dev ?? '',
  inode: row.inode ?? '',
  size: row.size,
  mtimeMs: row.mtime_ms,
})

/** It could not be opened before; worth another try. One of an unknown format is tried again when it changes. */
const isUnread = (row: sourcesSql.FileStampRow): boolean =>
  row.status === 'unreadable' && !isLasting(row.reason)

function noteUnreadable(
  journal: JournalContext,
  source: sourcesSql.SourceRow,
  path: string,
  reason: string,
  known: sourcesSql.FileStampRow | undefined,
): void {
  const row = known ?? sourcesSql.ensureFile(journal.db, source.id, path)
  if (row.status !== 'unreadable' || row.reason !== reason) {
    sourcesSql.setFileStatus(journal.db, row.id, 'unreadable', reason)
  }
}

/** A folder that could not be looked into before, and can be now: there is nothing to say of it any more. */
function opened(journal: JournalContext, row: sourcesSql.FileStampRow): void {
  if (row.status !== 'unreadable' || isLasting(row.reason)) return
  const path = journal.paths.onDisk(row.path) ?? row.path
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return
  sourcesSql.setFileStatus(journal.db, row.id, 'gone', 'a folder, and it can be read')
}

/** Files that are gone under their old name: renamed ones are followed by their inode, the rest are marked. */
function follow(
  journal: JournalContext,
  source: sourcesSql.SourceRow,
  files: readonly { file: FoundFile; path: string }[],
  rows: Map<string, sourcesSql.FileStampRow>,
  present: ReadonlySet<string>,
): void {
  const lost = [...rows.values()].filter(
    (row) => !present.has(row.path) && isGone(row.path) && !present.has(storeOf(row.path)?.store ?? ''),
  )
  if (lost.length === 0) return
  const fresh = new Map<string, { file: FoundFile; path: string }>(
    files
      .filter(({ path }) => !rows.has(path))
      .map((one) => [`${one.file.stat.dev}:${one.file.stat.ino}`, one] as const),
  )
  for (const row of lost) {
    const moved = row.inode === null ? undefined : fresh.get(`${row.dev}:${row.inode}`)
    const path = moved?.path
    if (moved && path && moved.file.stat.size >= row.offset && !sourcesSql.fileByPath(journal.db, path)) {
      journal.db.transaction(() => {
        sourcesSql.moveFile(journal.db, row.id, source.id, path)
        // A store takes its sessions along.
        for (const inner of lost) {
          if (!inner.path.startsWith(row.path + sep)) continue
          sourcesSql.moveFile(journal.db, inner.id, source.id, path + inner.path.slice(row.path.length))
        }
      })
      rows.delete(row.path)
      rows.set(path, { ...row, path, status: 'ok' })
    } else vanish(journal, row)
  }
}

function vanish(journal: JournalContext, row: sourcesSql.FileStampRow): void {
  if (row.status === 'gone') return
  journal.db.transaction(() => {
    sourcesSql.setFileStatus(journal.db, row.id, 'gone', 'the file is gone')
    sourcesSql.markStale(journal.db, row.id)
  })
}
