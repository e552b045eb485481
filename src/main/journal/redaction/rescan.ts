import { readdirSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { rescanSql, settingsSql, type WriteDb } from '../../store'
import { reindex } from '../writing/settle'
import { type Redactor, RULES_VERSION, redactKeysToo } from './redact'

// What was stored under older rules passes the newer ones, in the background, a few hundred rows at a time. Where it
// stands is kept, so that it goes on after an interruption.

const DONE = 'redaction.rules'
const PLACE = 'redaction.rescan'
const ROWS = 400

interface Place {
  version: number
  /** Name of the table that is being looked through; null when all were and only the old copies are left. */
  table: string | null
  after: rescanSql.RowKey | null
  changed: number
}

/**
 * Looks through the next rows. One short transaction; the last step of a scan that changed something writes the
 * database anew, so that nothing of the old text is left in its free pages.
 * @returns how many rows it looked at, at least 1; 0 when everything was scanned with these rules
 */
export function rescan(db: WriteDb, redact: Redactor, rows = ROWS): number {
  if (settingsSql.readMeta(db, DONE) === String(RULES_VERSION)) return 0
  const place = placeOf(db)
  if (place.table === null) return finish(db, place)
  return db.transaction(() => {
    const tables = rescanSql.textTables(db)
    const at = tables.findIndex(({ name }) => name === place.table)
    const table = tables[at]
    const found = table ? rescanSql.textRows(db, table, place.after, rows) : []
    for (const row of found) if (table && mask(db, redact, table, row)) place.changed++
    const last = found.length < rows ? undefined : found.at(-1)
    if (last) place.after = last.key
    else {
      place.table = tables[at + 1]?.name ?? null
      place.after = null
    }
    settingsSql.writeMeta(db, PLACE, JSON.stringify(place))
    return Math.max(1, found.length)
  })
}

/** Where the scan stands; at the beginning for rules it has not begun with. */
function placeOf(db: WriteDb): Place {
  const saved = settingsSql.readMeta(db, PLACE)
  const place = saved === undefined ? null : (JSON.parse(saved) as Place)
  if (place?.version === RULES_VERSION) return place
  return {
    version: RULES_VERSION,
    table: rescanSql.textTables(db)[0]?.name ?? null,
    after: null,
    // What an interrupted scan changed has still to be wiped.
    changed: place?.changed ?? 0,
  }
}

function finish(db: WriteDb, place: Place): number {
  if (place.changed > 0) {
    dropCopies(db.path)
    rescanSql.wipeRemains(db)
  }
  settingsSql.writeMeta(db, DONE, String(RULES_VERSION))
  settingsSql.writeMeta(db, PLACE, JSON.stringify({ ...place, changed: 0 }))
  return 1
}

/** Copies from before an upgrade hold what the older rules let through. */
function dropCopies(path: string): void {
  const folder = dirname(path)
  const copies = readdirSync(folder).filter(
    (name) => name.startsWith(`${basename(path)}.v`) && name.endsWith('.bak'),
  )
  for (const name of copies) rmSync(join(folder, name), { force: true })
}

/** Whether something in the row was a secret. */
function mask(db: WriteDb, redact: Redactor, table: rescanSql.TextTable, row: rescanSql.TextRow): boolean {
  const changed: Record<string, string> = {}
  for (const [column, text] of Object.entries(row.texts)) {
    if (text === null || (table.name === 'meta' && isOwn(row))) continue
    const clean = cleaned(text, redact)
    if (clean !== text) changed[column] = clean
  }
  if (Object.keys(changed).length === 0) return false
  const session = table.name === 'sessions' ? changed.id : undefined
  if (session !== undefined && row.texts.id) {
    rescanSql.renameSession(db, row.texts.id, session)
    delete changed.id
  }
  if (Object.keys(changed).length > 0) rescanSql.putTexts(db, table, row.key, changed)
  follow(db, table.name, row)
  return true
}

/** The salt of the marks, and what the journal keeps for itself. */
const isOwn = (row: rescanSql.TextRow): boolean => /^redaction\./.test(row.texts.key ?? '')

/** JSON is looked through string by string, so that it stays JSON. */
function cleaned(text: string, redact: Redactor): string {
  if (/^\s*[[{]/.test(text)) {
    try {
      const { value, masked } = redactKeysToo(JSON.parse(text) as unknown, redact)
      return masked > 0 ? JSON.stringify(value) : text
    } catch {
      // Not JSON after all.
    }
  }
  return redact(text).text
}

/** What was made from the row's old words is made again. Rungs, facts and cells go by triggers of their own. */
function follow(db: WriteDb, table: string, row: rescanSql.TextRow): void {
  if (table === 'item_rows') {
    const item = rescanSql.itemOf(db, row.key)
    if (item) reindex(db, item)
  } else if (table === 'chunks') rescanSql.dropChunkVectors(db, row.key)
  else if (table === 'predictions' && row.texts.gate_id) rescanSql.dropOpenPrediction(db, row.texts.gate_id)
}
