import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { updateArcs } from '../../../src/main/curator'
import {
  dumpLines,
  enrol,
  ingestSources,
  type JournalContext,
  type JournalOptions,
  journalContext,
  type RunReport,
} from '../../../src/main/journal'
import type { WriteDb } from '../../../src/main/store'
import type { Agent } from '../../../src/shared/domain'
import { temporaryDb } from '../../support'

// Hand-made Claude Code records: the frame of a real one, with content of our own.

export type Json = Record<string, unknown>

export interface Scribe {
  lines: Json[]
  user(content: unknown, extra?: Json): Json
  said(text: string, extra?: Json): Json
  call(id: string, name: string, input: unknown, extra?: Json): Json
  result(id: string, content: unknown, extra?: Json): Json
  add(record: Json): Json
  text(): string
}

/** Writes the records of one session; ids and times count up, so that the same calls give the same bytes. */
export function scribe(session = 'S1', options: { cwd?: string; start?: number; extra?: Json } = {}): Scribe {
  let n = 0
  const start = options.start ?? Date.parse('2026-03-03T09:00:00Z')
  const lines: Json[] = []
  const add = (record: Json): Json => {
    lines.push(record)
    return record
  }
  const chain = (type: string, extra: Json): Json => {
    n++
    return add({
      parentUuid: n === 1 ? null : `${session}-u${n - 1}`,
      isSidechain: false,
      userType: 'external',
      cwd: options.cwd ?? '/srv/shop',
      sessionId: session,
      version: '2.1.60',
      gitBranch: 'main',
      type,
      uuid: `${session}-u${n}`,
      timestamp: new Date(start + n * 1000).toISOString(),
      ...options.extra,
      ...extra,
    })
  }
  const assistant = (block: Json, extra: Json = {}): Json =>
    chain('assistant', {
      message: {
        id: `msg-${session}-${n}`,
        role: 'assistant',
        model: 'm',
        content: [block],
        usage: { output_tokens: 5 },
      },
      ...extra,
    })
  return {
    lines,
    add,
    user: (content, extra = {}) => chain('user', { message: { role: 'user', content }, ...extra }),
    said: (text, extra) => assistant({ type: 'text', text }, extra),
    call: (id, name, input, extra) => assistant({ type: 'tool_use', id, name, input }, extra),
    result: (id, content, extra = {}) => {
      const { isError, ...rest } = extra
      const block = { type: 'tool_result', tool_use_id: id, content, ...(isError ? { is_error: true } : {}) }
      return chain('user', { message: { role: 'user', content: [block] }, ...rest })
    },
    text: () => jsonl(lines),
  }
}

export const jsonl = (records: readonly unknown[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('')

export function put(path: string, content: string | Uint8Array): string {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
  return path
}
export const append = (path: string, content: string | Uint8Array): void => appendFileSync(path, content)

export interface Kept {
  handle: string
  kind: string
  session: string
  sessions: string[]
  project: string | null
  ts: number | null
  role: string | null
  tool: string | null
  goal: string | null
  text: string
  data: Json
  indexed: boolean
  settled: boolean
  position: number
  pointer: {
    file: string
    line: number
    byteOffset: number
    byteLength: number
    recordId: string | null
    hash: string
  }
}

/** The journal's items in the order of their sessions. */
export function items(db: WriteDb): Kept[] {
  return [...dumpLines(db)]
    .map((line) => JSON.parse(line) as Kept)
    .sort((a, b) => a.session.localeCompare(b.session) || a.position - b.position)
}

export const dump = (db: WriteDb): string => [...dumpLines(db)].join('\n')

export const contextOf = (db: WriteDb, options: JournalOptions = {}): JournalContext =>
  journalContext(db, {
    salt: 'salt',
    projectOf: (cwd) => cwd.split('/').at(-1) ?? null,
    afterWrite: (handle, sessions) => void updateArcs(handle, sessions),
    ...options,
  })

export function openJournal(options: JournalOptions = {}): { db: WriteDb; journal: JournalContext } {
  const db = temporaryDb()
  return { db, journal: contextOf(db, options) }
}

/** Enrols a path and brings it up to date. */
export function ingest(
  journal: JournalContext,
  path: string,
  options: { perFile?: boolean; format?: Agent } = {},
): Promise<RunReport> {
  const source = enrol(journal, { path, ...(options.format ? { format: options.format } : {}) })
  return ingestSources(journal, [source], { perFile: options.perFile ?? false })
}

/** Everything that must hold of any journal, whatever was read. */
export function brokenInvariants(db: WriteDb): string[] {
  const count = (sql: string): number => db.get<{ n: number }>(sql)?.n ?? 0
  const wrong: string[] = []
  const files = db.all<{ path: string; read: number; sum: number; dropped: string }>(
    'SELECT path, read, used + attached + duplicates + errors AS sum, dropped FROM files',
  )
  for (const file of files) {
    const dropped = Object.values(JSON.parse(file.dropped) as Record<string, number>)
    const sum = file.sum + dropped.reduce((total, n) => total + n, 0)
    if (sum !== file.read) wrong.push(`${file.path}: ${file.read} read, ${sum} accounted for`)
  }
  const checks: Record<string, string> = {
    'items without an index row':
      'SELECT count(*) AS n FROM items WHERE id NOT IN (SELECT rowid FROM items_fts)',
    'index rows without an item':
      'SELECT count(*) AS n FROM items_fts WHERE rowid NOT IN (SELECT id FROM items)',
    'items attached to their own session':
      'SELECT count(*) AS n FROM items i JOIN item_sessions s ON s.item_id = i.id AND s.session_id = i.session_id',
    'items whose file nobody names':
      "SELECT count(*) AS n FROM items WHERE file_path = '' AND file_id IS NULL",
    'indexed items that wait for no vector':
      'SELECT count(*) AS n FROM items WHERE indexed = 1 AND id NOT IN (SELECT item_id FROM embed_queue)',
    'goals that are nowhere':
      'SELECT count(*) AS n FROM items WHERE goal_handle IS NOT NULL AND goal_handle NOT IN (SELECT handle FROM items)',
    'sessions waiting to be settled': 'SELECT count(*) AS n FROM settle_queue',
    'items in no arc': 'SELECT count(*) AS n FROM items WHERE arc_id IS NULL',
    'errors counted but not listed':
      'SELECT (SELECT coalesce(sum(errors), 0) FROM files) - (SELECT count(*) FROM file_errors) AS n',
  }
  for (const [name, sql] of Object.entries(checks)) {
    const n = count(sql)
    if (n !== 0) wrong.push(`${name}: ${n}`)
  }
  return wrong
}
