import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
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

// Hand-made records of Cursor's agent transcripts: who spoke and what was called; no ids, no times, no results.

const ID = '0b6d1f52-9a34-4c1e-8f77-3a2b1c0d9e8f'
const FILE = join('srv-my-shop', 'agent-transcripts', ID, `${ID}.jsonl`)

const user = (text: string): Json => ({
  role: 'user',
  message: { content: [{ type: 'text', text: `<user_query>\n${text}\n</user_query>` }] },
})
const agent = (...content: Json[]): Json => ({ role: 'assistant', message: { content } })
const text = (words: string): Json => ({ type: 'text', text: words })
const call = (name: string, input: Json): Json => ({ type: 'tool_use', name, id: `tool_${name}`, input })
const ended = (status = 'success'): Json => ({ type: 'turn_ended', status })

async function read(lines: readonly Json[], name = FILE): Promise<{ all: Kept[]; dropped: Json }> {
  const { db, journal } = openJournal()
  const path = put(join(temporaryFolder(), name), jsonl(lines))
  const report = await ingest(journal, path, { perFile: true })
  expect(report.perFile?.[0]?.format).toBe('cursor')
  expect(brokenInvariants(db)).toEqual([])
  const all = items(db)
  for (const item of all) itemData[item.kind as keyof typeof itemData].parse(item.data)
  return { all, dropped: report.records.dropped }
}
const told = (all: readonly Kept[]): string[][] => all.map((item) => [item.kind, item.text])

test('a turn: the request, what was done for it, the closing statement', async () => {
  const { all, dropped } = await read([
    user('add a licence header to every file'),
    agent(text('I look at the files.'), call('Glob', { glob_pattern: '**/*.ts' })),
    agent(call('Read', { path: '/srv/shop/a.ts' })),
    agent(call('StrReplace', { path: '/srv/shop/a.ts', old_string: 'x', new_string: 'y\nz' })),
    agent(call('Shell', { command: 'npm test', description: 'Run the tests' })),
    agent(text('All files have it now.')),
    ended(),
  ])
  expect(told(all)).toEqual([
    ['goal', 'add a licence header to every file'],
    ['note', 'I look at the files.'],
    ['file_op', 'Glob **/*.ts in .'],
    ['file_op', 'Read /srv/shop/a.ts'],
    ['file_op', 'Edit /srv/shop/a.ts\n-x\n+y\n+z'],
    ['command', '# Run the tests\n$ npm test'],
    ['conclusion', 'All files have it now.'],
  ])
  expect(all[4]?.data).toEqual({ path: '/srv/shop/a.ts', op: 'edit', added: 2, removed: 1 })
  expect(new Set(all.map((item) => item.goal))).toEqual(new Set([all[0]?.handle]))
  expect(new Set(all.map((item) => item.session))).toEqual(new Set([`cursor:${ID}`]))
  expect(dropped).toEqual({ turn: 1 })
})

test('what the editor puts around a request is no request, and says when and where', async () => {
  const { all } = await read([
    {
      role: 'user',
      message: {
        content: [
          text(
            '<user_info>\nOS Version: linux\n\nWorkspace Path: /srv/my.shop\n</user_info>\n<rules>\nBe kind.\n</rules>',
          ),
          text(
            '<timestamp>Saturday, Mar 7, 2026, 3:04 PM (UTC-8)</timestamp>\n<user_query>\nsort the names\n</user_query>\n<system_reminder>be brief</system_reminder>',
          ),
        ],
      },
    },
    {
      role: 'user',
      message: { content: '<open_and_recently_viewed_files>\na.ts\n</open_and_recently_viewed_files>' },
    },
    { role: 'user', message: { content: 'yes please' } },
  ])
  expect(told(all)).toEqual([
    ['goal', 'sort the names'],
    ['note', 'yes please'],
  ])
  expect(all[0]).toMatchObject({ project: 'my.shop', ts: Date.parse('2026-03-07T23:04:00Z') })
})

