import { describe, expect, test } from 'vitest'
import { facultyStore, LiveAttention } from '../../../src/main/journal'
import { LIVE_MS } from '../../../src/main/journal/live-attention'
import { handleOf, journal, T0 } from '../gates/support'

const MINUTE = 60_000
const A = 'claude-code:a'
const B = 'claude-code:b'

function room(listening = true) {
  const { db } = journal()
  let now = T0
  let position = 0
  const put = (session: string, kind: string, data: object = {}, parent: string | null = null): string => {
    position += 1
    now += 1000
    const handle = handleOf(`item ${position}`)
    db.run(
      `INSERT INTO sessions (id, native_id, agent, project, started_at, ended_at, parent_id)
       VALUES (?, ?, 'claude-code', 'shop', ?, ?, ?) ON CONFLICT (id) DO NOTHING`,
      [session, session, now, now, parent],
    )
    db.run(
      `INSERT INTO items (handle, kind, session_id, position, ts, project, text, chars, data, file_path, line,
         byte_offset, byte_length, record_hash) VALUES (?, ?, ?, ?, ?, 'shop', 'x', 1, ?, '/t', 1, 0, 1, 'h')`,
      [handle, kind, session, position, now, JSON.stringify(data)],
    )
    return handle
  }
  const live = () =>
    new LiveAttention(
      db,
      () => now,
      () => listening,
    )
  const pending = (session: string) =>
    facultyStore(db)
      .pending(`${session}.attention`)
      .map(({ kind, handle }) => [kind, handle])
  return {
    db,
    put,
    live,
    pending,
    wait: (ms: number) => {
      now += ms
    },
  }
}

describe('the faculty of a live session', () => {
  test('hears a failing command, the person, an opened gate, and nothing of what went well', () => {
    const { put, live, pending } = room()
    const goal = put(A, 'goal')
    const attention = live()
    attention.changed([A])
    put(A, 'command', { command: 'ls', failed: false })
    const failed = put(A, 'command', { command: 'npm test', failed: true })
    const gate = put(A, 'plan', { gate: { toolUseId: 't' } })
    put(A, 'plan', { todo: true })
    attention.changed([A])
    expect(pending(A)).toEqual([
      ['mention', goal],
      ['failing-command', failed],
      ['gate-opened', gate],
    ])
  })

  test('hears of a finished sub-agent and of another session at the same file', () => {
    const { put, live, pending } = room()
    const attention = live()
    put(A, 'file_op', { path: '/p/a.ts', op: 'edit' })
    attention.changed([A])
    const done = put('claude-code:sub', 'conclusion', {}, A)
    const touched = put(B, 'file_op', { path: '/p/a.ts', op: 'write' })
    put(B, 'file_op', { path: '/p/a.ts', op: 'read' })
    put(B, 'file_op', { path: '/p/other.ts', op: 'edit' })
    attention.changed(['claude-code:sub', B])
    expect(pending(A)).toEqual([
      ['sub-agent-finished', done],
      ['shared-file', touched],
    ])
  })

  test('hears a command once that is known to have failed later, also when it printed why', () => {
    const { db, put, live, pending } = room()
    const attention = live()
    const ran = ['npm test', 'npm test', 'make'].map((command) =>
      put(A, 'command', { command, failed: false }),
    )
    attention.changed([A])
    expect(pending(A)).toEqual([])
    db.run("UPDATE item_rows SET data = json_set(data, '$.failed', json('true')) WHERE kind = 'command'")
    for (const command of ['npm test', 'npm test', 'make']) put(A, 'error', { tool: 'Bash', command })
    const edit = put(A, 'error', { tool: 'Edit', path: '/p/a.ts' })
    attention.changed([A])
    live().changed([A])
    expect(pending(A)).toEqual([...ran, edit].map((handle) => ['failing-command', handle]))
  })

  test('hears nothing twice, however often it is told and through a restart', () => {
    const { put, live, pending } = room()
    put(A, 'goal')
    live().changed([A])
    const failed = put(A, 'error')
    for (let i = 0; i < 3; i++) live().changed([A])
    expect(pending(A)).toHaveLength(2)
    expect(pending(A)[1]).toEqual(['failing-command', failed])
  })

  test('is closed when its session has gone quiet, also when another run bore it', () => {
    const { db, put, live, wait } = room()
    put(A, 'goal')
    live().changed([A])
    wait(2 * LIVE_MS + MINUTE)
    put(B, 'goal')
    const later = live()
    later.changed([B])
    expect(db.all('SELECT parent FROM faculties')).toEqual([{ parent: B }])
    expect(later.size).toBe(1)
  })

  test('is not born for old transcripts, nor while interrupts are off', () => {
    const old = room()
    old.put(A, 'goal')
    old.wait(LIVE_MS + MINUTE)
    old.live().changed([A])
    expect(old.db.all('SELECT id FROM faculties')).toEqual([])
    const off = room(false)
    off.put(A, 'goal')
    off.live().changed([A])
    expect(off.db.all('SELECT id FROM faculties')).toEqual([])
  })
})
