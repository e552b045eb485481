import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { itemData } from '../../../src/main/journal'
import { temporaryFolder } from '../../support'
import { type Rollout, rollout } from './rollouts'
import { brokenInvariants, ingest, items, type Json, jsonl, type Kept, openJournal, put } from './transcripts'

const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAADCAIAAAA2iEnWAAAAFElEQVR4nGP8z8DAwMDAxMDAwMDAAAANHQEDasKb6QAAAABJRU5ErkJggg=='
const ID = 'call_0123456789abcdefgh'

async function read(s: Rollout | readonly Json[], name?: string) {
  const { db, journal } = openJournal()
  const lines = 'lines' in s ? s.lines : s
  const path = put(join(temporaryFolder(), name ?? 'rollout.jsonl'), jsonl(lines))
  const report = await ingest(journal, path, { perFile: true })
  expect(brokenInvariants(db)).toEqual([])
  expect(report.perFile?.[0]?.format).toBe('codex')
  const all = items(db)
  for (const item of all) itemData[item.kind as keyof typeof itemData].parse(item.data)
  return { all, report, db, dropped: report.records.dropped }
}
const kinds = (all: readonly Kept[]): string[] => all.map((item) => item.kind)
const ofKind = (all: readonly Kept[], kind: string): Kept[] => all.filter((item) => item.kind === kind)

function begin(options: Parameters<typeof rollout>[1] = {}): Rollout {
  const s = rollout(1, options)
  s.meta()
  return s
}

describe('speech told twice', () => {
  test('a prompt and an answer are one item each, with and without ids of turns', async () => {
    for (const turns of [true, false]) {
      const s = begin({ turns })
      s.turn()
      s.user('export the invoices as CSV')
      s.said('I look for the exporter.')
      s.call(ID, 'exec_command', { cmd: 'rg exporter' })
      s.output(ID, 'Process exited with code 0\nOutput:\nsrc/export.ts')
      s.said('The exporter writes CSV now.')
      s.done()
      const { all, report } = await read(s)
      expect(kinds(all)).toEqual(['goal', 'note', 'command', 'conclusion'])
      expect(all[0]?.text).toBe('export the invoices as CSV')
      expect(new Set(all.map((item) => item.goal))).toEqual(new Set([all[0]?.handle]))
      expect(all.every((item) => item.settled)).toBe(true)
      // Three of the doubles: two answers, and the prompt the event has claimed waits as attached.
      expect(report.records).toMatchObject({ duplicates: 2, errors: 0 })
    }
  })

  test('the same words said again are said again', async () => {
    const s = begin({ turns: false })
    for (const text of ['fix the test', 'fix the test', 'yes', 'yes']) {
      s.user(text)
      s.said('Done.')
    }
    const { all } = await read(s)
    expect(kinds(all)).toEqual([
      'goal',
      'conclusion',
      'goal',
      'conclusion',
      'note',
      'conclusion',
      'note',
      'conclusion',
    ])
  })

  test('where no event tells the prompt, what the model was given counts', async () => {
    const s = begin()
    s.turn()
    const text = 'rename the button'
    s.add('response_item', { type: 'message', role: 'user', content: [{ type: 'input_text', text }] })
    s.said('Renamed.')
    const { all } = await read(s)
    expect(kinds(all)).toEqual(['goal', 'conclusion'])
    expect(all[1]?.goal).toBe(all[0]?.handle)
  })

  test('paginated files tell speech as completed items', async () => {
    const s = begin({ ordinals: true })
    const turn_id = s.turn()
    s.add('response_item', {
      type: 'message',
      role: 'user',
      content: [{ type: 'input_text', text: 'Fix the parser' }],
    })
    const user = { type: 'UserMessage', id: 'u1', content: [{ type: 'text', text: 'Fix the parser' }] }
    s.event('item_completed', { turn_id, item: user })
    const agent = { type: 'AgentMessage', id: 'a1', content: [{ type: 'Text', text: 'Fixed it' }] }
    s.event('item_completed', { turn_id, item: { ...agent, phase: 'final_answer' } })
    s.add('response_item', {
      type: 'message',
      role: 'assistant',
      content: [{ type: 'output_text', text: 'Fixed it' }],
    })
    s.done()
    const { all } = await read(s)
    expect(all.map((item) => [item.kind, item.text])).toEqual([
      ['goal', 'Fix the parser'],
      ['conclusion', 'Fixed it'],
    ])
  })

  test('a picture in the prompt is one image, however often it is told', async () => {
    const s = begin()
    s.turn()
    const url = `data:image/png;base64,${PNG}`
    s.add('response_item', {
      type: 'message',
      role: 'user',
      content: [
        { type: 'input_text', text: '<image name=[Image #1]>' },
        { type: 'input_image', image_url: url },
        { type: 'input_text', text: '</image>' },
        { type: 'input_text', text: 'what is wrong in [Image #1]?' },
      ],
    })
    s.event('user_message', { message: 'what is wrong in [Image #1]?', images: [url] })
    s.said('The border.')
    const { all } = await read(s)
    expect(kinds(all)).toEqual(['image', 'goal', 'conclusion'])
    expect(JSON.stringify(all)).not.toContain(PNG.slice(0, 40))
  })
})

