import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../support'
import { begin, ID, kinds, ofKind, read } from './codex-support'
import { rollout } from './rollouts'
import { ingest, items, jsonl, openJournal, put } from './transcripts'

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
