// What a database takes of the disk, in three parts, against the text it keeps.

const JOURNAL = new Set([
  'items',
  'item_rows',
  'names',
  'item_sessions',
  'item_aliases',
  'sessions',
  'session_calls',
  'rewinds',
  'sources',
  'files',
  'file_sessions',
  'file_errors',
  'project_aliases',
  'thumbnails',
  'settle_queue',
  'meta',
  'sqlite_schema',
])
const SEARCH = /^(?:items_fts|vectors|vector_codes)/

const partOf = (table) => (JOURNAL.has(table) ? 'journal' : SEARCH.test(table) ? 'search' : 'derived')

/** Whole pages, as the file holds them, each index with its table. */
export function roomOf(db) {
  const chars = db.get('SELECT sum(chars) AS n FROM items').n
  const stored = db.get(
    'SELECT sum(octet_length(text)) AS plain, sum(octet_length(text_z)) AS packed FROM items',
  )
  const bytes = { journal: 0, derived: 0, search: 0 }
  const tables = {}
  const rows = db.all(
    `SELECT coalesce(s.tbl_name, d.name) AS name, sum(d.pgsize) AS bytes
     FROM dbstat AS d LEFT JOIN sqlite_schema AS s ON s.name = d.name WHERE d.aggregate = 1 GROUP BY 1`,
  )
  for (const row of rows) {
    bytes[partOf(row.name)] += row.bytes
    tables[row.name] = row.bytes
  }
  const ratio = (n) => Number((n / chars).toFixed(3))
  const largest = Object.entries(tables).sort(([, a], [, b]) => b - a)
  return {
    keptTextChars: chars,
    storedTextBytes: (stored.plain ?? 0) + (stored.packed ?? 0),
    journalToKeptText: ratio(bytes.journal),
    derivedToKeptText: ratio(bytes.derived),
    searchToKeptText: ratio(bytes.search),
    largestToKeptText: Object.fromEntries(largest.slice(0, 8).map(([name, n]) => [name, ratio(n)])),
  }
}
