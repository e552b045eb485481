import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../support'
import { brokenInvariants, dump, ingest, items, type Json, openJournal, put } from './transcripts'

const TASK = '1767225600000'
const details = '\n\n<environment_details>\n# Current Mode\nACT MODE\n</environment_details>'
const user = (...texts: string[]): Json => ({
  role: 'user',
  content: [...texts, details].map((text) => ({ type: 'text', text })),
})
const assistant = (text: string): Json => ({ role: 'assistant', content: [{ type: 'text', text }] })

const API: Json[] = [
  user('<task>\nadd a licence file\n</task>'),
  assistant(
    '<thinking>Which one?</thinking>\n\nI look first.\n\n<list_files>\n<path>.</path>\n</list_files>',
  ),
  user("[list_files for '.'] Result:", 'README.md'),
  assistant('<plan_mode_respond>\n<response># Plan\n\nWrite MIT.</response>\n</plan_mode_respond>'),
  user('[The user has switched to ACT MODE, so you may now proceed with the task.]'),
  assistant(
    '<write_to_file>\n<path>LICENSE</path>\n<content>\nMIT <path>kept</path>\n</content>\n</write_to_file>',
  ),
  user("[write_to_file for 'LICENSE'] Result:", 'The content was successfully saved to LICENSE.'),
  assistant('<execute_command>\n<command>npm test</command>\n</execute_command>'),
  user(
    "[execute_command for 'npm test'] Result:\nThe tool execution failed with the following error:\n<error>boom</error>",
  ),
  assistant('<execute_command>\n<command>rm -rf build</command>\n</execute_command>'),
  user(
    'The user denied this operation and provided the following feedback:\n<feedback>\nkeep the build\n</feedback>',
  ),
  assistant('<attempt_completion>\n<result>\nThe licence is there.\n</result>\n</attempt_completion>'),
  user('<feedback>\nnow write a changelog\n</feedback>'),
  assistant('<attempt_completion>\n<result>\nWritten.\n</result>\n</attempt_completion>'),
]
const say = (n: number, kind: string, text: string, extra: Json = {}): Json => ({
  ts: Number(TASK) + n * 1000,
  type: 'say',
  say: kind,
  text,
  ...extra,
})
const UI: Json[] = [
  say(0, 'text', 'add a licence file'),
  say(1, 'api_req_started', '{"request":"…"}'),
  say(2, 'text', 'I look first.'),
  say(2, 'text', 'I look', { partial: true }),
  {
    ts: Number(TASK) + 3000,
    type: 'ask',
    ask: 'plan_mode_respond',
    text: '{"response":"# Plan\\n\\nWrite MIT.","options":[]}',
  },
  say(9, 'completion_result', 'The licence is there.HAS_CHANGES'),
  say(10, 'user_feedback', 'now write a changelog'),
  say(11, 'completion_result', 'Written.'),
]

async function read(files: Record<string, Json[]>) {
  const root = temporaryFolder()
  for (const [name, value] of Object.entries(files)) put(join(root, TASK, name), JSON.stringify(value))
  const { db, journal } = openJournal()
  const report = await ingest(journal, root, { perFile: true })
  expect(brokenInvariants(db)).toEqual([])
  return { db, journal, root, report, kept: items(db) }
}

describe('Cline and Roo', () => {
  test('a task: requests, tags, results, refusals and the plan that was approved', async () => {
    const { kept } = await read({ 'api_conversation_history.json': API })
    expect(kept.map((item) => [item.kind, item.text.split('\n')[0]])).toEqual([
      ['goal', 'add a licence file'],
      ['note', 'I look first.'],
      ['file_op', 'LS .'],
      ['plan', '# Plan'],
      ['decision', 'Approved the plan “Plan”'],
      ['file_op', 'Write LICENSE'],
      ['command', '$ npm test'],
      ['error', "[execute_command for 'npm test'] Result:"],
      ['command', '$ rm -rf build'],
      ['decision', 'Sent back $ rm -rf build: keep the build'],
      ['conclusion', 'The licence is there.'],
      ['goal', 'now write a changelog'],
      ['conclusion', 'Written.'],
    ])
    expect(kept.find((item) => item.text.startsWith('Write'))?.text).toContain('MIT <path>kept</path>')
    expect(kept.find((item) => item.text.startsWith('$ npm'))?.data).toMatchObject({ failed: true })
    expect(kept[0]?.ts).toBe(Number(TASK))
    const plan = kept.find((item) => item.kind === 'plan')
    expect(plan?.data.gate).toEqual({ toolUseId: kept[4]?.data.toolUseId })
  })

  test('blocks of the API serve like tags', async () => {
    const { kept } = await read({
      'api_conversation_history.json': [
        user('<task>run it</task>'),
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 't1', name: 'execute_command', input: { command: 'make' } }],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'built' }] },
      ],
    })
    expect(kept.map((item) => item.text)).toEqual(['run it', '$ make\nbuilt'])
  })

  test('the two files of a task tell the same and count once, in whichever order they come', async () => {
    const one = await read({ 'api_conversation_history.json': API })
    const both = await read({ 'api_conversation_history.json': API, 'ui_messages.json': UI })
    expect(both.kept.map((item) => item.handle)).toEqual(one.kept.map((item) => item.handle))
    expect(both.report.sessions).toBe(1)
    expect(
      both.report.perFile?.find((file) => file.file.endsWith('ui_messages.json'))?.records,
    ).toMatchObject({
      read: 8,
      used: 0,
      duplicates: 6,
      dropped: { progress: 1, partial: 1 },
    })
    const { db, journal, root } = await read({ 'ui_messages.json': UI })
    expect(items(db).map((item) => item.kind)).toEqual([
      'goal',
      'note',
      'plan',
      'conclusion',
      'goal',
      'conclusion',
    ])
    put(join(root, TASK, 'api_conversation_history.json'), JSON.stringify(API))
    await ingest(journal, root)
    const pointers = (text: string): string => text.replaceAll(root, '').replaceAll(both.root, '')
    expect(pointers(dump(db))).toBe(pointers(dump(both.db)))
  })

  test('an array cut by a kill gives every whole message and one error', async () => {
    const { db, journal, root } = await read({ 'api_conversation_history.json': API })
    const before = items(db).map((item) => item.handle)
    const text = JSON.stringify(API)
    put(join(root, TASK, 'api_conversation_history.json'), text.slice(0, text.length - 30))
    const report = await ingest(journal, root, { perFile: true })
    expect(report.perFile?.[0]?.records).toMatchObject({ read: API.length, errors: 1 })
    expect(report.errors[0]?.reason).toContain('ends inside the array')
    expect(items(db).map((item) => item.handle)).toEqual(before)
  })
})
