import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../support'
import { brokenInvariants, dump, ingest, items, type Json, openJournal, put } from './transcripts'

const at = (n: number): string => new Date(Date.parse('2026-01-10T02:00:00Z') + n * 1000).toISOString()
const user = (id: string, n: number, content: unknown): Json => ({
  id,
  timestamp: at(n),
  type: 'user',
  content,
})
const gemini = (id: string, n: number, content: string, toolCalls: Json[] = []): Json => ({
  id,
  timestamp: at(n),
  type: 'gemini',
  content,
  thoughts: [{ subject: 'Thinking', description: 'about it' }],
  model: 'm',
  ...(toolCalls.length > 0 ? { toolCalls } : {}),
})
const call = (name: string, args: Json, output: string, status = 'success'): Json => ({
  id: `${name}-1`,
  name,
  args,
  status,
  result: [
    {
      functionResponse: {
        id: `${name}-1`,
        name,
        response: status === 'error' ? { error: output } : { output },
      },
    },
  ],
})
const session = (messages: Json[]): string =>
  JSON.stringify(
    { sessionId: 'g-1', projectHash: 'ab', startTime: at(0), lastUpdated: at(9), messages, kind: 'main' },
    null,
    2,
  )

const MESSAGES = [
  user('m0', 0, '<session_context>\nToday is Monday\n</session_context>'),
  user('m1', 1, [{ text: 'add a colour file' }]),
  gemini('m2', 2, 'I write it.', [
    call('write_file', { file_path: 'docs/blue.md', content: '# Blue' }, 'ok'),
    call(
      'run_shell_command',
      { command: 'make', description: 'Build' },
      'Command: make\nDirectory: (root)\nOutput: no rule\nError: (none)\nExit Code: 2\nSignal: 0',
    ),
    call('read_file', { file_path: 'nowhere.md' }, 'File not found', 'error'),
    call('replace', { file_path: 'a.md', old_string: 'a', new_string: 'b' }, '', 'cancelled'),
  ]),
  { id: 'm3', timestamp: at(3), type: 'info', content: 'Update available' },
  gemini('m4', 4, 'The file is there.'),
]

describe('Gemini CLI sessions of one object', () => {
  test('messages, calls, failures and refusals become items', async () => {
    const root = temporaryFolder()
    put(join(root, 'session-1.json'), session(MESSAGES))
    const { db, journal } = openJournal()
    const report = await ingest(journal, root, { perFile: true })
    expect(items(db).map((item) => [item.kind, item.text.split('\n')[0]])).toEqual([
      ['goal', 'add a colour file'],
      ['note', 'I write it.'],
      ['file_op', 'Write docs/blue.md'],
      ['command', '# Build'],
      ['file_op', 'Read nowhere.md'],
      ['error', 'Read nowhere.md'],
      ['file_op', 'Edit a.md'],
      ['decision', 'Stopped at Edit a.md'],
      ['conclusion', 'The file is there.'],
    ])
    const command = items(db).find((item) => item.kind === 'command')
    expect([command?.text, command?.data]).toEqual([
      '# Build\n$ make\nno rule',
      { command: 'make', failed: true, exitCode: 2 },
    ])
    expect(new Set(items(db).map((item) => item.session))).toEqual(new Set(['gemini-cli:g-1']))
    expect(report.perFile?.[0]?.records).toMatchObject({
      read: 7,
      used: 3,
      errors: 0,
      dropped: { header: 2, injected: 1, info: 1 },
    })
    expect(brokenInvariants(db)).toEqual([])
  })

  test('rewritten whole at each turn, or cut by a crash and written again, it is one journal', async () => {
    const root = temporaryFolder()
    const path = join(root, 'session-1.json')
    const grown = openJournal()
    for (let n = 1; n <= MESSAGES.length; n++) {
      put(path, session(MESSAGES.slice(0, n)))
      await ingest(grown.journal, root)
      const text = session(MESSAGES.slice(0, n))
      put(path, text.slice(0, text.length - 150))
      const report = await ingest(grown.journal, root)
      expect(report.errors).toHaveLength(1)
    }
    put(path, session(MESSAGES))
    const report = await ingest(grown.journal, root, { perFile: true })
    expect(report.perFile?.[0]?.records.errors).toBe(0)
    const whole = openJournal()
    await ingest(whole.journal, root)
    expect(dump(grown.db)).toBe(dump(whole.db))
    expect(brokenInvariants(grown.db)).toEqual([])
  })

  test('a start without a word of the person leaves nothing behind', async () => {
    const root = temporaryFolder()
    put(
      join(root, 's.json'),
      session([{ id: 'w', timestamp: at(0), type: 'warning', content: 'Hook failed' }]),
    )
    const { db, journal } = openJournal()
    const report = await ingest(journal, root)
    expect([items(db), report.errors, db.all('SELECT id FROM sessions')]).toEqual([[], [], []])
  })
})
