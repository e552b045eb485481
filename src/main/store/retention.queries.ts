import type { RetentionLevel, RetentionRule } from '../../shared/retention'
import type { ReadDb, WriteDb } from './db'
import { writeAnew } from './write-anew'

/** A text this short is its own sentence: letting it go would save nothing. In characters. */
export const OWN_SENTENCE = 480

export function retentionRules(db: ReadDb): RetentionRule[] {
  return db.all(
    "SELECT nullif(source, '') AS source, level, days FROM retention_rules ORDER BY retention_rules.source, level",
  )
}

export function putRetentionRules(db: WriteDb, rules: readonly RetentionRule[]): void {
  db.run('DELETE FROM retention_rules')
  for (const { source, level, days } of rules)
    db.run('INSERT INTO retention_rules (source, level, days) VALUES (?, ?, ?)', [source ?? '', level, days])
}

/** Until when each level of a source's items is let go; null: never. `source` is '' for what has none any more. */
export interface Cutoffs {
  source: string
  L0: number | null
  L1: number | null
  L2: number | null
}

export interface DueItem {
  id: number
  source: string
  L0: number
  L1: number
  L2: number
  /** Bytes of the database that each level takes. */
  bytes0: number
  bytes1: number
  bytes2: number
}

/**
 * Items of which some level is due, by id. A text goes only where a sentence stands for it and nothing waits to be made
 * from it.
 */
export function dueItems(
  db: ReadDb,
  cutoffs: readonly Cutoffs[],
  page: { after: number; limit: number },
): DueItem[] {
  const due = (level: RetentionLevel): string =>
    `i.ts < coalesce(c.value ->> '${level}', -9e15) AND NOT EXISTS (SELECT 1 FROM let_go WHERE item_id = i.id AND level = '${level}')`
  return db.all(
    `SELECT * FROM (
       SELECT i.id, c.value ->> 'source' AS source, ${due('L0')} AS L0,
         ${due('L1')} AND l1.text IS NOT NULL AS L1, ${due('L2')} AND l2.text IS NOT NULL AS L2,
         max(0, coalesce(length(i.text_z), octet_length(i.text), 0) - octet_length(coalesce(l1.text, ''))) AS bytes0,
         octet_length(coalesce(l1.text, '')) AS bytes1, octet_length(coalesce(l2.text, '')) AS bytes2
       FROM items AS i LEFT JOIN files AS f ON f.id = i.file_id
       JOIN json_each(?) AS c ON c.value ->> 'source' = coalesce(f.source_id, '')
       LEFT JOIN rungs AS l1 ON l1.subject = i.handle AND l1.level = 'L1'
       LEFT JOIN rungs AS l2 ON l2.subject = i.handle AND l2.level = 'L2'
       WHERE i.id > ? AND i.chars > ${OWN_SENTENCE}
         AND (l1.text IS NOT NULL OR EXISTS (SELECT 1 FROM let_go WHERE item_id = i.id AND level = 'L0'))
         AND NOT EXISTS (SELECT 1 FROM curate_queue WHERE subject = i.handle)
     ) WHERE L0 OR L1 OR L2 ORDER BY id LIMIT ?`,
    [JSON.stringify(cutoffs), page.after, page.limit],
  )
}

/** The sources there are, by id, and '' for items whose source is gone. */
export function sourceIds(db: ReadDb): string[] {
  return ['', ...db.all<{ id: string }>('SELECT id FROM sources ORDER BY id').map((row) => row.id)]
}

/**
 * Lets levels of an item go. What was made from its text stays as it is. Call it in a transaction.
 * @param dates the words its day is found by; used when the item is indexed anew
 */
export function letGo(db: WriteDb, id: number, levels: readonly RetentionLevel[], at: number): void {
  db.run('INSERT INTO retention_now (one) VALUES (1)')
  for (const level of levels)
    db.run('INSERT INTO let_go (item_id, level, at) VALUES (?, ?, ?)', [id, level, at])
  const instead = levels.includes('L1') ? 'L3' : levels.includes('L0') ? 'L1' : null
  if (instead !== null)
    db.run(
      `UPDATE item_rows SET text = coalesce((SELECT text FROM rungs WHERE subject = item_rows.handle AND level = ?), ''),
         text_z = NULL WHERE id = ?`,
      [instead, id],
    )
  for (const level of levels)
    if (level !== 'L0')
      db.run('DELETE FROM rungs WHERE subject = (SELECT handle FROM items WHERE id = ?) AND level = ?', [
        id,
        level,
      ])
  db.run('DELETE FROM retention_now')
}

/** Which levels of an item were let go, and when the last one was. */
export function letGoOf(db: ReadDb, handle: string): { level: RetentionLevel; at: number }[] {
  return db.all(
    `SELECT g.level, g.at FROM items AS i JOIN let_go AS g ON g.item_id = i.id WHERE i.handle = ? ORDER BY g.level`,
    [handle],
  )
}

export function countLetGo(db: ReadDb): Record<RetentionLevel, number> {
  const counts = { L0: 0, L1: 0, L2: 0 }
  for (const { level, n } of db.all<{ level: RetentionLevel; n: number }>(
    'SELECT level, count(*) AS n FROM let_go GROUP BY level',
  ))
    counts[level] = n
  return counts
}

/** Bytes of the database file, and how many of them nothing uses. */
export function fileSize(db: ReadDb): { bytes: number; free: number } {
  return (
    db.get<{ bytes: number; free: number }>(
      `SELECT page_count * page_size AS bytes, freelist_count * page_size AS free
       FROM pragma_page_count, pragma_page_size, pragma_freelist_count`,
    ) ?? { bytes: 0, free: 0 }
  )
}

/** Writes the file anew without what nothing uses. Not inside a transaction. */
export function compact(db: WriteDb): void {
  writeAnew(db)
}
