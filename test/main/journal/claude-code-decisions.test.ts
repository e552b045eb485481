import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { itemData, projectOf, wrap } from '../../../src/main/journal'
import { temporaryFolder } from '../../support'
import {
  brokenInvariants,
  ingest,
  items,
  jsonl,
  type Kept,
  openJournal,
  put,
  type Scribe,
  scribe,
} from './transcripts'

const REFUSED =
  "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file)."
const STOP = ' STOP what you are doing and wait for the user to tell you how to proceed.'
const SAID = ' To tell you how to proceed, the user said:\n'

async function read(s: Scribe | string, name = 'S1.jsonl') {
  const { db, journal } = openJournal()
  const path = put(join(temporaryFolder(), name), typeof s === 'string' ? s : s.text())
  const report = await ingest(journal, path, { perFile: true })
  expect(brokenInvariants(db)).toEqual([])
  const all = items(db)
  for (const item of all) itemData[item.kind as keyof typeof itemData].parse(item.data)
  return { all, report, db, journal, path, dropped: report.records.dropped }
}
const kinds = (all: readonly Kept[]): string[] => all.map((item) => item.kind)

describe('decisions', () => {
  const plan = '# Move the tax\n\n1. Move it.'

  test('an approved plan, an approved empty plan, a plan sent back with words, and a bare stop', async () => {
    const s = scribe()
    s.user('plan it')
    s.call('p1', 'ExitPlanMode', { plan })
    s.result('p1', `${REFUSED}${SAID}keep the old name`, {
      isError: true,
      toolUseResult: 'User rejected tool use',
    })
    s.call('p2', 'ExitPlanMode', { plan })
    s.result('p2', `${REFUSED}${STOP}`, { isError: true, toolUseResult: 'User rejected tool use' })
    s.call('p3', 'ExitPlanMode', {})
    s.result('p3', 'User has approved exiting plan mode. You can now proceed.', {
      toolUseResult: { plan: null, filePath: '/p/x.md' },
    })
    s.call('p4', 'ExitPlanMode', {})
    s.result('p4', `User has approved your plan. You can now start coding.\n\n## Approved Plan:\n${plan}`, {
      toolUseResult: { plan: `${plan}\n2. Test.`, planWasEdited: true, filePath: '/p/y.md' },
    })
    const { all } = await read(s)
    const hash = (text: string): string => createHash('sha256').update(text).digest('hex')
    expect(
      all.filter((item) => item.kind === 'decision').map((item) => [item.pointer.line, item.data]),
    ).toEqual([
      [
        3,
        { of: 'plan', toolUseId: 'p1', tool: 'ExitPlanMode', verdict: 'refused', words: 'keep the old name' },
      ],
      [5, { of: 'plan', toolUseId: 'p2', tool: 'ExitPlanMode', verdict: 'bare-stop', words: '' }],
      [7, { of: 'plan', toolUseId: 'p3', tool: 'ExitPlanMode', verdict: 'approve', words: '' }],
      [9, { of: 'plan', toolUseId: 'p4', tool: 'ExitPlanMode', verdict: 'approve', words: '', edited: true }],
    ])
    expect(all.filter((item) => item.kind === 'plan').map((item) => [item.text, item.data])).toEqual([
      [plan, { gate: { toolUseId: 'p1' }, planHash: hash(plan) }],
      [plan, { gate: { toolUseId: 'p2' }, planHash: hash(plan) }],
      ['', { gate: { toolUseId: 'p3' }, planFile: '/p/x.md' }],
      [
        `${plan}\n2. Test.`,
        { gate: { toolUseId: 'p4' }, planFile: '/p/y.md', planHash: hash(`${plan}\n2. Test.`) },
      ],
    ])
  })

  test('"implement the following plan" is a goal that names the plan, with the key or by its text', async () => {
    const s = scribe()
    s.user(`Implement the following plan:\n\n${plan}\n`)
    s.user(`Implement the following plan:\n\n${plan}\n\nIf you need details, read the transcript.`, {
      planContent: plan,
    })
    const { all } = await read(s)
    const planHash = createHash('sha256').update(plan).digest('hex')
    expect(all.map((item) => [item.kind, item.data])).toEqual([
      ['goal', { implementsPlan: true, planHash }],
      ['goal', { implementsPlan: true, planHash }],
    ])
  })

  test('refused calls keep the person’s words; answers to questions keep both sides', async () => {
    const s = scribe()
    s.user('clean up')
    s.call('t1', 'Bash', { command: 'rm -r build' })
    s.result(
      't1',
      `${REFUSED}${SAID}not that folder\n\nNote: The user's next message may contain a correction`,
      { isError: true },
    )
    s.call('q1', 'AskUserQuestion', { questions: [{ question: 'Which one?' }] })
    s.result('q1', 'User has answered your questions: "Which one?"="The small one".', {
      toolUseResult: { answers: { 'Which one?': 'The small one' } },
    })
    s.call('q2', 'AskUserQuestion', { questions: [] })
    s.result('q2', `${REFUSED}${SAID}The user wants to clarify these questions.\n Start by asking.`, {
      isError: true,
    })
    const { all } = await read(s)
    expect(all.filter((item) => item.kind === 'decision').map((item) => item.data)).toEqual([
      { of: 'tool', toolUseId: 't1', tool: 'Bash', verdict: 'refused', words: 'not that folder' },
      {
        of: 'question',
        toolUseId: 'q1',
        tool: 'AskUserQuestion',
        verdict: 'answered',
        words: 'Which one? → The small one',
      },
      { of: 'question', toolUseId: 'q2', tool: 'AskUserQuestion', verdict: 'refused', words: '' },
    ])
    expect(all[1]).toMatchObject({ kind: 'command', data: { failed: true } })
  })
})

