import type { Handle, ItemKind } from '../../../shared/domain'
import type { RecordCounts } from '../../../shared/journal'
import { journalSql, retentionSql, sessionSql, sourcesSql, unpackText } from '../../store'
import type { JournalContext } from '../context'
import { type Draft, knows } from '../drafts'
import { thumbnailOf } from '../images'
import type { ItemData } from '../item-data'
import { cleanAhead } from './ahead'
import { type Chunk, type ChunkTarget, keyIn, type RecordEntry, type Sighting } from './chunk'
import { addCounts, countsOf, noCounts } from './counts'
import { dateWords } from './dates'
import { followMerge, queueIfDerived, writeBranches, writeSessions } from './sessions'
import { type Cleaned, clean, indexText, prepare } from './values'

/** Where a chunk goes, and what was made of its items beforehand. */
type Target = ChunkTarget & { ahead: ReadonlyMap<Draft, Cleaned> }

/** What became of an item at this sighting. */
type Fate =
  /** Nobody had it. */
  | 'new'
  /** It was this very record's before; read again, completed, or found again after its file changed. */
  | 'mine'
  /** Known from elsewhere, and joined to a further session now. */
  | 'joined'
  | 'known'
  /** It cannot be stored. */
  | 'failed'

/** An item's fate, and where the record stands that tells it. */
interface Told {
  fate: Fate
  byteOffset: number
}

export interface ChunkResult {
  counts: RecordCounts
  /** New items by kind. */
  added: Partial<Record<ItemKind, number>>
  updated: number
  masked: number
  errors: { line: number; reason: string }[]
  sessions: string[]
  file: sourcesSql.FileRow
}

/** Index rows to write at the end: see `writeIndex`. */
interface Writing extends ChunkResult {
  index: { id: number; text: string; dates: string; replaces: boolean }[]
}

/**
 * Writes one chunk in one transaction: items, index rows, queues, sessions, counts and the watermark, all or nothing.
 * null when another process moved the file's watermark meanwhile; then nothing was written and the caller reads the
 * file's row again.
 */
export function writeChunk(journal: JournalContext, into: ChunkTarget, chunk: Chunk): ChunkResult | null {
  const { db } = journal
  const target = { ...into, agents: chunk.agents, ahead: cleanAhead(journal, chunk) }
  const whole = (careful: boolean) => (): ChunkResult | null => {
    const now = sourcesSql.fileById(db, target.file.id)
    if (!now || now.offset !== target.file.offset || now.generation !== target.file.generation) return null
    const result = write(journal, target, chunk, now, careful)
    journalSql.tallyItems(db)
    return result
  }
  return journal.turn(() => tried(db, whole))
}

/**
 * A transaction of its own is begun anew where it fails. A savepoint is needed inside another one only: beside it SQLite
 * keeps what every statement changes, and looks through all of that after each.
 */
function tried<T>(db: JournalContext['db'], work: (careful: boolean) => () => T): T {
  try {
    return db.inTransaction ? db.attempt(work(false)) : db.transaction(work(false))
  } catch (error) {
    if (!isOfTheItem(error)) throw error
    return db.transaction(work(true))
  }
}

/** What one item brings about by what it holds, as against the state of the database and the disk. */
const isOfTheItem = (error: unknown): boolean =>
  error instanceof TypeError ||
  error instanceof RangeError ||
  /^SQLITE_(?:CONSTRAINT|MISMATCH|TOOBIG|RANGE)/.test(
    String((error as { code?: unknown } | null)?.code ?? ''),
  )

/** With `careful` each item is tried alone: one that cannot be stored costs its record, and no other. */
function write(
  journal: JournalContext,
  target: Target,
  chunk: Chunk,
  now: sourcesSql.FileRow,
  careful: boolean,
): ChunkResult {
  const { db } = journal
  const sessions = writeSessions(journal, target, chunk)
  const result: Writing = {
    counts: noCounts(),
    added: {},
    updated: 0,
    masked: 0,
    errors: [],
    sessions: sessions.ids,
    file: now,
    index: [],
  }
  const fates = new Map<Handle, Told>()
  const places = journalSql.itemPlaces(db, [...chunk.sightings.keys()])
  for (const [handle, sighting] of chunk.sightings) {
    const { byteOffset } = sighting.draft.place
    const known = places.get(handle)
    const one = (into: Writing): Fate =>
      writeItem(journal, target, { ...sighting, known }, sessions.projects, into)
    fates.set(handle, { fate: careful ? alone(db, result, one) : one(result), byteOffset })
  }
  const added = result.index.filter((row) => !row.replaces).map((row) => row.id)
  // Whoever adds within one transaction counts upwards.
  if (added.length > 0)
    journalSql.queueFrom(
      db,
      added.reduce((least, id) => Math.min(least, id)),
    )
  dropSuperseded(db, now.id, chunk)
  for (const record of chunk.records) count(db, now.id, record, fates, result)
  const total = addCounts(countsOf(now), result.counts)
  sourcesSql.saveProgress(db, now.id, {
    ...target.progress,
    ...total,
    dropped: JSON.stringify(total.dropped),
    masked: now.masked + result.masked,
  })
  for (const name of chunk.ownProjects()) followMerge(db, name)
  writeBranches(db, target, chunk)
  for (const id of sessions.ids) queueIfDerived(journal, id)
  if (sessions.ids.length > 0) journal.afterWrite(db, sessions.ids)
  writeIndex(db, result.index)
  const { index: _, ...written } = result
  return { ...written, file: sourcesSql.fileById(db, now.id) ?? now }
}

