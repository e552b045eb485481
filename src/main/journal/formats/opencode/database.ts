import type { ForeignDb, ForeignRow } from '../../../store'
import { sha256 } from '../../handles'
import { nameHash, noted, type Store, type StoredRecord, type StoredSession } from '../../stores/store'
import { asString, isObject } from '../../text'
import { aboutOf, briefOf, inOrder, type MessageBrief } from './messages'
import { opencode } from './reader'

// `opencode.db` since version 1.2: a row a session, a message, a part. Its table `todo` is not read: each call of
// `todowrite` puts its own list, or what of it is still open, in the place of the session's rows, and the call is told by
// its part, with its time. They are not counted as left out either: rows that are replaced have no place in the order by
// which a session is read on.

interface Saved {
  /** The last row of each table that was seen: its place and the hash of its name. */
  message: [rowid: number, id: string]
  part: [rowid: number, id: string]
  /** Newest change of a session's own row, in milliseconds. */
  updated: number
}

/** A message or part, known by its place; its content stays in the file. */
interface Known {
  rowid: number
  id: string
  message: string
  stamp: string
  size: number
  created: number
}

/** The store in an open database; null when it is not opencode's. */
export function openOpencodeDatabase(db: ForeignDb): Store | null {
  const known =
    db.has('session', 'id') &&
    db.has('message', 'id', 'session_id', 'data') &&
    db.has('part', 'id', 'message_id', 'data')
  return known ? new OpencodeDatabase(db) : null
}

class OpencodeDatabase implements Store {
  readonly format = opencode
  readonly damage: string[] = []
  private readonly bySession: Record<string, Map<string, number[]>> = {}

  constructor(private readonly db: ForeignDb) {}

  check(): void {
    this.db.check()
  }

  close(): void {
    this.db.close()
  }

  state(): Saved {
    let updated = 0
    for (const row of this.rows('session')) updated = Math.max(updated, number(row.value('time_updated')))
    return { message: this.lastOf('message'), part: this.lastOf('part'), updated }
  }

  *sessions(saved: unknown, waits: (key: string) => boolean): Generator<StoredSession> {
    const since = isSaved(saved) && this.stillThere(saved) ? saved : null
    const changed = since && this.changedSince(since)
    for (const row of this.rows('session')) {
      const id = asString(row.value('id'))
      if (id === null) continue
      const touched = !since || number(row.value('time_updated')) >= since.updated
      if (touched || changed?.has(id) || waits(id)) yield this.sessionOf(id, row)
    }
  }

  session(key: string): StoredSession | null {
    const row = this.db.find('session', 'id', key)
    return row && this.sessionOf(key, row)
  }

  private rows(table: string, after?: number): Generator<ForeignRow> {
    const onDamage = (reason: string): void => noted(this.damage, reason)
    return this.db.rows(table, { onDamage, ...(after === undefined ? {} : { after }) })
  }

  private lastOf(table: 'message' | 'part'): [number, string] {
    const rowid = this.db.last(table)
    return [rowid, this.nameAt(table, rowid)]
  }

  private nameAt(table: string, rowid: number): string {
    return nameHash(asString(this.db.at(table, rowid)?.value('id')) ?? '')
  }

  /** New rows are put behind the others, unless the table was rebuilt. */
  private stillThere(saved: Saved): boolean {
    return (['message', 'part'] as const).every((table) => {
      const [rowid, id] = saved[table]
      return rowid === 0 || this.nameAt(table, rowid) === id
    })
  }

  private changedSince(saved: Saved): Set<string> {
    const changed = new Set<string>()
    for (const table of ['message', 'part'] as const) {
      for (const row of this.rows(table, saved[table][0])) {
        const id = asString(row.value('session_id')) ?? this.sessionOfMessage(row)
        if (id) changed.add(id)
      }
    }
    return changed
  }

  private sessionOfMessage(row: ForeignRow): string | null {
    const message = asString(row.value('message_id'))
    return message && asString(this.db.find('message', 'id', message)?.value('session_id'))
  }

