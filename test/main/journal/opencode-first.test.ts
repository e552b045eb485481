import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../support'
import { opencodeDatabase, opencodeFirst, opencodeSession, said, T0, tool } from './opencode-support'
import { brokenInvariants, dump, ingest, items, type Json, openJournal } from './transcripts'

// opencode to mid-2025: the parts of a message stand inside its file.

const at = (n: number): number => T0 + n * 1000
const call = (id: string, toolName: string, args: Json, result: string | null = ''): Json => ({
  type: 'tool-invocation',
  toolInvocation: {
    state: result === null ? 'call' : 'result',
    toolCallId: id,
    toolName,
    args,
    ...(result === null ? {} : { result }),
  },
})
const MESSAGES: Json[] = [
  {
    id: 'msg_01',
    role: 'user',
    parts: [{ type: 'text', text: 'sort the names' }],
    metadata: { time: { created: at(1) }, tool: {} },
  },
  {
    id: 'msg_02',
    role: 'assistant',
    parts: [
      { type: 'step-start' },
      { type: 'reasoning', text: 'hm' },
      { type: 'text', text: 'I sort them.' },
      call('c1', 'opencode_bash', { command: 'sort names' }, 'ann\nbob'),
      call('c2', 'bash', { command: 'make' }, 'no rule'),
      call('c3', 'edit', { filePath: '/srv/shop/a.ts', oldString: 'x', newString: 'y' }, 'not found'),
      { type: 'source-url', sourceId: 's', url: 'https://example.org' },
      { type: 'text', text: 'Sorted.' },
    ],
    metadata: {
      time: { created: at(2), completed: at(9) },
      assistant: { modelID: 'm', path: { cwd: '/srv/shop', root: '/srv/shop' }, system: ['be brief'] },
      tool: {
        c1: { title: 'sort', time: { start: at(3), end: at(4) } },
        c2: { title: 'make', exit: 2, time: { start: at(5), end: at(6) } },
        c3: { error: true, message: 'not found', title: 'edit', time: { start: at(7), end: at(8) } },
      },
    },
  },
]

test('parts inside of a message are read like parts of their own', async () => {
  const root = join(temporaryFolder(), 'opencode')
  opencodeFirst(root, 'ses_f1', MESSAGES)
  const { db, journal } = openJournal()
  const report = await ingest(journal, root)
  expect(brokenInvariants(db)).toEqual([])
  const all = items(db)
  expect(all.map(({ kind, text }) => [kind, text])).toEqual([
    ['goal', 'sort the names'],
    ['note', 'I sort them.'],
    ['note', expect.stringContaining('opencode_bash')],
    ['command', '$ make'],
    ['error', '$ make\nno rule'],
    ['file_op', 'Edit /srv/shop/a.ts\n-x\n+y'],
    ['error', 'Edit /srv/shop/a.ts\nnot found'],
    ['conclusion', 'Sorted.'],
  ])
  expect(all.map(({ ts }) => ts)).toEqual([1, 2, 3, 5, 5, 7, 7, 2].map(at))
  expect(new Set(all.map(({ project }) => project))).toEqual(new Set(['shop']))
  expect(report.records).toMatchObject({ read: 11, used: 6, errors: 0 })
  expect(report.records.dropped).toEqual({ message: 2, turn: 1, thinking: 1, 'unknown: source-url': 1 })
})

test('a message that is written again as it grows leads to the same journal', async () => {
  const whole = openJournal()
  const one = join(temporaryFolder(), 'opencode')
  opencodeFirst(one, 'ses_f1', MESSAGES)
  await ingest(whole.journal, one)

  const [asked, answered] = MESSAGES as [Json, Json]
  const parts = answered.parts as Json[]
  const { completed: _, ...time } = (answered.metadata as { time: Json }).time
  const { db, journal } = openJournal()
  const root = one
  for (let n = 0; n <= parts.length; n++) {
    const running = parts.slice(0, n).map((part, i) =>
      i === n - 1 && part.type === 'tool-invocation'
        ? {
            ...part,
            toolInvocation: { ...(part.toolInvocation as Json), state: 'call', result: undefined },
          }
        : part,
    )
    const metadata = { ...(answered.metadata as Json), time }
    opencodeFirst(root, 'ses_f1', [asked, { ...answered, parts: running, metadata }])
    await ingest(journal, root)
  }
  opencodeFirst(root, 'ses_f1', MESSAGES)
  await ingest(journal, root)
  expect(brokenInvariants(db)).toEqual([])
  expect(dump(db)).toBe(dump(whole.db))
})

test('odd parts, and a call without its metadata, cost themselves only', async () => {
  const root = join(temporaryFolder(), 'opencode')
  opencodeFirst(root, 'ses_f1', [
    MESSAGES[0] as Json,
    {
      id: 'msg_02',
      role: 'assistant',
      parts: [null, 7, {}, { type: 'tool-invocation' }, call('c9', 'read', { filePath: '/srv/a.ts' }, null)],
      metadata: { time: { created: at(2), completed: at(3) }, tool: null },
    },
  ])
  const { db, journal } = openJournal()
  const report = await ingest(journal, root)
  expect(items(db).map(({ text }) => text)).toEqual(['sort the names', 'Read /srv/a.ts'])
  expect(report.records).toMatchObject({ read: 8, errors: 0 })
  expect(brokenInvariants(db)).toEqual([])
})

test('the list of to-dos beside a session tells nothing that its calls did not tell', async () => {
  const s = opencodeSession()
  s.user('plan the export')
  s.agent(
    tool('todowrite', { todos: [{ content: 'Write it', status: 'pending', id: '1' }] }),
    said('Planned.'),
  )
  const path = join(temporaryFolder(), 'opencode.db')
  const own = opencodeDatabase(path)
  own.all(s.session)
  const { db, journal } = openJournal()
  await ingest(journal, path)
  const before = dump(db)
  expect(items(db).map(({ kind }) => kind)).toEqual(['goal', 'plan', 'conclusion'])
  own.db.prepare('INSERT INTO todo VALUES (?, ?, ?, ?)').run(s.session.id, 'Write it', 'pending', 0)
  own.db.close()
  await ingest(journal, path)
  expect(dump(db)).toBe(before)
})
