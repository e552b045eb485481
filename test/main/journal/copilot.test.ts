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

// Hand-made Copilot CLI events: the frame of a real one, with content of our own.

const SESSION = '3f0f8a52-6c1e-4c3a-9a51-1f2e3d4c5b6a'

function events(session = SESSION) {
  const lines: Json[] = []
  let n = 0
  const add = (type: string, data: Json, extra: Json = {}): Json => {
    n++
    const id = `${session}-${n}`
    const timestamp = new Date(Date.parse('2026-06-22T10:00:00Z') + n * 1000).toISOString()
    const record = { type, data, id, timestamp, parentId: n === 1 ? null : `${session}-${n - 1}`, ...extra }
    lines.push(record)
    return record
  }
  return {
    lines,
    add,
    start: () =>
      add('session.start', {
        sessionId: session,
        version: 1,
        producer: 'copilot-agent',
        context: { cwd: '/srv/shop', branch: 'main', repository: 'ann/shop' },
      }),
    user: (content: string, extra: Json = {}) => add('user.message', { content, ...extra }),
    said: (content: string, requests: Json[] = [], extra: Json = {}) =>
      add('assistant.message', { messageId: `m${n}`, content, toolRequests: requests, ...extra }),
    did: (toolCallId: string, toolName: string, args: unknown, result: Json) => {
      add('assistant.message', {
        messageId: `m${n}`,
        content: '',
        toolRequests: [{ toolCallId, name: toolName, arguments: args, type: 'function' }],
      })
      add('tool.execution_start', { toolCallId, toolName, arguments: args })
      add('tool.execution_complete', { toolCallId, success: true, ...result })
    },
  }
}
type Events = ReturnType<typeof events>
const ID = 'toolu_0123456789abcdef'

async function read(s: Events | readonly Json[]) {
  const { db, journal } = openJournal()
  const root = temporaryFolder()
  const path = put(join(root, SESSION, 'events.jsonl'), jsonl('lines' in s ? s.lines : s))
  const report = await ingest(journal, path, { perFile: true })
  expect(report.perFile?.[0]?.format).toBe('copilot-cli')
  expect(brokenInvariants(db)).toEqual([])
  const all = items(db)
  for (const item of all) itemData[item.kind as keyof typeof itemData].parse(item.data)
  return { all, report, db, dropped: report.records.dropped }
}
const kinds = (all: readonly Kept[]): string[] => all.map((item) => item.kind)

function begin(): Events {
  const s = events()
  s.start()
  s.user('export the invoices as CSV')
  return s
}