test('the project is the folder the workspace names, never the slug', async () => {
  const root = temporaryFolder()
  const { db, journal } = openJournal()
  put(join(root, FILE), jsonl([user('sort the names')]))
  put(join(root, 'srv-my-shop', '.workspace-trusted'), JSON.stringify({ workspacePath: '/srv/my-shop' }))
  const other = join('srv-a-b', 'agent-transcripts', 'other.jsonl')
  put(join(root, other), jsonl([user('count the names')]))
  await ingest(journal, root)
  expect(items(db).map((item) => [item.text, item.project])).toEqual([
    ['sort the names', 'my-shop'],
    ['count the names', null],
  ])
})

test('plans, to-do lists, patches, sub-agents and questions; bookkeeping and Fovea itself are no items', async () => {
  const { all, dropped } = await read([
    user('plan the export'),
    agent(call('CreatePlan', { name: 'Export', overview: 'o', plan: '1. Write it\n2. Test it' })),
    agent(
      call('TodoWrite', { todos: [{ id: '1', content: 'Write it', status: 'in_progress' }], merge: false }),
    ),
    agent(
      call('ApplyPatch', {
        patch:
          '*** Begin Patch\n*** Add File: a.ts\n+one\n*** Update File: b.ts\n-two\n+three\n*** End Patch',
      }),
    ),
    agent(call('Task', { description: 'Look around', prompt: 'Find it', subagent_type: 'explore' })),
    agent(call('AskQuestion', { questions: [] })),
    agent(call('ReadLints', { paths: [] })),
    agent(call('CallMcpTool', { server: 'fovea', toolName: 'search', arguments: {} })),
    agent({ type: 'thinking', thinking: 'hm' }, text('[REDACTED]')),
  ])
  expect(told(all)).toEqual([
    ['goal', 'plan the export'],
    ['plan', '# Export\n\n1. Write it\n2. Test it'],
    ['plan', '- [>] Write it'],
    ['file_op', 'Write a.ts\n+one'],
    ['file_op', 'Edit b.ts\n-two\n+three'],
    ['note', 'Task (explore): Look around\nFind it'],
  ])
  expect(all[1]?.data).toMatchObject({ gate: { toolUseId: 'tool_CreatePlan' } })
  expect(dropped).toEqual({ question: 1, bookkeeping: 1, fovea: 1, thinking: 1 })
})

test('a sub-agent belongs to the session that started it, and inherits its goal', async () => {
  const root = temporaryFolder()
  const { db, journal } = openJournal()
  put(
    join(root, FILE),
    jsonl([user('find the leak'), agent(call('Task', { description: 'Look', prompt: 'p' }))]),
  )
  const side = FILE.replace(`${ID}.jsonl`, join('subagents', 'c1.jsonl'))
  put(join(root, side), jsonl([user('Look for leaks'), agent(text('There is one in a.ts.'))]))
  await ingest(journal, root)
  const all = items(db)
  const goal = all.find((item) => item.kind === 'goal')
  const side1 = all.find((item) => item.session === 'cursor:c1')
  expect(all.filter((item) => item.kind === 'goal')).toHaveLength(1)
  expect(side1).toMatchObject({ text: 'There is one in a.ts.', goal: goal?.handle })
})

test('one session under the old and the new name counts once', async () => {
  const root = temporaryFolder()
  const { db, journal } = openJournal()
  const lines = jsonl([user('sort the names'), agent(text('Sorted.')), ended(), user('and count them')])
  put(join(root, FILE), lines)
  put(join(root, 'srv-my-shop', 'agent-transcripts', `${ID}.jsonl`), lines)
  const report = await ingest(journal, root)
  expect(told(items(db))).toEqual([
    ['goal', 'sort the names'],
    ['conclusion', 'Sorted.'],
    ['goal', 'and count them'],
  ])
  expect(report.records).toMatchObject({ read: 8, used: 3, duplicates: 3, dropped: { turn: 2 } })
})