  private sessionOf(id: string, row: ForeignRow): StoredSession {
    const project = asString(row.value('project_id'))
    const directory = asString(row.value('directory')) ?? (project && this.worktree(project))
    const header = { id, directory, title: row.value('title'), parentID: row.value('parent_id') }
    const listed = new Listed(this.db, this)
    return {
      key: id,
      header,
      updatedAt: listed.updatedAt(id, number(row.value('time_updated'))),
      records: () => listed.records(id),
    }
  }

  private worktree(project: string): string | null {
    const path = asString(this.db.find('project', 'id', project)?.value('worktree'))
    return path === '/' ? null : path
  }

  /** Rows of a table that belong to a session, by the index if there is one, else by one look through the table. */
  *of(table: 'message' | 'part', session: string): Generator<ForeignRow> {
    const onDamage = (reason: string): void => noted(this.damage, reason)
    if (this.db.indexed(table, 'session_id')) {
      yield* this.db.range(table, 'session_id', session, `${session}\0`, onDamage)
      return
    }
    this.bySession[table] ??= this.grouped(table)
    for (const rowid of this.bySession[table].get(session) ?? []) {
      const row = this.db.at(table, rowid, onDamage)
      if (row) yield row
    }
  }

  private grouped(table: 'message' | 'part'): Map<string, number[]> {
    const groups = new Map<string, number[]>()
    for (const row of this.rows(table)) {
      const session = asString(row.value('session_id')) ?? this.sessionOfMessage(row)
      if (session) groups.set(session, [...(groups.get(session) ?? []), row.rowid])
    }
    return groups
  }
}

/** A session's records, listed once. */
class Listed {
  private found: { messages: Known[]; parts: Known[] } | null = null
  private newest = 0

  constructor(
    private readonly db: ForeignDb,
    private readonly store: OpencodeDatabase,
  ) {}

  updatedAt(session: string, own: number): number | null {
    this.list(session)
    return Math.max(own, this.newest) || null
  }

  records(session: string): StoredRecord[] {
    const { messages, parts } = this.list(session)
    const briefs = messages.map((message) => ({ ...message, brief: this.brief(message) }))
    return inOrder(briefs, parts).map(({ entry, of, closed }) => ({
      key: entry.id,
      // A message's row is written again with what it cost and changed; only what is read of it counts.
      stamp: entry === of ? sha256(JSON.stringify(of.brief)).slice(0, 16) : entry.stamp,
      size: entry.size,
      closed,
      about: aboutOf(entry === of ? 'message' : 'part', of.brief, entry.created || null),
      read: () => this.content(entry === of ? 'message' : 'part', entry),
    }))
  }

  private list(session: string): { messages: Known[]; parts: Known[] } {
    this.found ??= {
      messages: [...this.store.of('message', session)].map((row) => this.known(row, 'id')),
      parts: [...this.store.of('part', session)].map((row) => this.known(row, 'message_id')),
    }
    return this.found
  }

  private known(row: ForeignRow, message: string): Known {
    this.newest = Math.max(this.newest, number(row.value('time_updated')))
    return {
      rowid: row.rowid,
      id: asString(row.value('id')) ?? `row-${row.rowid}`,
      message: asString(row.value(message)) ?? '',
      stamp: row.stamp,
      size: row.size('data'),
      created: number(row.value('time_created')),
    }
  }

  private brief(message: Known): MessageBrief {
    const bytes = message.size < 4 * 1024 * 1024 ? this.content('message', message) : null
    return briefOf(bytes, message.created)
  }

  private content(table: 'message' | 'part', { rowid }: Known): Buffer | null {
    return this.db.at(table, rowid)?.bytes('data') ?? null
  }
}

const number = (value: unknown): number => (typeof value === 'number' && Number.isFinite(value) ? value : 0)

const isSaved = (value: unknown): value is Saved =>
  isObject(value) &&
  Array.isArray(value.message) &&
  Array.isArray(value.part) &&
  typeof value.updated === 'number'