describe('Copilot CLI', () => {
  test('requests, prose, commands and the closing statement', async () => {
    const s = begin()
    s.add('assistant.turn_start', { turnId: '0' })
    s.said('I look for the exporter.')
    s.did(
      ID,
      'bash',
      { command: 'rg exporter', description: 'Find it' },
      {
        result: { content: 'src/export.ts\n<exited with exit code 0>' },
      },
    )
    s.said('It writes CSV now.', [], { reasoningText: 'secret thoughts' })
    s.add('assistant.turn_end', { turnId: '0' })
    s.add('session.shutdown', { shutdownType: 'routine', modelMetrics: {} })
    const { all, db, report } = await read(s)
    expect(kinds(all)).toEqual(['goal', 'note', 'command', 'conclusion'])
    expect(all[2]).toMatchObject({
      text: '# Find it\n$ rg exporter\nsrc/export.ts',
      data: { command: 'rg exporter', failed: false, exitCode: 0 },
      tool: 'bash',
      settled: true,
    })
    expect(new Set(all.map((item) => item.goal))).toEqual(new Set([all[0]?.handle]))
    expect(report.records).toMatchObject({ used: 4, attached: 2, errors: 0 })
    expect(JSON.stringify(all)).not.toContain('secret thoughts')
    expect(db.get('SELECT id, project, cwd, git_branch FROM sessions')).toEqual({
      id: `copilot-cli:${SESSION}`,
      project: 'shop',
      cwd: '/srv/shop',
      git_branch: 'main',
    })
  })

  test('without a start the folder’s name is the session, and after a crash nothing is missing', async () => {
    const s = events('other')
    s.user('go on with the exporter')
    s.said('', [{ toolCallId: ID, name: 'view', arguments: '{"path":"/srv/shop/a.ts"}' }])
    const { all } = await read(s)
    expect(all.map((item) => [item.kind, item.session, item.settled])).toEqual([
      ['goal', `copilot-cli:${SESSION}`, true],
      ['file_op', `copilot-cli:${SESSION}`, false],
    ])
  })

  test('what skills, hooks and sub-agents say in the person’s name is no request', async () => {
    const s = begin()
    s.user('use this skill so and so', { source: 'skill-pdf' })
    s.user('look into the folder', { parentAgentTaskId: 't1' })
    s.add('user.message', { content: 'inner prompt' }, { agentId: 'a1' })
    s.user('<system-reminder>be brief</system-reminder>')
    const { all, dropped } = await read(s)
    expect(kinds(all)).toEqual(['goal'])
    expect(dropped).toMatchObject({ injected: 2, 'subagent-prompt': 2 })
  })

  test('edits count their lines, a patch is one edit a file', async () => {
    const s = begin()
    const edit = { path: '/srv/shop/a.ts', old_str: 'a', new_str: 'b\nc' }
    s.did(`${ID}1`, 'edit', edit, { result: { content: 'File updated' } })
    s.did(`${ID}2`, 'create', { path: '/srv/shop/b.ts', file_text: 'x\ny' }, { result: { content: 'ok' } })
    const patch = '*** Begin Patch\n*** Update File: c.ts\n-a\n+b\n*** Update File: d.ts\n+e\n*** End Patch'
    s.did(`${ID}3`, 'apply_patch', { input: patch }, { result: 'Done' })
    const { all } = await read(s)
    expect(all.filter((item) => item.kind === 'file_op').map((item) => item.data)).toEqual([
      { path: '/srv/shop/a.ts', op: 'edit', added: 2, removed: 1 },
      { path: '/srv/shop/b.ts', op: 'write', added: 2 },
      { path: 'c.ts', op: 'edit', added: 1, removed: 1 },
      { path: 'd.ts', op: 'edit', added: 1, removed: 0 },
    ])
  })

  test('failures, refusals and answers', async () => {
    const s = begin()
    const failed = { content: '1 failed\n<shellId: 0 completed with exit code 1>' }
    s.did(`${ID}1`, 'bash', { command: 'npm test' }, { result: failed })
    s.did(
      `${ID}2`,
      'bash',
      { command: 'rm -r build' },
      {
        success: false,
        error: {
          code: 'rejected',
          message: 'The user rejected this tool call. User feedback: keep the build',
        },
      },
    )
    s.did(
      `${ID}3`,
      'bash',
      { command: 'curl x' },
      {
        success: false,
        error: { code: 'denied', message: 'Permission denied by rule' },
      },
    )
    s.did(
      `${ID}4`,
      'ask_user',
      { question: 'Which database?', choices: ['a', 'b'] },
      {
        result: { content: 'User selected: SQLite' },
      },
    )
    const { all } = await read(s)
    expect(all.slice(1).map((item) => [item.kind, item.text])).toEqual([
      ['command', '$ npm test'],
      ['error', '$ npm test\n1 failed'],
      ['command', '$ rm -r build'],
      ['decision', 'Sent back $ rm -r build: keep the build'],
      ['command', '$ curl x'],
      ['error', '$ curl x\nPermission denied by rule'],
      ['decision', 'Which database? → SQLite'],
    ])
    expect(all[4]?.data).toMatchObject({ of: 'tool', verdict: 'refused', words: 'keep the build' })
  })

  test('a plan put to the person is a gate with its decision', async () => {
    const s = begin()
    const plan = { summary: '- export\n- test', actions: ['interactive'] }
    s.did(`${ID}1`, 'exit_plan_mode', plan, {
      result: { content: 'The plan was not approved. User feedback: add a header row' },
    })
    s.said('', [{ toolCallId: `${ID}2`, name: 'exit_plan_mode', arguments: plan }])
    s.add('exit_plan_mode.requested', { requestId: 'r', planContent: '# Export\n\n1. header', summary: '-' })
    s.add('tool.execution_complete', {
      toolCallId: `${ID}2`,
      success: true,
      result: { content: 'Plan approved! Exited plan mode.\n\nYou are now in interactive mode.' },
    })
    const { all } = await read(s)
    expect(all.slice(1).map((item) => [item.kind, item.text])).toEqual([
      ['plan', '- export\n- test'],
      ['decision', 'Sent back the plan “- export”: add a header row'],
      ['plan', '# Export\n\n1. header'],
      ['decision', 'Approved the plan “Export”'],
    ])
    const [, first, no, second, yes] = all
    expect(no?.data).toMatchObject({ of: 'plan', verdict: 'refused', words: 'add a header row' })
    expect(yes?.data).toMatchObject({ of: 'plan', verdict: 'approve', words: '' })
    expect([first?.data.gate, second?.data.gate]).toEqual([
      { toolUseId: no?.data.toolUseId },
      { toolUseId: yes?.data.toolUseId },
    ])
  })

  test('unknown events are counted by their type', async () => {
    const s = begin()
    s.add('session.dance', { x: 1 })
    s.add('robot.message', {})
    const { dropped } = await read(s)
    expect(dropped).toMatchObject({ 'unknown: session.dance': 1, 'unknown: robot.message': 1 })
  })

  test('pieces cut at arbitrary bytes give the same journal as one go', async () => {
    const s = begin()
    s.said('I look.')
    const plan = { summary: '- export' }
    s.said('', [{ toolCallId: `${ID}9`, name: 'exit_plan_mode', arguments: plan }])
    s.add('exit_plan_mode.requested', { requestId: 'r', planContent: '# Export\n\n1. header' })
    s.add('tool.execution_complete', { toolCallId: `${ID}9`, result: { content: 'Plan approved!' } })
    for (let n = 0; n < 4; n++) {
      s.said(`Part ${n} héllo 😀`, [
        { toolCallId: `${ID}-${n}a`, name: 'bash', arguments: { command: `make ${n}` } },
        {
          toolCallId: `${ID}-${n}b`,
          name: 'edit',
          arguments: { path: `${n}.ts`, old_str: 'a', new_str: 'b' },
        },
        { toolCallId: `${ID}-${n}c`, name: 'ask_user', arguments: { question: `why ${n}?` } },
      ])
      s.add('tool.execution_complete', {
        toolCallId: `${ID}-${n}a`,
        success: n !== 1,
        result: { content: 'x' },
      })
      s.add('tool.execution_complete', { toolCallId: `${ID}-${n}c`, result: { content: 'because' } })
      s.add('tool.execution_complete', { toolCallId: `${ID}-${n}b`, result: { content: 'done' } })
      s.said(`Part ${n} is done.`)
      s.user(n % 2 ? 'write the next part too' : 'yes')
    }
    const bytes = Buffer.from(jsonl(s.lines))
    const path = join(temporaryFolder(), SESSION, 'events.jsonl')
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
      { numRuns: 12 },
    )
  })
})
