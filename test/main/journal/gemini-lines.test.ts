import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { enrol, ingestSources, itemData } from '../../../src/main/journal'
import { temporaryFolder } from '../../support'
import {
  append,
  brokenInvariants,
  dump,
  ingest,
  items,
  type Json,
  jsonl,
  type Kept,
  openJournal,
  put,
} from './transcripts'

// Hand-made records of a Gemini CLI session that grows.

const SESSION = '7c1f0a3e-5b2d-4e8f-9a61-2d4c8b0e6f13'
const header = (extra: Json = {}): Json => ({
  sessionId: SESSION,
  projectHash: 'f'.repeat(64),
  startTime: '2026-09-28T10:00:00.000Z',
  lastUpdated: '2026-09-28T10:00:00.000Z',
  kind: 'main',
  ...extra,
})
let clock = 0
const message = (id: string, type: string, content: unknown, extra: Json = {}): Json => ({
  id,
  timestamp: new Date(Date.parse('2026-09-28T10:00:00Z') + ++clock * 1000).toISOString(),
  type,
  content,
  ...extra,
})
const call = (
  id: string,
  name: string,
  args: Json,
  status: string,
  output?: string,
  extra: Json = {},
): Json => ({
  id,
  name,
  args,
  status,
  ...(output === undefined ? {} : { result: [{ functionResponse: { id, name, response: { output } } }] }),
  ...extra,
})

async function read(lines: readonly Json[], name = join('chats', 'session-1.jsonl')) {
  const { db, journal } = openJournal()
  const path = put(join(temporaryFolder(), name), jsonl(lines))
  const report = await ingest(journal, path, { perFile: true })
  expect(report.perFile?.[0]?.format).toBe('gemini-cli')
  expect(brokenInvariants(db)).toEqual([])
  const all = items(db)
  for (const item of all) itemData[item.kind as keyof typeof itemData].parse(item.data)
  return { all, report, db, dropped: report.records.dropped }
}
const told = (all: readonly Kept[]) => all.map((item) => [item.kind, item.text])

