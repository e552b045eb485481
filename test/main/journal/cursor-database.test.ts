import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { enrol, ingestSources, itemData } from '../../../src/main/journal'
import { temporaryFolder } from '../../support'
import { type Conversation, clock, conversation, cursorDatabase, ID, openCursor, T0 } from './cursor-support'
import { brokenInvariants, dump, ingest, items, type Json, type Kept, openJournal, put } from './transcripts'

async function read(of: Conversation): Promise<{ all: Kept[]; dropped: Json }> {
  const { db, journal } = openJournal({ clock })
  const { path, own } = openCursor()
  own.all(of)
  const report = await ingest(journal, path, { perFile: true })
  expect(report.perFile?.map((file) => file.file)).toEqual([path, join(path, of.id)])
  expect(report.errors).toEqual([])
  expect(brokenInvariants(db)).toEqual([])
  const all = items(db)
  for (const item of all) itemData[item.kind as keyof typeof itemData].parse(item.data)
  return { all, dropped: report.records.dropped }
}
const told = (all: readonly Kept[]): string[][] => all.map((item) => [item.kind, item.text])

describe('what a conversation says', () => {
  test('a turn: the request, calls with their results, the closing statement, when and where', async () => {
    const c = conversation()
    c.user('add a licence header')
    c.said('', { thinking: { text: 'hm' } })
    c.said('I look at it.')
    c.tool('read_file_v2', { targetFile: '/srv/a.ts' }, { result: '{"contents":"text"}' })
    c.tool(
      'run_terminal_command_v2',
      { command: 'npm test' },
      { result: '{"output":"3 passed","exitCodeV2":0}' },
    )
    c.tool('run_terminal_cmd', { command: 'make' }, { result: '{"output":"no rule","exitCode":2}' })
    c.tool('search_replace', { file_path: '/srv/a.ts', old_string: 'x', new_string: 'y\nz' })
    c.tool(
      'codebase_search',
      { query: 'licence' },
      { status: 'error', error: { clientVisibleErrorMessage: 'no index' } },
    )
    c.said('It has one now.')
    const { all, dropped } = await read(c)
    expect(told(all)).toEqual([
      ['goal', 'add a licence header'],
      ['note', 'I look at it.'],
      ['file_op', 'Read /srv/a.ts'],
      ['command', '$ npm test\n3 passed'],
      ['command', '$ make'],
      ['error', '$ make\nno rule'],
      ['file_op', 'Edit /srv/a.ts\n-x\n+y\n+z'],
      ['file_op', 'Grep licence in .'],
      ['error', 'Grep licence in .\nno index'],
      ['conclusion', 'It has one now.'],
    ])
    expect(all[0]).toMatchObject({ session: `cursor:${ID}`, project: 'my shop', ts: T0 + 1000 })
    expect(all[4]?.data).toEqual({ command: 'make', failed: true, exitCode: 2 })
    expect(dropped).toEqual({ thinking: 1 })
  })

  test('plans with their decision, to-do lists, questions, refusals and pictures', async () => {
    const dot =
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
    const c = conversation()
    c.user('plan the export', { images: [{ data: dot, mimeType: 'image/png' }] })
    c.tool('create_plan', { name: 'Export', plan: '1. Write it' }, { userDecision: 'accepted' })
    c.tool('create_plan', { plan: '2. Drop it' }, { result: '{"rejected":{"reason":"keep it"}}' })
    c.tool('todo_write', { todos: [{ id: '1', content: 'Write it', status: 'pending' }] })
    c.tool(
      'ask_question',
      { questions: [{ id: 'q', prompt: 'Which?', options: [{ id: 'o', label: 'csv' }] }] },
      { result: '{"answers":[{"questionId":"q","selectedOptionIds":["o"]}]}' },
    )
    c.tool('delete_file', { target_file: 'old.ts' }, { userDecision: 'rejected' })
    c.tool('mcp_fovea_search', { query: 'x' })
    c.said('', { errorDetails: { message: 'The connection was lost.' } })
    const { all, dropped } = await read(c)
    expect(told(all)).toEqual([
      ['goal', 'plan the export'],
      ['image', expect.stringMatching(/^Picture .* 1×1/)],
      ['plan', '# Export\n\n1. Write it'],
      ['decision', 'Approved the plan'],
      ['plan', '2. Drop it'],
      ['decision', 'Sent back the plan: keep it'],
      ['plan', '- [ ] Write it'],
      ['decision', 'Which? → csv'],
      ['file_op', 'Delete old.ts'],
      ['decision', 'Stopped at Delete old.ts'],
      ['error', 'The connection was lost.'],
    ])
    expect(all[5]?.data).toMatchObject({ of: 'plan', verdict: 'refused', words: 'keep it' })
    expect(dropped).toEqual({ fovea: 1 })
  })

  test('what the person left behind is no part of it; ids and times may be missing from the rows', async () => {
    const c = conversation()
    c.user('sort the names', { createdAt: undefined })
    const gone = c.said('I sort them by length.')
    c.said('Sorted.', { createdAt: undefined })
    const { db, journal } = openJournal({ clock })
    const { path, own } = openCursor()
    own.all(c)
    const headers = (c.composer().fullConversationHeadersOnly as Json[]).filter(
      (one) => one.bubbleId !== gone.id,
    )
    own.composer(c, { fullConversationHeadersOnly: headers })
    const report = await ingest(journal, path)
    expect(told(items(db))).toEqual([
      ['goal', 'sort the names'],
      ['conclusion', 'Sorted.'],
    ])
    expect(items(db).map((item) => item.ts)).toEqual([T0, T0])
    expect(report.records).toMatchObject({ read: 3, used: 2, dropped: { 'left-behind': 1 } })
  })

  test('a sub-agent belongs to the conversation that started it', async () => {
    const c = conversation()
    c.user('find the leak')
    const child = conversation('c1c1c1c1-0000', { subagentInfo: { parentComposerId: ID } })
    child.user('Look for leaks')
    child.said('There is one.')
    const { db, journal } = openJournal({ clock })
    const { path, own } = openCursor()
    own.all(child)
    own.all(c)
    await ingest(journal, path)
    const [goal, end] = items(db)
    expect(told(items(db))).toEqual([
      ['goal', 'find the leak'],
      ['conclusion', 'There is one.'],
    ])
    expect(end?.goal).toBe(goal?.handle)
    expect(brokenInvariants(db)).toEqual([])
  })
})