describe('machine text', () => {
  test('instructions, environment and what developers say never become a goal', async () => {
    const s = begin()
    const given = (text: string, role = 'user') =>
      s.add('response_item', { type: 'message', role, content: [{ type: 'input_text', text }] })
    given('<permissions instructions>\nnever\n</permissions instructions>', 'developer')
    s.add('response_item', {
      type: 'message',
      role: 'user',
      content: [
        {
          type: 'input_text',
          text: '# AGENTS.md instructions for /srv/shop\n\n<INSTRUCTIONS>be brief</INSTRUCTIONS>',
        },
        { type: 'input_text', text: '<environment_context>\n<cwd>/srv/shop</cwd>\n</environment_context>' },
      ],
    })
    given('<recommended_plugins>\nnone\n</recommended_plugins>')
    given('<skill>\n<name>deploy</name>\nhow to\n</skill>')
    s.turn()
    s.user('list the plugins')
    given('<turn_aborted>\nThe user interrupted the previous turn on purpose.\n</turn_aborted>')
    s.event('turn_aborted', { reason: 'interrupted' })
    const { all, dropped } = await read(s)
    expect(kinds(all)).toEqual(['goal'])
    expect(dropped).toMatchObject({ developer: 1, 'machine-text': 3, interruption: 2 })
  })

  test('a compaction repeats old messages, and none of it is new speech', async () => {
    const s = begin()
    s.turn()
    s.user('count the rows')
    s.said('Twelve.')
    s.done()
    const old = [
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'count the cells' }] },
    ]
    s.add('compacted', { message: 'The person counts things.', replacement_history: old })
    s.event('context_compacted')
    s.add('response_item', {
      type: 'message',
      role: 'user',
      content: [
        {
          type: 'input_text',
          text: 'Another language model started to solve this problem and produced a summary',
        },
      ],
    })
    const { all, dropped } = await read(s)
    expect(kinds(all)).toEqual(['goal', 'conclusion'])
    expect(dropped['compaction-summary']).toBe(3)
  })

  test('what an editor puts in front of a prompt is not part of it', async () => {
    const s = begin()
    s.turn()
    s.user(
      '# Context from my IDE setup:\n\n## Active file: a.ts\n\n## My request for Codex:\nsort the imports',
    )
    const { all } = await read(s)
    expect(all.map((item) => item.text)).toEqual(['sort the imports'])
  })

  test('encrypted thoughts are neither scanned nor kept', async () => {
    const s = begin()
    s.turn()
    s.user('think')
    const secret = `gAAAAA${'Qx7'.repeat(300)}`
    s.add('response_item', { type: 'reasoning', summary: [], content: null, encrypted_content: secret })
    const { all, report, dropped } = await read(s)
    expect(dropped.thinking).toBe(1)
    expect(report.masked).toBe(0)
    expect(JSON.stringify(all)).not.toContain('gAAAAA')
  })
})

