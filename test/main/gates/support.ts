import { createHash } from 'node:crypto'
import type { GateDeps, NewGate } from '../../../src/main/gates'
import { base32 } from '../../../src/main/gates/deps'
import { noEmbedder } from '../../../src/main/models'
import type { WriteDb } from '../../../src/main/store'
import { temporaryDb } from '../../support'

export const T0 = Date.UTC(2026, 0, 20, 9)
const MINUTE = 60_000

/** A handle as the journal makes them, from any name. */
export function handleOf(name: string): string {
  return `itm_${base32(createHash('sha256').update(name).digest()).slice(0, 26)}`
}

export const hashOf = (plan: string): string => createHash('sha256').update(plan.trim(), 'utf8').digest('hex')

interface Item {
  name: string
  kind: 'goal' | 'plan' | 'decision' | 'image'
  text: string
  data: object
  session?: string
  project?: string
  goal?: string
  line?: number
  /** Minutes after the first. */
  at?: number
}

/** A journal with sessions and items as the journal room writes them, and deps over it. */
export function journal(embedder: GateDeps['embedder'] = noEmbedder('no model in this test')) {
  const db = temporaryDb()
  let now = T0 + 24 * 60 * MINUTE
  let byte = 0
  const deps: GateDeps = {
    read: db,
    write: db,
    embedder,
    clock: () => now,
    redact: (text) => text.replaceAll('hunter2', '[secret:password:0a1b]'),
    random: () => {
      byte += 1
      return new Uint8Array(16).fill(byte)
    },
  }
  let position = 0
  const add = (item: Item): void => {
    position += 1
    insertItem(db, item, position)
  }
  return {
    db,
    deps,
    add,
    tick: (minutes: number) => {
      now += minutes * MINUTE
    },
    setNow: (time: number) => {
      now = time
    },
    /** A plan at its agent's gate and the result it got. */
    plan: (tool: string, text: string, result: Partial<Item> & { verdict: string; words?: string }): void => {
      const { verdict, words = '', ...where } = result
      add({
        name: `plan ${tool}`,
        kind: 'plan',
        text,
        data: { gate: { toolUseId: tool }, planHash: hashOf(text) },
        ...where,
        goal: where.goal,
      })
      const data = { of: 'plan', toolUseId: tool, verdict, words }
      add({
        name: `result ${tool}`,
        kind: 'decision',
        text: words || verdict,
        data,
        ...where,
        line: (where.line ?? 2) + 1,
      })
    },
  }
}

function insertItem(db: WriteDb, item: Item, position: number): void {
  const session = item.session ?? 'claude-code:s1'
  const project = item.project ?? 'shop'
  const ts = T0 + (item.at ?? position) * MINUTE
  db.run(
    `INSERT INTO sessions (id, native_id, agent, project, started_at, ended_at) VALUES (?, ?, 'claude-code', ?, ?, ?)
     ON CONFLICT (id) DO NOTHING`,
    [session, session, project, ts, ts],
  )
  db.run(
    `INSERT INTO items (handle, kind, session_id, position, ts, project, goal_handle, text, chars, data, file_path,
       record_id, line, byte_offset, byte_length, record_hash)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 10, 'h')`,
    [
      handleOf(item.name),
      item.kind,
      session,
      position,
      ts,
      project,
      item.goal ? handleOf(item.goal) : null,
      item.text,
      item.text.length,
      JSON.stringify(item.data),
      `/t/${session.replace(/\W/g, '-')}.jsonl`,
      `rec-${item.name}`,
      item.line ?? position,
    ],
  )
}

export const PLAN = '# Move invoices\n1. Migrate the table.\n2. Run the tests.'
export const gate = (more: Partial<NewGate> = {}): NewGate => ({
  text: PLAN,
  state: 'PLAN_ASSERT',
  upstream: [],
  question: '',
  origin: 'cli',
  ...more,
})
export const decide = (
  id: string,
  action: 'approve' | 'correct' | 'reject' | 'revise-plan' | 'refine-intent',
  notes = '',
) => ({ id, action, notes, via: 'cli' as const })
export const blind = (id: string) => ({ id, engine: 'case' as const, reveal: false })
