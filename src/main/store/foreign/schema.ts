import { tableCells } from './btree'
import type { Pager } from './pager'
import { ForeignRecord } from './record'

// What tables there are, read from their definitions as the file keeps them.

export interface ForeignTable {
  root: number
  /** Names in lower case, in the order of the record; null where the record has no such place. */
  columns: string[]
  /** The column that is the rowid itself. */
  rowidColumn: string | null
  /** Roots of indexes by the column they begin with. */
  indexes: Map<string, number>
}

interface Entry {
  type: string
  name: string
  table: string
  root: number
  sql: string
}

/** Tables with rowids, by their name in lower case. @throws ForeignProblem */
export function readSchema(pager: Pager): Map<string, ForeignTable> {
  const entries: Entry[] = []
  for (const { payload } of tableCells(pager, 1)) {
    const record = new ForeignRecord(payload, pager.head.encoding)
    const [type, name, table, root, sql] = [0, 1, 2, 3, 4].map((n) => record.value(n))
    if (typeof type !== 'string' || typeof name !== 'string' || typeof root !== 'number') continue
    entries.push({ type, name, table: String(table), root, sql: typeof sql === 'string' ? sql : '' })
  }
  const tables = new Map<string, ForeignTable>()
  for (const { type, name, root, sql } of entries) {
    const table = type === 'table' ? tableOf(root, sql) : null
    if (table) tables.set(name.toLowerCase(), { ...table, indexes: indexesOf(name, table.unique, entries) })
  }
  return tables
}

function indexesOf(table: string, unique: readonly string[], entries: readonly Entry[]): Map<string, number> {
  const found = new Map<string, number>()
  for (const entry of entries) {
    if (entry.type !== 'index' || entry.table.toLowerCase() !== table.toLowerCase()) continue
    const column = entry.sql === '' ? automatic(entry.name, unique) : explicit(entry.sql)
    if (column && !found.has(column)) found.set(column, entry.root)
  }
  return found
}

/** `sqlite_autoindex_<table>_<n>` belongs to the n-th UNIQUE or PRIMARY KEY. */
const automatic = (name: string, unique: readonly string[]): string | undefined =>
  unique[Number(/_(\d{1,4})$/.exec(name)?.[1] ?? 0) - 1]

/** The first column of an index that holds every row in plain order. */
function explicit(sql: string): string | undefined {
  const tokens = tokensOf(sql)
  const open = tokens.indexOf('(')
  const [part] = open === -1 ? [] : partsOf(tokens, open)
  const behind = tokens.slice(closeOf(tokens, open) + 1).map((token) => token.toLowerCase())
  const plain = part?.length === 1 || (part?.length === 2 && part[1]?.toLowerCase() === 'asc')
  return plain && !behind.includes('where') ? unquoted(part?.[0] ?? '') : undefined
}

const CONSTRAINT = new Set(['constraint', 'primary', 'unique', 'check', 'foreign'])

function tableOf(root: number, sql: string): (Omit<ForeignTable, 'indexes'> & { unique: string[] }) | null {
  const tokens = tokensOf(sql)
  const open = tokens.indexOf('(')
  if (open === -1 || tokens[1]?.toLowerCase() === 'virtual') return null
  const behind = tokens.slice(closeOf(tokens, open) + 1).map((token) => token.toLowerCase())
  if (behind.includes('without')) return null
  const columns: string[] = []
  const unique: string[] = []
  let rowidColumn: string | null = null
  for (const part of partsOf(tokens, open)) {
    const words = part.map((token) => token.toLowerCase())
    if (CONSTRAINT.has(words[0] ?? '')) {
      const key = words.findIndex((word) => word === 'primary' || word === 'unique')
      const at = key === -1 ? -1 : words.indexOf('(', key)
      const column = at === -1 ? '' : unquoted(part[at + 1] ?? '')
      const alone = words[at + 2] === ')'
      if (words[key] === 'primary' && alone && rowidColumn === column) continue
      if (column !== '') unique.push(column)
      continue
    }
    const generated = words.includes('as') && !words.includes('stored')
    const name = unquoted(part[0] ?? '')
    // A virtual generated column has no place in the record.
    if (generated) continue
    columns.push(name)
    const primary = words.includes('primary')
    if (primary && words[1] === 'integer' && !words.includes('desc')) rowidColumn = name
    else if (primary || words.includes('unique')) unique.push(name)
  }
  return { root, columns, rowidColumn, unique }
}

const TOKEN =
  /"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|'(?:[^']|'')*'|--[^\n]*|\/\*[\s\S]*?\*\/|[(),]|[^\s(),"'`[\]]+/g

const tokensOf = (sql: string): string[] =>
  (sql.slice(0, 100_000).match(TOKEN) ?? []).filter((token) => !/^(?:--|\/\*)/.test(token))

function closeOf(tokens: readonly string[], open: number): number {
  let depth = 0
  for (let at = open; at >= 0 && at < tokens.length; at++) {
    if (tokens[at] === '(') depth++
    else if (tokens[at] === ')' && --depth === 0) return at
  }
  return tokens.length
}

/** What stands between the commas of a list in brackets. */
function partsOf(tokens: readonly string[], open: number): string[][] {
  const parts: string[][] = [[]]
  let depth = 0
  for (const token of tokens.slice(open + 1, closeOf(tokens, open))) {
    if (token === '(') depth++
    if (token === ')') depth--
    if (token === ',' && depth === 0) parts.push([])
    else parts.at(-1)?.push(token)
  }
  return parts.filter((part) => part.length > 0)
}

function unquoted(token: string): string {
  const quote = token[0] ?? ''
  if (quote === '[') return token.slice(1, -1).toLowerCase()
  if (!['"', '`', "'"].includes(quote)) return token.toLowerCase()
  return token
    .slice(1, -1)
    .replaceAll(quote + quote, quote)
    .toLowerCase()
}