describe('work', () => {
  async function ran(name: string, args: unknown, output: unknown) {
    const s = begin()
    s.turn()
    s.user('do it')
    s.call(ID, name, args)
    s.output(ID, output)
    const { all } = await read(s)
    return all.filter((item) => item.role !== 'user' || item.kind === 'decision')
  }

  test('commands of every age carry what was run, its exit code and its output', async () => {
    const old = JSON.stringify({ output: '3 passed', metadata: { exit_code: 0, duration_seconds: 1 } })
    const cases: [string, unknown, unknown][] = [
      ['shell', { command: ['bash', '-lc', 'npm test'] }, old],
      ['shell_command', { command: 'npm test' }, 'Exit code: 0\nWall time: 1.1 seconds\nOutput:\n3 passed'],
      [
        'exec_command',
        { cmd: 'npm test' },
        'Chunk ID: a1\nWall time: 1 s\nProcess exited with code 0\nOutput:\n3 passed',
      ],
    ]
    for (const [name, args, output] of cases) {
      const [command] = await ran(name, args, output)
      expect(command).toMatchObject({
        kind: 'command',
        text: '$ npm test\n3 passed',
        data: { command: 'npm test', failed: false, exitCode: 0 },
        tool: name,
      })
    }
  })

  test('a failing command is a failed command and an error', async () => {
    const found = await ran('exec_command', { cmd: 'npm test' }, 'Exit code: 1\nOutput:\n1 failed')
    expect(found.map((item) => [item.kind, item.text])).toEqual([
      ['command', '$ npm test'],
      ['error', '$ npm test\n1 failed'],
    ])
    expect(found[0]?.data).toMatchObject({ failed: true, exitCode: 1 })
  })

  test('a patch is an edit of each of its files, also when a shell applies it', async () => {
    const patch =
      '*** Begin Patch\n*** Update File: src/a.ts\n@@\n-old\n+new\n+more\n*** Add File: src/b.ts\n+x\n*** End Patch'
    for (const [name, args] of [
      ['apply_patch', patch],
      ['apply_patch', { input: patch }],
      ['shell', { command: ['apply_patch', patch] }],
      ['shell_command', { command: `apply_patch <<'EOF'\n${patch}\nEOF` }],
    ] as const) {
      const found = await ran(name, args, 'Success. Updated the following files:\nM src/a.ts')
      expect(found.map((item) => item.data)).toEqual([
        { path: 'src/a.ts', op: 'edit', added: 2, removed: 1 },
        { path: 'src/b.ts', op: 'write', added: 1, removed: 0 },
      ])
    }
  })

  test('a to-do list is a plan without a gate, a choice is a decision', async () => {
    const plan = [
      { step: 'read', status: 'completed' },
      { step: 'write', status: 'in_progress' },
    ]
    const [todo] = await ran('update_plan', { plan }, 'Plan updated')
    expect(todo).toMatchObject({ kind: 'plan', text: '- [x] read\n- [>] write', data: { todo: true } })
    const questions = [{ id: 'db', header: 'DB', question: 'Which database?', options: [] }]
    const answer = JSON.stringify({ answers: { db: { answers: ['SQLite', 'user_note: the small one'] } } })
    const [choice] = await ran('request_user_input', { questions }, answer)
    expect(choice).toMatchObject({
      kind: 'decision',
      data: { of: 'question', verdict: 'answered', words: 'Which database? → SQLite, the small one' },
    })
  })

  test('a call the person turned down is a decision, one that was cut off is not', async () => {
    const refused = await ran('exec_command', { cmd: 'rm -r build' }, 'exec command rejected by user')
    expect(kinds(refused)).toEqual(['command', 'decision'])
    expect(refused[1]?.data).toMatchObject({ of: 'tool', verdict: 'bare-stop', words: '' })
    const cut = await ran('exec_command', { cmd: 'sleep 9' }, 'Wall time: 6.4 seconds\naborted by user')
    expect(cut.map((item) => [item.kind, item.data.failed])).toEqual([['command', true]])
  })

  test('short call ids of other model servers do not tie two sessions together', async () => {
    const { db, journal } = openJournal()
    const folder = temporaryFolder()
    for (const n of [1, 2]) {
      const s = rollout(n)
      s.meta()
      s.turn()
      s.user(`task ${n}`)
      s.call('call_0', 'exec_command', { cmd: `echo ${n}` })
      s.output('call_0', 'Exit code: 0\nOutput:\nx')
      put(join(folder, `${n}.jsonl`), jsonl(s.lines))
    }
    await ingest(journal, folder)
    expect(ofKind(items(db), 'command').map((item) => item.data.command)).toEqual(['echo 1', 'echo 2'])
  })

  test('answers of Fovea itself never come back', async () => {
    const found = await ran('mcp__fovea__search', { query: 'x' }, 'old memory')
    expect(found).toEqual([])
  })
})

