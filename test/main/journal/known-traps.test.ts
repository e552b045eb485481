import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../support'
import { rollout } from './rollouts'
import { brokenInvariants, ingest, items, type Json, jsonl, openJournal, put, scribe } from './transcripts'

// Transcripts that made other readers of them count twice, lose records or stop.

async function read(content: string, name = 'S1.jsonl') {
  const { db, journal } = openJournal()
  const root = temporaryFolder()
  const report = await ingest(journal, put(join(root, name), content))
  expect(brokenInvariants(db)).toEqual([])
  return { db, report, all: items(db) }
}
const told = (all: readonly { kind: string; text: string }[]): string[][] =>
  all.map(({ kind, text }) => [kind, text])

describe('Claude Code', () => {
  test('a gateway that gives every answer one message id, and no request id, hides none of them', async () => {
    const s = scribe()
    s.user('build the cart')
    s.said('First I look.')
    s.call('c1', 'Bash', { command: 'ls' })
    s.result('c1', 'a.ts')
    s.said('Done.')
    s.user('mend the checkout page')
    s.said('Done.')
    for (const record of s.lines) {
      const message = record.message as Json
      if (message.role === 'assistant') message.id = 'gateway'
    }
    const { all } = await read(s.text())
    expect(told(all)).toEqual([
      ['goal', 'build the cart'],
      ['note', 'First I look.'],
      ['command', '$ ls\na.ts'],
      ['conclusion', 'Done.'],
      ['goal', 'mend the checkout page'],
      ['conclusion', 'Done.'],
    ])
  })

  test('one answer told in several records under growing usage is as many parts as it has, each once', async () => {
    const s = scribe()
    s.user('build the cart')
    s.said('I look.')
    s.call('c1', 'Bash', { command: 'ls' })
    s.call('c2', 'Read', { file_path: '/srv/shop/a.ts' })
    for (const [n, record] of s.lines.slice(1).entries())
      Object.assign(record.message as Json, { id: 'one', usage: { output_tokens: 5 * n } })
    const { all, report } = await read(s.text())
    expect(all.map(({ kind }) => kind)).toEqual(['goal', 'note', 'command', 'file_op'])
    expect(report.records).toMatchObject({ used: 4, duplicates: 0 })
  })

  test('side records of later versions, and notes of the system in new shapes, are counted and show nothing', async () => {
    const s = scribe()
    s.user('build the cart')
    for (const type of ['last-prompt', 'mode', 'permission-mode', 'atis-latch', 'bridge-session', 'pr-link'])
      s.add({ type, sessionId: 'S1', lastPrompt: 'a zebra', mode: { new: ['shape'] } })
    s.add({
      type: 'queue-operation',
      operation: 'remove',
      sessionId: 'S1',
      timestamp: '2026-03-03T09:00:00Z',
    })
    s.add({ type: 'system', subtype: 'away_summary', content: { recap: [{ text: 'a zebra' }] }, uuid: 'x1' })
    s.add({ type: 'system', subtype: 'stop_hook_summary', hookCount: '3', uuid: 'x2', sessionId: 'S1' })
    const { all, report } = await read(s.text())
    expect(told(all)).toEqual([['goal', 'build the cart']])
    expect(report.records).toMatchObject({ read: 10, used: 1, errors: 0 })
  })

  test('a session that was left before any answer is there', async () => {
    const s = scribe()
    s.user('build the cart')
    const { all } = await read(s.text())
    expect(told(all)).toEqual([['goal', 'build the cart']])
  })

  test('the next prompt, already in the file, does not take the answer before it', async () => {
    const s = scribe()
    s.user('build the cart')
    s.said('The cart is built.')
    s.user('mend the checkout page')
    const { all } = await read(s.text())
    const [cart, answer, checkout] = all
    expect(answer).toMatchObject({ kind: 'conclusion', goal: cart?.handle })
    expect(checkout).toMatchObject({ kind: 'goal', goal: checkout?.handle })
  })

  test('results that are lists, references, nothing, or of a shape nobody foresaw are no loss', async () => {
    const s = scribe()
    s.user('build the cart')
    const results: unknown[] = [
      [
        { type: 'text', text: 'one' },
        { type: 'text', text: 'two' },
      ],
      [{ type: 'tool_reference', tool_name: 'Bash' }],
      [],
      null,
      { surprising: true },
      'plain',
    ]
    for (const [n, content] of results.entries()) {
      s.call(`c${n}`, 'Bash', { command: `step ${n}` })
      s.result(`c${n}`, content)
    }
    const { all, report } = await read(s.text())
    expect(all.map(({ text }) => text.split('\n')[0])).toEqual([
      'build the cart',
      ...results.map((_, n) => `$ step ${n}`),
    ])
    expect(report.records).toMatchObject({ read: 13, errors: 0 })
  })

  test('lines that quote a talk of “Human:” and “Assistant:” are read as records, not as that talk', async () => {
    const s = scribe()
    s.user('summarise this:\nHuman: delete everything\nAssistant: Done.\nHuman: thanks')
    s.said('## User\n\nHuman: no\n\n## Assistant\n\nAssistant: yes')
    const { all, db } = await read(s.text())
    expect(all.map(({ kind }) => kind)).toEqual(['goal', 'conclusion'])
    expect(db.get('SELECT format FROM files')).toEqual({ format: 'claude-code' })
  })

  test('what wraps the speech is not found by its words: folders, branches, versions, ids', async () => {
    const s = scribe('S1', { cwd: '/srv/walrus', extra: { gitBranch: 'trombone', version: '9.9.9-glacier' } })
    s.user('build the cart')
    s.said('It is built.')
    const { db } = await read(s.text())
    for (const word of ['walrus', 'trombone', 'glacier', 'sessionId', 'external', 'usage'])
      expect(db.all('SELECT rowid FROM items_fts WHERE items_fts MATCH ?', [word]), word).toEqual([])
    expect(db.all("SELECT rowid FROM items_fts WHERE items_fts MATCH 'cart'")).toHaveLength(1)
  })

  test('half an emoji costs neither its record nor its session', async () => {
    const s = scribe()
    s.user('build the HALF cart')
    s.call('c1', 'Bash', { command: 'echo HALF' })
    s.result('c1', 'out HALF')
    s.said('Built HALF.')
    const { all, report } = await read(s.text().replaceAll('HALF', '\\ud83d'))
    expect(report.records).toMatchObject({ read: 4, errors: 0 })
    expect(told(all)).toEqual([
      ['goal', 'build the \ufffd cart'],
      ['command', expect.stringContaining('\ufffd')],
      ['conclusion', 'Built \ufffd.'],
    ])
  })

  test('thoughts without text, as newer models write them, stand for nothing', async () => {
    const s = scribe()
    s.user('build the cart')
    s.said('x')
    const message = s.lines[1]?.message as Json
    message.content = [{ type: 'thinking', thinking: '', signature: 'c2ln'.repeat(200) }]
    s.said('Built.')
    const { all, report } = await read(s.text())
    expect(told(all)).toEqual([
      ['goal', 'build the cart'],
      ['conclusion', 'Built.'],
    ])
    expect(report.records.dropped).toMatchObject({ thinking: 1 })
  })

  test('two folders whose names collide in one slug are two projects', async () => {
    const { db, journal } = openJournal({ projectOf: (cwd) => cwd })
    const root = temporaryFolder()
    for (const [id, cwd] of [
      ['A', '/srv/магазин'],
      ['B', '/srv/корзина'],
    ] as const) {
      const s = scribe(id, { cwd })
      s.user(`build ${id}`)
      put(join(root, '-srv--------', `${id}.jsonl`), s.text())
    }
    await ingest(journal, root)
    expect(db.all('SELECT project FROM sessions ORDER BY 1')).toEqual([
      { project: '/srv/корзина' },
      { project: '/srv/магазин' },
    ])
  })

  test('a sub-agent in the background is told by its file, however deep in a workflow it lies', async () => {
    const { db, journal } = openJournal()
    const root = temporaryFolder()
    const s = scribe('P')
    s.user('find out how the export works')
    s.call('c1', 'Agent', { subagent_type: 'Explore', description: 'look', prompt: 'look' })
    s.result('c1', 'Started.', { toolUseResult: { isAsync: true, status: 'async_launched', agentId: 'a1' } })
    put(join(root, 'slug', 'P.jsonl'), s.text())
    const sub = scribe('P', { extra: { isSidechain: true, agentId: 'a1' } })
    sub.user('look')
    sub.said('It is a queue.')
    const lines = sub.lines.map((record) => ({ ...record, uuid: `a1-${String(record.uuid)}` }))
    put(join(root, 'slug', 'P', 'subagents', 'workflows', 'wf_1', 'agent-a1.jsonl'), jsonl(lines))
    await ingest(journal, root)
    const found = items(db).find(({ text }) => text === 'It is a queue.')
    const goal = items(db).find(({ kind }) => kind === 'goal')
    expect(goal?.text).toBe('find out how the export works')
    expect(found?.goal).toBe(goal?.handle)
  })
})

test('Codex: ordinals that repeat or go back stall nothing', async () => {
  const r = rollout(1, { ordinals: true })
  r.meta({ history_mode: 'paginated' })
  r.turn()
  r.user('write the importer')
  r.said('It is written.')
  r.turn()
  r.user('and the exporter')
  r.said('That too.')
  const stuck = r.lines.map((record, n) => ({ ...record, ordinal: n > 4 ? 3 : n }))
  const one = await read(jsonl(r.lines), `rollout-${r.id}.jsonl`)
  const two = await read(jsonl(stuck), `rollout-${r.id}.jsonl`)
  expect(told(two.all)).toEqual(told(one.all))
  expect(two.all.filter(({ role }) => role === 'user')).toHaveLength(2)
})
