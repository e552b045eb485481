import { takeTurn } from '../../../src/main/gates'
import { newReceiptId, type RecallPorts } from '../../../src/main/hydration'
import { type Receipts, wrap } from '../../../src/main/journal'
import { countTokens, noEmbedder } from '../../../src/main/models'
import { type ReadDb, receiptSql, settingsSql, traceSql } from '../../../src/main/store'
import { FacultySettings, Trace } from '../../../src/shared/attention'
import { TurnRequest, type TurnResult } from '../../../src/shared/turn'
import { temporaryDb } from '../../support'
import { handleOf, T0 } from './support'

export const A = 'claude-code:aaaaaaaa-1111'
export const B = 'claude-code:bbbbbbbb-2222'
export const SUB = 'claude-code:cccccccc-3333'

const MINUTE = 60_000

interface Put {
  session?: string
  kind: string
  text?: string
  data?: object
  parent?: string
  project?: string
}

/** The receipts that this database knows, for `strip`. */
export const receiptsIn = (db: ReadDb): Receipts => ({
  known: (receipt, chars) => receiptSql.wasWrapped(db, receipt, chars),
  kept: () => {},
})

/** A journal of live sessions, and turns over it. Every item is a minute after the one before. */
export function liveRoom(settings: Partial<FacultySettings> = {}) {
  const db = temporaryDb()
  let now = T0
  let position = 0
  const ports: RecallPorts = {
    read: db,
    write: db,
    embedder: noEmbedder('no model in this test'),
    clock: () => now,
    receiptId: newReceiptId,
    wrap,
    countTokens,
  }
  const set = (more: Partial<FacultySettings>): void =>
    settingsSql.writeMeta(
      db,
      'settings',
      JSON.stringify({ faculty: { ...FacultySettings.parse({}), ...more } }),
    )
  set(settings)
  const put = ({ session = A, kind, text = 'x', data = {}, parent, project = 'shop' }: Put): string => {
    position += 1
    now += MINUTE
    const handle = handleOf(`item ${position}`)
    db.run(
      `INSERT INTO sessions (id, native_id, agent, project, git_branch, started_at, ended_at, parent_id)
       VALUES (?, ?, 'claude-code', ?, 'main', ?, ?, ?) ON CONFLICT (id) DO UPDATE SET ended_at = excluded.ended_at`,
      [session, session.split(':')[1] ?? '', project, now, now, parent ?? null],
    )
    db.run(
      `INSERT INTO items (handle, kind, session_id, position, ts, project, text, chars, data, file_path, line,
         byte_offset, byte_length, record_hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, '/t', 1, 0, 1, 'h')`,
      [handle, kind, session, position, now, project, text, text.length, JSON.stringify(data)],
    )
    return handle
  }
  const name = (handle: string, kind: string, value: string): void => {
    db.run("INSERT OR IGNORE INTO entities (kind, name, project) VALUES (?, ?, 'shop')", [kind, value])
    db.run(
      `INSERT INTO item_entities (item_id, entity_id, weight) VALUES
         ((SELECT id FROM items WHERE handle = ?), (SELECT id FROM entities WHERE kind = ? AND name = ?), 1)`,
      [handle, kind, value],
    )
  }
  return {
    db,
    ports,
    put,
    name,
    set,
    wait: (ms: number) => {
      now += ms
    },
    turn: (request: Partial<TurnRequest> = {}): Promise<TurnResult> =>
      takeTurn(ports, TurnRequest.parse({ session: A, ...request })),
    traceOf: ({ trace }: Pick<TurnResult, 'trace'>): Trace =>
      Trace.parse(JSON.parse(traceSql.traceById(db, trace)?.body ?? '')),
  }
}

export type LiveRoom = ReturnType<typeof liveRoom>

/** A session in the middle of its work, with everything around it that may have something to say. */
export function busy(
  room: LiveRoom,
): Record<'pinned' | 'failed' | 'result' | 'shared' | 'plan' | 'old', string> {
  const { put } = room
  const old = put({
    session: 'claude-code:dddddddd-4444',
    kind: 'conclusion',
    text: 'The webhook retry was moved into a queue.',
  })
  const pinned = put({
    session: 'claude-code:dddddddd-4444',
    kind: 'decision',
    text: 'Never retry a payment twice.',
  })
  room.db.run("INSERT INTO feedback (handle, verdict, given_at) VALUES (?, 'pin', ?)", [pinned, T0])
  put({ kind: 'goal', text: 'Make the webhook retry idempotent' })
  const plan = put({
    kind: 'plan',
    text: '# Idempotent retry\n- Add a key\n- Run the tests',
    data: { gate: { toolUseId: 't' } },
  })
  put({ kind: 'file_op', data: { path: '/p/retry.ts', op: 'edit', added: 3, removed: 1 } })
  const failed = put({
    kind: 'command',
    text: '$ npm test\nboom',
    data: { command: 'npm test', failed: true, exitCode: 1 },
  })
  put({ session: SUB, parent: A, kind: 'goal', text: 'Find every caller of retry()' })
  const result = put({
    session: SUB,
    parent: A,
    kind: 'conclusion',
    text: 'There are two callers: pay.ts and hook.ts.',
  })
  put({ session: B, kind: 'goal', text: 'Rename the retry module' })
  const shared = put({ session: B, kind: 'file_op', data: { path: '/p/retry.ts', op: 'write' } })
  return { pinned, failed, result, shared, plan, old }
}