describe('the frame', () => {
  test('before September 2025 there was no envelope', async () => {
    const head = {
      id: 'old-session',
      timestamp: '2025-08-01T10:00:00Z',
      instructions: null,
      git: { branch: 'main' },
    }
    const message = (role: string, text: string) => ({
      type: 'message',
      role,
      content: [{ type: role === 'user' ? 'input_text' : 'output_text', text }],
    })
    const lines = [
      head,
      { record_type: 'state' },
      message('user', '<environment_context>\n<cwd>/srv/old</cwd>\n</environment_context>'),
      message('user', 'add a licence'),
      { type: 'function_call', name: 'shell', arguments: '{"command":["ls"]}', call_id: ID },
      { type: 'function_call_output', call_id: ID, output: '{"output":"a","metadata":{"exit_code":0}}' },
      message('assistant', 'Added.'),
      { record_type: 'state' },
    ]
    const { all, dropped } = await read(lines)
    expect(kinds(all)).toEqual(['goal', 'command', 'conclusion'])
    expect(all[0]?.session).toBe('codex:old-session')
    expect(dropped.settings).toBe(2)
  })

  test('a resumed session may state itself many times and is one session', async () => {
    const s = begin()
    s.turn()
    s.user('add a header')
    s.said('one')
    s.wait(86_400_000)
    for (let n = 0; n < 4; n++) s.meta({ timestamp: new Date(s.now()).toISOString() })
    s.turn()
    s.user('add a footer')
    const { all, db } = await read(s)
    expect(kinds(all)).toEqual(['goal', 'conclusion', 'goal'])
    expect(db.all('SELECT id, cwd, git_branch FROM sessions')).toEqual([
      { id: `codex:${s.id}`, cwd: '/srv/shop', git_branch: 'main' },
    ])
  })

  test('unknown records are counted by their type, and a flood of types under one name', async () => {
    const s = begin()
    s.turn()
    s.user('go')
    s.add('hologram', { x: 1 })
    s.event('brand_new_event')
    s.add('response_item', { type: 'telepathy' })
    s.add('no good name at all!', {})
    for (let n = 0; n < 40; n++) s.add(`kind_${n}`, {})
    const { dropped, report } = await read(s)
    expect(dropped).toMatchObject({
      'unknown: hologram': 1,
      'unknown: event_msg/brand_new_event': 1,
      'unknown: response_item/telepathy': 1,
      'unknown: without a type': 1,
    })
    expect(Object.keys(dropped).filter((reason) => reason.startsWith('unknown:')).length).toBeLessThanOrEqual(
      22,
    )
    expect(dropped['unknown: other']).toBe(23)
    expect(report.records.errors).toBe(0)
  })

  test('half an emoji and records of surprising shapes cost themselves only', async () => {
    const s = begin()
    s.turn()
    s.user('cut \ud83d here')
    s.add('response_item', { type: 'message', role: 'user', content: null })
    s.add('response_item', { type: 'function_call', name: 7, arguments: { a: 1 }, call_id: null })
    s.add('response_item', { type: 'function_call_output', call_id: 3, output: [null, 7] })
    s.event('user_message', { message: { deep: true } })
    s.said('still here')
    s.done()
    const { all } = await read(s)
    expect(all.filter((item) => item.role === 'user').map((item) => item.text)).toEqual(['cut \ufffd here'])
    expect(all.at(-1)).toMatchObject({ kind: 'conclusion', text: 'still here' })
  })

  test('a session is called by the name the person gave it', async () => {
    const s = begin()
    s.turn()
    s.user('go')
    s.event('thread_name_updated', { thread_name: 'Invoice export' })
    const { db } = await read(s)
    expect(db.get('SELECT title FROM sessions')).toEqual({ title: 'Invoice export' })
  })
})