test('equal words said again are told again, and an aborted turn has no conclusion', async () => {
  const { all } = await read([
    user('run it'),
    agent(text('Running.'), call('Shell', { command: 'make' })),
    agent(text('Running.'), call('Shell', { command: 'make' })),
    agent(text('It is still running.')),
    { type: 'turn_ended', status: 'error', error: 'The connection was lost.' },
    user('run it'),
    agent(text('Running.')),
  ])
  expect(told(all)).toEqual([
    ['goal', 'run it'],
    ['note', 'Running.'],
    ['command', '$ make'],
    ['note', 'Running.'],
    ['command', '$ make'],
    ['note', 'It is still running.'],
    ['error', 'The connection was lost.'],
    // Sent again, word for word: it is said once more, and the goal that stands is the same.
    ['note', 'run it'],
    ['conclusion', 'Running.'],
  ])
})

test('records and fields nobody foresaw cost themselves only', async () => {
  const { db, journal } = openJournal()
  const path = join(temporaryFolder(), FILE)
  const strange = [
    { role: 'user', message: null },
    { role: 'assistant', message: { content: 7 } },
    { role: 'tool', message: { content: 'x' } },
    { type: 'brand_new', data: 1 },
    {
      role: 'assistant',
      message: { content: [null, 'plain', { type: 'tool_use', name: null, id: 'a' }, { type: 'odd' }] },
    },
    { role: 'assistant', message: { content: [{ type: 'tool_use', id: 'a', name: 'Read', input: null }] } },
    {
      role: 'assistant',
      message: { content: [{ type: 'tool_use', id: 'a', name: 'Shell', input: { command: 7 } }] },
    },
    { role: 'system', message: { content: 'You are' } },
  ]
  put(path, jsonl([user('sort the names'), ...strange, agent(text('Sorted.'))]))
  const report = await ingest(journal, path)
  expect(told(items(db))).toEqual([
    ['goal', 'sort the names'],
    ['note', 'plain'],
    ['conclusion', 'Sorted.'],
  ])
  expect(report.records).toMatchObject({
    read: 10,
    used: 3,
    errors: 2,
    dropped: { 'unknown: tool': 1, 'unknown: brand_new': 1, empty: 2, system: 1 },
  })
  expect(brokenInvariants(db)).toEqual([])
})

test('a growing session read in any pieces gives the journal of one go, byte for byte', async () => {
  const root = temporaryFolder()
  const lines: Json[] = []
  for (let n = 0; n < 8; n++) {
    lines.push(user(n % 3 === 2 ? 'yes, go on' : `build part ${n % 4} héllo 😀`))
    lines.push(agent(text('Working on it.'), call('Shell', { command: `make ${n % 2}` })))
    lines.push(agent(call('Read', { path: 'a.ts' })), agent(text(`Part ${n} is done.`)))
    if (n % 2) lines.push(ended())
  }
  const bytes = Buffer.from(jsonl(lines))
  const path = join(root, FILE)
  const whole = openJournal()
  put(path, bytes)
  await ingestSources(whole.journal, [enrol(whole.journal, { path: root })])
  const expected = dump(whole.db)
  expect(items(whole.db)).toHaveLength(8 * 5)
  const cuts = fc.array(fc.integer({ min: 0, max: bytes.length }), { minLength: 1, maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(cuts, async (places) => {
      const { db, journal } = openJournal()
      put(path, '')
      let at = 0
      for (const cut of [...places].sort((a, b) => a - b).concat(bytes.length)) {
        append(path, bytes.subarray(at, cut))
        at = cut
        await ingest(journal, root)
      }
      expect(brokenInvariants(db)).toEqual([])
      expect(dump(db)).toBe(expected)
    }),
    { numRuns: 15 * Number(process.env.FOVEA_SOAK ?? 1) },
  )
}, 60_000)