describe('files as they are found', () => {
  test('unknown records are counted, and unknown fields and null fields cost nothing', async () => {
    const s = scribe()
    s.add({ type: 'brand-new-thing', sessionId: 'S1', payload: null })
    s.add({ type: 'last-prompt', prompt: 'x' })
    s.add({ type: null, sessionId: null })
    s.user('hello world', { gitBranch: null, cwd: null, version: 7, isMeta: null, origin: null })
    s.user(null)
    s.add({ type: 'user', uuid: 'no-message', sessionId: 'S1', message: null })
    s.add({ type: 'assistant', uuid: 'odd', sessionId: 'S1', message: { content: 7 } })
    s.add({
      type: 'assistant',
      uuid: 'odd2',
      sessionId: 'S1',
      message: { content: [null, 3, { type: 'tool_use' }, { type: 'text', text: null }] },
    })
    const { all, report } = await read(s)
    expect(all.map((item) => item.text)).toEqual(['hello world'])
    expect(report.records.dropped).toEqual({ 'unknown-record': 2, 'last-prompt': 1, empty: 1 })
    expect(report.errors.map((error) => error.line)).toEqual([5, 6, 7])
  })

  test('one file may hold several sessions; a sub-agent’s file carries its parent’s session id', async () => {
    const { all, db } = await read(
      jsonl([
        ...scribe('S1').lines,
        {
          type: 'user',
          uuid: 'a',
          sessionId: 'S1',
          cwd: '/w/one',
          timestamp: '2026-03-03T09:00:00Z',
          message: { content: 'first thing' },
        },
        {
          type: 'user',
          uuid: 'b',
          sessionId: 'S2',
          cwd: '/w/two',
          timestamp: '2026-03-03T09:00:01Z',
          message: { content: 'second thing' },
        },
        {
          type: 'assistant',
          uuid: 'c',
          sessionId: 'S1',
          isSidechain: true,
          agentId: 'x9',
          timestamp: '2026-03-03T09:00:02Z',
          message: { id: 'm', content: [{ type: 'text', text: 'found it' }] },
        },
      ]),
    )
    expect(all.map((item) => [item.session, item.project, item.text])).toEqual([
      ['claude-code:S1', 'one', 'first thing'],
      ['claude-code:S1/agent-x9', null, 'found it'],
      ['claude-code:S2', 'two', 'second thing'],
    ])
    expect(db.get('SELECT parent_id FROM sessions WHERE id = ?', ['claude-code:S1/agent-x9'])).toEqual({
      parent_id: 'claude-code:S1',
    })
    expect(all[1]?.goal).toBe(all[0]?.handle)
  })

  test('records that a second compaction appended again are duplicates', async () => {
    const s = scribe()
    s.user('build the cart')
    s.call('t1', 'Bash', { command: 'ls' })
    s.result('t1', 'a')
    s.said('Built.')
    const { all, report } = await read(jsonl([...s.lines, ...s.lines]))
    expect(kinds(all)).toEqual(['goal', 'command', 'conclusion'])
    expect(report.records).toMatchObject({ read: 8, used: 3, attached: 1, duplicates: 4 })
  })

  test('times that step back do not change the order, which is that of the file', async () => {
    const s = scribe()
    s.user('one thing')
    s.user('another thing', { timestamp: '2020-01-01T00:00:00Z' })
    s.user('a third thing', { timestamp: undefined })
    const { all } = await read(s)
    expect(all.map((item) => item.text)).toEqual(['one thing', 'another thing', 'a third thing'])
    expect(all[2]?.ts).toBe(Date.parse('2020-01-01T00:00:00Z'))
  })

  test('progress chatter is counted without being parsed, but never when a record is glued to it', async () => {
    const s = scribe()
    const chatter = {
      parentUuid: 'u',
      sessionId: 'S1',
      type: 'progress',
      data: { type: 'bash_progress', output: 'x' },
      uuid: 'p',
    }
    s.user('a real prompt')
    const glued = `${JSON.stringify(chatter)}${JSON.stringify(s.lines[0])}\n`
    const { all, report } = await read(`${JSON.stringify(chatter)}\n${glued}`)
    expect(all.map((item) => item.text)).toEqual(['a real prompt'])
    expect(report.records).toMatchObject({ read: 3, used: 1, dropped: { progress: 2 } })
  })

  test('what Fovea injected into a transcript does not come back, wherever it stands', async () => {
    const frame = wrap({ source: 'hook', receipt: 'rcp_abcdefghijklmnop' }, 'SECRETFRAME about zebras')
    const s = scribe()
    s.user(`${frame}\nplease continue with the cart page`)
    s.user(frame)
    s.said(`> ${frame.replaceAll('\n', '\n> ')}\nI see.`)
    s.call('t1', 'Bash', { command: 'cat notes' })
    s.result('t1', `before\n${JSON.stringify(frame)}\nafter`)
    const { db, journal } = openJournal()
    db.run('INSERT INTO wrapped_receipts VALUES (?, ?)', [
      'rcp_abcdefghijklmnop',
      'SECRETFRAME about zebras'.length,
    ])
    await ingest(journal, put(join(temporaryFolder(), 'S1.jsonl'), s.text()))
    const all = items(db)
    expect(JSON.stringify(all)).not.toContain('zebras')
    expect(db.all('SELECT rowid FROM items_fts WHERE items_fts MATCH ?', ['zebras'])).toEqual([])
    expect(all[0]?.text).toBe('please continue with the cart page')
  })

  test('worktrees and sub-folders belong to their repository, and a slug is never read', async () => {
    const { db, journal } = openJournal({ projectOf })
    const root = temporaryFolder()
    const main = scribe('M', { cwd: '/nowhere/big-shop/.worktrees/7' })
    main.user('a first request')
    put(join(root, '-nowhere-big-shop--worktrees-7', 'M.jsonl'), main.text())
    await ingest(journal, root)
    expect(db.get('SELECT project FROM sessions')).toEqual({ project: 'big-shop' })
  })
})
