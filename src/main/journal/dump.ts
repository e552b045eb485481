import { createHash } from 'node:crypto'
import { closeSync, existsSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { AppError } from '../../shared/errors'
import { journalSql, type ReadDb, unpackText } from '../store'

/** A secret's mark is salted by the installation; two journals of the same files are to compare equal all the same. */
const MARK = /\[secret:([a-z0-9-]+):[0-9a-f]{4}\]/g

/** One canonical line of an item: no row numbers, nothing that depends on the order of reading. */
export function dumpLine(row: journalSql.DumpRow): string {
  const data = JSON.parse(row.data) as Record<string, unknown>
  const { undated, ...rest } = data
  const line = JSON.stringify({
    handle: row.handle,
    kind: row.kind,
    session: row.session_id,
    sessions: (row.sessions ?? '').split('\n').filter((id) => id !== ''),
    agent: row.agent,
    project: row.project,
    position: row.position,
    // A time nobody stated depends on the file's own time, which a copy changes.
    ts: undated === true ? null : row.ts,
    role: row.role,
    tool: row.tool,
    goal: row.goal_handle,
    text: unpackText(row),
    data: Object.fromEntries(Object.entries(rest).sort(([a], [b]) => (a < b ? -1 : 1))),
    importance: row.importance,
    indexed: row.indexed === 1,
    settled: row.known >= 2,
    ...(row.let_go ? { letGo: row.let_go.split(',') } : {}),
    ...(row.rewound === 1 ? { rewound: true } : {}),
    labels: JSON.parse(row.labels) as unknown,
    pointer: {
      file: row.file_path,
      recordId: row.record_id,
      line: row.line,
      byteOffset: row.byte_offset,
      byteLength: row.byte_length,
      hash: row.record_hash,
    },
  })
  return line.replace(MARK, '[secret:$1]')
}

/** The journal, one canonical JSON line per item, sorted by handle. */
export function* dumpLines(db: ReadDb): Generator<string> {
  for (const row of journalSql.dumpRows(db)) yield dumpLine(row)
}

/**
 * Writes the canonical journal to a file of its own (0600), in one step at the end.
 * @throws AppError `conflict` when the file exists, `unreadable` when it cannot be written
 */
export function dumpTo(db: ReadDb, out: string): { file: string; items: number; sha256: string } {
  if (existsSync(out)) throw new AppError('conflict', `${out} exists already; nothing was written.`)
  const hash = createHash('sha256')
  const partial = `${out}.partial`
  let items = 0
  try {
    const fd = openSync(partial, 'w', 0o600)
    try {
      for (const line of dumpLines(db)) {
        const bytes = Buffer.from(`${line}\n`)
        hash.update(bytes)
        writeSync(fd, bytes)
        items++
      }
    } finally {
      closeSync(fd)
    }
    renameSync(partial, out)
  } catch (cause) {
    rmSync(partial, { force: true })
    throw new AppError('unreadable', `The dump cannot be written to ${out}.`, { cause })
  }
  return { file: out, items, sha256: hash.digest('hex') }
}