/** Tries one item; what it would have added to the result goes with it when it fails. */
function alone(db: JournalContext['db'], result: Writing, one: (into: Writing) => Fate): Fate {
  const trial: Writing = { ...result, added: { ...result.added }, index: [] }
  try {
    const fate = db.attempt(() => one(trial))
    result.index.push(...trial.index)
    Object.assign(result, trial, { index: result.index })
    return fate
  } catch (error) {
    if (!isOfTheItem(error)) throw error
    return 'failed'
  }
}

/** The last record of a growing document was told unfinished; what its new telling does not hold was never meant. */
function dropSuperseded(db: JournalContext['db'], fileId: number, chunk: Chunk): void {
  const turns = new Set(chunk.records.flatMap((record) => record.turn ?? []))
  if (turns.size === 0) return
  for (const item of journalSql.unfinishedItems(db, fileId)) {
    if (item.record_id === null || !turns.has(item.record_id) || chunk.sightings.has(item.handle as Handle))
      continue
    journalSql.deleteItem(db, item.id)
    // It may have been all that its session held.
    sessionSql.queueSettle(db, item.session_id)
  }
}

/**
 * The index comes last: a statement that has triggers opens a savepoint, and at every savepoint FTS5 writes out what
 * it has gathered, as a segment of its own. Between other writes that would be a segment an item.
 */
function writeIndex(db: JournalContext['db'], rows: Writing['index']): void {
  for (const { id, text, dates, replaces } of rows) {
    if (replaces) journalSql.unindexItem(db, id)
    journalSql.indexItem(db, id, text, dates)
  }
}

function writeItem(
  journal: JournalContext,
  target: Target,
  { draft, sessions, known }: Sighting & { known: journalSql.ItemPlace | undefined },
  projects: ReadonlyMap<string, string | null>,
  result: Writing,
): Fate {
  const { db } = journal
  if (!known && target.rendering && journalSql.aliasOf(db, draft.handle) !== null) return 'known'
  const ids = [...sessions].map((native) => keyIn(target, native))
  const joined = known !== undefined && ids.some((session) => !journalSql.isHeld(db, known.id, session))
  const fate = known ? replaceOrJoin(journal, target, draft, known, projects, result) : 'new'
  let id = known?.id ?? -1
  if (!known) {
    const { values, text } = ready(journal, target, draft, projects, null)
    id = journalSql.insertItem(db, values)
    result.index.push({ id, text: indexText(draft.kind, text), dates: dateWords(values.ts), replaces: false })
    result.added[draft.kind] = (result.added[draft.kind] ?? 0) + 1
    result.masked += values.masked
  }
  const small = draft.kind === 'image' && fate !== 'known' ? thumbnailOf(draft.data) : undefined
  if (small) journalSql.putThumbnail(db, (draft.data as ItemData<'image'>).sha256, small)
  // What only its own session holds is attached to nothing.
  if (known || ids.length > 1) for (const sessionId of ids) journalSql.attachItem(db, id, sessionId)
  return fate === 'known' && joined ? 'joined' : fate
}