describe('older and newer shapes', () => {
  test('what was said inside of the conversation’s row, in a workspace’s list, and in the tabs of 2024', async () => {
    const { db, journal } = openJournal({ clock })
    const root = temporaryFolder()
    const { own } = openCursor(root)
    const c = conversation()
    c.user('sort the names')
    c.said('Sorted.')
    const inside = c.bubbles.map(({ id, value }) => ({ bubbleId: id, ...value }))
    own.composer(c, { fullConversationHeadersOnly: [], conversation: inside })
    const folder = join(root, 'workspaceStorage', 'aa')
    const workspace = cursorDatabase(join(folder, 'state.vscdb'))
    onTestFinished(() => void workspace.db.close())
    put(join(folder, 'workspace.json'), JSON.stringify({ folder: 'file:///srv/tools' }))
    workspace.set('ItemTable', 'composer.composerData', {
      allComposers: [
        {
          composerId: 'w1',
          name: 'W',
          createdAt: T0,
          conversation: [{ bubbleId: 'w1b', type: 1, text: 'count them' }],
        },
        { composerId: 'only-a-name', name: 'N', createdAt: T0 },
      ],
    })
    workspace.set('ItemTable', 'workbench.panel.aichat.view.aichat.chatdata', {
      tabs: [
        {
          tabId: 't1',
          chatTitle: 'T',
          lastSendTime: T0,
          bubbles: [
            { type: 'user', text: 'translate them', id: 'x1' },
            { type: 'ai', rawText: 'Translated.' },
          ],
        },
      ],
    })
    await ingestSources(journal, [enrol(journal, { path: root })])
    expect(items(db).map((item) => [item.session, item.kind, item.text, item.project])).toEqual([
      [`cursor:${ID}`, 'goal', 'sort the names', 'my shop'],
      [`cursor:${ID}`, 'conclusion', 'Sorted.', 'my shop'],
      ['cursor:t1', 'goal', 'translate them', 'tools'],
      ['cursor:t1', 'conclusion', 'Translated.', 'tools'],
      ['cursor:w1', 'goal', 'count them', 'tools'],
    ])
    expect(brokenInvariants(db)).toEqual([])
  })

  test('where a conversation was held is told by its workspace, whichever database is read first', async () => {
    const c = conversation()
    c.user('sort the names', { workspaceUris: undefined })
    const root = temporaryFolder()
    const { own, path } = openCursor(root)
    own.all(c)
    const folder = join(root, 'workspaceStorage', 'aa')
    const workspace = cursorDatabase(join(folder, 'state.vscdb'))
    onTestFinished(() => void workspace.db.close())
    put(join(folder, 'workspace.json'), JSON.stringify({ folder: 'file:///srv/tools' }))
    const list = { allComposers: [{ composerId: ID, name: 'The shop', createdAt: T0 }] }
    workspace.set('ItemTable', 'composer.composerData', list)
    const orders = [
      [path, join(folder, 'state.vscdb')],
      [join(folder, 'state.vscdb'), path],
    ]
    const dumps: string[] = []
    for (const order of orders) {
      const { db, journal } = openJournal({ clock })
      for (const one of order) await ingest(journal, one)
      expect(items(db).map((item) => item.project)).toEqual(['tools'])
      expect(brokenInvariants(db)).toEqual([])
      dumps.push(dump(db))
    }
    expect(dumps[1]).toBe(dumps[0])
    own.set('ItemTable', 'composer.composerHeaders', {
      allComposers: [{ composerId: ID, workspaceIdentifier: { uri: { fsPath: '/srv/newer' } } }],
    })
    const { db, journal } = openJournal({ clock })
    await ingest(journal, path)
    expect(items(db)[0]?.project).toBe('newer')
  })
})