describe('Gemini CLI sessions that grow', () => {
  test('a message told again is the same message, with what it has grown by', async () => {
    const ls = { command: 'ls' }
    const { all, report } = await read([
      header(),
      message('u1', 'user', [{ text: 'list the files' }]),
      message('g1', 'gemini', '', { toolCalls: [call('c1', 'run_shell_command', ls, 'executing')] }),
      message('g1', 'gemini', '', {
        toolCalls: [call('c1', 'run_shell_command', ls, 'success', 'Output: a.txt\nExit Code: 0')],
      }),
      message('g2', 'gemini', 'Two'),
      message('g2', 'gemini', 'Two files.', { tokens: { total: 5 } }),
      message('g2', 'gemini', 'Two files.', { tokens: { total: 9 } }),
    ])
    expect(told(all)).toEqual([
      ['goal', 'list the files'],
      ['command', '$ ls\na.txt'],
      ['conclusion', 'Two files.'],
    ])
    expect(all[1]).toMatchObject({
      data: { failed: false, exitCode: 0 },
      settled: true,
      pointer: { line: 3 },
    })
    expect(report.records).toMatchObject({ used: 3, attached: 2, dropped: { header: 1, repeated: 1 } })
    expect(all[0]?.session).toBe(`gemini-cli:${SESSION}`)
  })

  test('prose in front of a call is a note, and the prompt’s own text counts, not the files it names', async () => {
    const { all } = await read([
      header(),
      message('u1', 'user', [
        { text: 'explain @a.ts' },
        { text: '--- Content from referenced files ---' },
        { text: 'BODY' },
      ]),
      message('g1', 'gemini', 'Let me look.', {
        thoughts: [{ subject: 'x', description: 'hidden' }],
        toolCalls: [call('c1', 'read_file', { file_path: 'a.ts' }, 'success', 'text')],
      }),
      message('g2', 'gemini', [{ text: 'hidden', thought: true }, { text: 'It adds.' }]),
    ])
    expect(told(all)).toEqual([
      ['goal', 'explain @a.ts'],
      ['note', 'Let me look.'],
      ['file_op', 'Read a.ts'],
      ['conclusion', 'It adds.'],
    ])
  })

  test('a patch of messages is the model’s context: copies with new ids say nothing new, what is new counts', async () => {
    const first = message('u1', 'user', [{ text: 'first question' }])
    const { all, dropped } = await read([
      header(),
      { $set: { messages: [message('s0', 'user', [{ text: '<session_context>\nToday' }])] } },
      first,
      message('g1', 'gemini', 'first answer'),
      message('i1', 'info', 'Chat history compressed'),
      {
        $set: {
          messages: [
            message('x1', 'user', [{ text: '<state_snapshot>SUMMARY</state_snapshot>' }]),
            message('x2', 'gemini', [{ text: 'Got it. Thanks for the additional context!' }]),
            { ...first, id: 'x3' },
          ],
        },
      },
      { $set: { messages: [], lastUpdated: '2026-09-28T11:00:00Z' } },
      message('u2', 'user', [{ text: 'write the second part' }]),
    ])
    expect(told(all)).toEqual([
      ['goal', 'first question'],
      ['conclusion', 'first answer'],
      ['goal', 'write the second part'],
    ])
    expect(dropped).toMatchObject({ info: 1 })
  })

  test('a session told by patches alone is there all the same', async () => {
    const u = message('u1', 'user', [{ text: 'rename the button' }])
    const g = message('g1', 'gemini', 'Renamed.')
    const { all, report } = await read([
      header(),
      { $set: { messages: [u] } },
      { $set: { messages: [u, g], directories: ['/srv/shop'], summary: 'Buttons' } },
      { $set: { messages: [u, g, message('u2', 'user', [{ text: 'now rename the form' }])] } },
    ])
    expect(told(all)).toEqual([
      ['goal', 'rename the button'],
      ['conclusion', 'Renamed.'],
      ['goal', 'now rename the form'],
    ])
    expect(report.records).toMatchObject({ used: 3, errors: 0 })
    expect(all[0]?.project).toBe('shop')
  })

  test('a rewind keeps what was said and gives the goal back', async () => {
    const { all, dropped, db } = await read([
      header(),
      message('u1', 'user', 'build the exporter'),
      message('g1', 'gemini', 'Built.'),
      message('u2', 'user', 'delete the importer'),
      message('g2', 'gemini', 'Deleted.'),
      { $rewindTo: 'u2' },
      message('g3', 'gemini', 'The exporter stays.'),
    ])
    expect(told(all).map(([kind]) => kind)).toEqual(['goal', 'conclusion', 'goal', 'note', 'conclusion'])
    expect(all.at(-1)?.goal).toBe(all[0]?.handle)
    const off = db.all<{ handle: string }>('SELECT handle FROM items WHERE rewound = 1')
    expect(off.map((row) => row.handle).sort()).toEqual([all[2]?.handle, all[3]?.handle].sort())
    expect(dropped).toMatchObject({ rewind: 1 })
  })

  test('refused calls, failed ones, answers and plans', async () => {
    const questions = [{ question: 'Which database?' }]
    const { all } = await read([
      header(),
      message('u1', 'user', 'clean up'),
      message('g1', 'gemini', '', {
        toolCalls: [
          call('c1', 'run_shell_command', { command: 'rm -r build' }, 'cancelled'),
          call('c2', 'read_file', { file_path: 'x' }, 'error', undefined, {
            result: [{ functionResponse: { response: { error: 'ENOENT: no such file' } } }],
          }),
          call('c3', 'ask_user', { questions }, 'success', '{"answers":{"0":"SQLite"}}'),
          call(
            'c4',
            'exit_plan_mode',
            { plan_path: '/p/a.md' },
            'success',
            'Plan rejected. User feedback: shorter',
          ),
          call('c5', 'exit_plan_mode', { plan_path: '/p/a.md' }, 'success', 'Plan approved. Switching'),
        ],
      }),
    ])
    expect(told(all).slice(1)).toEqual([
      ['command', '$ rm -r build'],
      ['decision', 'Stopped at $ rm -r build'],
      ['file_op', 'Read x'],
      ['error', 'Read x\nENOENT: no such file'],
      ['decision', 'Which database? → SQLite'],
      ['plan', ''],
      ['decision', 'Sent back the plan /p/a.md: shorter'],
      ['plan', ''],
      ['decision', 'Approved the plan /p/a.md'],
    ])
  })

  test('a sub-agent has its parent, and its prompt is no request of the person', async () => {
    const child = { ...header(), sessionId: 'sub-1', kind: 'subagent' }
    const { all, db, dropped } = await read(
      [child, message('u1', 'user', 'look into a.ts'), message('g1', 'gemini', 'It adds.')],
      join('chats', SESSION, 'sub-1.jsonl'),
    )
    expect(told(all)).toEqual([['conclusion', 'It adds.']])
    expect(db.get('SELECT id, parent_id FROM sessions')).toEqual({
      id: 'gemini-cli:sub-1',
      parent_id: `gemini-cli:${SESSION}`,
    })
    expect(dropped).toMatchObject({ 'subagent-prompt': 1 })
  })

  test('the project is what lies beside the sessions, never the folder’s name', async () => {
    const root = join(temporaryFolder(), 'shop-3')
    put(join(root, '.project_root'), '/srv/shop\n')
    put(join(root, 'chats', 's.jsonl'), jsonl([header(), message('u1', 'user', 'rename the button')]))
    const { db, journal } = openJournal()
    await ingest(journal, root)
    expect(items(db).map((item) => item.project)).toEqual(['shop'])
    const without = await read([header(), message('u1', 'user', 'rename the button')])
    expect(without.all[0]?.project).toBeNull()
  })

  test('records of unknown shapes are counted and cost nothing else', async () => {
    const { all, dropped, report } = await read([
      header(),
      { something: 'else' },
      message('m1', 'mystery', 'x'),
      { id: 7, type: 'user', content: 'no id' } as Json,
      message('u1', 'user', 'still here'),
    ])
    expect(told(all)).toEqual([['goal', 'still here']])
    expect(dropped).toMatchObject({ 'unknown: something': 1, 'unknown: mystery': 1, 'unknown: user': 1 })
    expect(report.records.errors).toBe(0)
  })

  test('pieces cut at arbitrary bytes give the same journal as one go', async () => {
    const lines: Json[] = [header()]
    const all: Json[] = []
    for (let n = 0; n < 4; n++) {
      const u = message(`u${n}`, 'user', n % 2 ? 'yes' : `change part ${n}, héllo 😀`)
      const g = (text: string, status: string, output?: string): Json =>
        message(`g${n}`, 'gemini', text, {
          toolCalls: [call(`c${n}`, 'run_shell_command', { command: `make ${n}` }, status, output)],
        })
      const done = message(`d${n}`, 'gemini', `Part ${n} is done.`)
      all.push(u, done)
      lines.push(u, g('', 'executing'), g(`I make ${n}`, 'success', `Output: ok\nExit Code: ${n % 2}`))
      lines.push(message(`d${n}`, 'gemini', `Part ${n}`), done, { $set: { messages: [...all] } })
      if (n === 2) lines.push({ $rewindTo: 'u2' })
    }
    const bytes = Buffer.from(jsonl(lines))
    const path = join(temporaryFolder(), 'chats', 'session-1.jsonl')
    const whole = openJournal()
    put(path, bytes)
    await ingest(whole.journal, path)
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(bytes.length), { maxLength: 12 }), async (cuts) => {
        const { db, journal } = openJournal()
        put(path, '')
        const source = enrol(journal, { path })
        let from = 0
        for (const to of [...cuts.sort((a, b) => a - b), bytes.length]) {
          append(path, bytes.subarray(from, to))
          from = Math.max(from, to)
          await ingestSources(journal, [source])
        }
        expect(brokenInvariants(db)).toEqual([])
        expect(dump(db)).toBe(dump(whole.db))
      }),
      { numRuns: 15 },
    )
  })
})