function replaceOrJoin(
  journal: JournalContext,
  target: Target,
  draft: Draft,
  known: journalSql.ItemPlace,
  projects: ReadonlyMap<string, string | null>,
  result: Writing,
): Fate {
  const here = known.file_path === target.file.path && known.byte_offset === draft.place.byteOffset
  const mine = here || known.stale === 1
  if (!mine && !takesOver(draft, target, known)) return 'known'
  const before = journalSql.itemText(journal.db, known.id)
  const { values, text } = ready(
    journal,
    target,
    draft,
    projects,
    draft.ts === null ? (before ?? null) : null,
  )
  // Its text was let go, and stays so however often the file is read.
  const gone = before !== undefined && retentionSql.letGoOf(journal.db, draft.handle).length > 0
  const sameText = before !== undefined && (gone || unpackText(before) === text)
  // As it was packed then: it may have been by other rules.
  if (sameText) Object.assign(values, { text: before.text, text_z: before.text_z, chars: known.chars })
  const same =
    sameText &&
    here &&
    (known.stale === 0 || known.record_hash === values.record_hash) &&
    known.file_id === values.file_id &&
    before.kind === values.kind &&
    before.data === values.data &&
    before.goal_handle === values.goal_handle &&
    known.session_id === values.session_id &&
    known.known === values.known
  // A file that is read anew counts its marks anew.
  if (known.stale === 1) result.masked += values.masked
  else if (here) result.masked += values.masked - known.masked
  if (same) {
    // A document is read anew at each change; what stands there as before costs no more than that.
    if (known.stale === 1) journalSql.freshen(journal.db, known.id)
    return 'mine'
  }
  const left = known.session_id === values.session_id ? null : known.session_id
  if (left) journalSql.passOn(journal.db, known.id, left, values.session_id)
  journalSql.replaceItem(journal.db, known.id, values)
  if (!sameText && known.indexed === 1) {
    const dates = dateWords(values.ts)
    result.index.push({ id: known.id, text: indexText(draft.kind, text), dates, replaces: true })
    journalSql.queueItem(journal.db, known.id, draft.handle, draft.kind)
  }
  if (left) sessionSql.queueSettle(journal.db, left)
  result.updated++
  return mine ? 'mine' : 'known'
}

/**
 * Which of two sightings in different files an item belongs to must not depend on the order they were read in: the
 * one that knew more, then the smaller session id, then the smaller path, then the earlier place.
 */
function takesOver(draft: Draft, target: Target, known: journalSql.ItemPlace): boolean {
  if (knows(draft) !== known.known) return knows(draft) > known.known
  const session = keyIn(target, draft.session)
  if (session !== known.session_id) return session < known.session_id
  if (target.file.path !== known.file_path) return target.file.path < known.file_path
  return draft.place.byteOffset < known.byte_offset
}

function ready(
  journal: JournalContext,
  target: Target,
  draft: Draft,
  projects: ReadonlyMap<string, string | null>,
  before: { ts: number; data: string } | null,
) {
  const undated = before ? before.data.includes('"undated":true') : draft.ts === null
  const goal = target.rendering && draft.goal ? journalSql.aliasOf(journal.db, draft.goal) : null
  const cleaned = target.ahead.get(draft) ?? clean(journal, draft)
  return prepare(goal ? { ...draft, goal: goal as Handle } : draft, cleaned, {
    sessionId: keyIn(target, draft.session),
    fileId: target.file.id,
    project: projects.get(draft.session) ?? null,
    ts: before?.ts ?? draft.ts ?? target.undatedTs,
    undated,
  })
}

function count(
  db: JournalContext['db'],
  fileId: number,
  record: RecordEntry,
  fates: ReadonlyMap<Handle, Told>,
  result: Writing,
): void {
  const { counts } = result
  counts.read++
  const disposition = spoilt(record, fates)
    ? ({ kind: 'error', reason: 'an item of it cannot be stored' } as const)
    : record.disposition
  if (disposition.kind === 'error') {
    counts.errors++
    sourcesSql.addFileError(db, fileId, {
      line: record.line,
      byte_offset: record.byteOffset,
      reason: disposition.reason,
    })
    result.errors.push({ line: record.line, reason: disposition.reason })
    return
  }
  if (disposition.kind === 'dropped') {
    counts.dropped[disposition.reason] = (counts.dropped[disposition.reason] ?? 0) + 1
    return
  }
  const own = record.own.map((handle) => fates.get(handle))
  const done = record.completes.map(({ handle }) => fates.get(handle))
  if (own.some((it) => tells(it, record.byteOffset))) {
    counts.used++
    return
  }
  const joins = [...own, ...done].some((it) => it?.fate === 'joined')
  const completes = done.some((it, at) => tells(it, record.completes[at]?.byteOffset))
  // A question that waits for its answer has no item yet and still is no duplicate.
  if (joins || completes || own.length + done.length === 0) counts.attached++
  else counts.duplicates++
}

const spoilt = (record: RecordEntry, fates: ReadonlyMap<Handle, Told>): boolean =>
  [...record.own, ...record.completes.map(({ handle }) => handle)].some(
    (handle) => fates.get(handle)?.fate === 'failed',
  )

/** Whether an item is told by the record at this place, and not by another one that says the same. */
const tells = (it: Told | undefined, byteOffset: number | undefined): boolean =>
  it !== undefined && it.byteOffset === byteOffset && (it.fate === 'new' || it.fate === 'mine')
