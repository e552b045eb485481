import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { enrol, health, ingestSources, itemData, listSources } from '../../../src/main/journal'
import { temporaryFolder } from '../../support'
import {
  opencodeDatabase,
  opencodeOlder,
  opencodeSession,
  opencodeTree,
  type Session,
  said,
  T0,
  tool,
} from './opencode-support'
import { brokenInvariants, dump, ingest, items, type Json, type Kept, openJournal, put } from './transcripts'

const LATER = T0 + 3_600_000

/** The database of one session, read. */
async function read(session: Session): Promise<{ all: Kept[]; dropped: Json; path: string }> {
  const { db, journal } = openJournal({ clock: () => LATER })
  const path = join(temporaryFolder(), 'opencode', 'opencode.db')
  const own = opencodeDatabase(path)
  own.all(session)
  const report = await ingest(journal, path, { perFile: true })
  own.db.close()
  expect(report.perFile?.map((file) => [file.format, file.file])).toEqual([
    ['opencode', path],
    ['opencode', join(path, session.id)],
  ])
  expect(brokenInvariants(db)).toEqual([])
  const all = items(db)
  for (const item of all) itemData[item.kind as keyof typeof itemData].parse(item.data)
  return { all, dropped: report.records.dropped, path }
}
const told = (all: readonly Kept[]): string[][] => all.map((item) => [item.kind, item.text])

describe('what a session says', () => {
  test('a turn: the request, what was done and what came of it, the closing statement', async () => {
    const s = opencodeSession()
    s.user('add a licence header')
    s.agent(
      { type: 'reasoning', text: 'hm' },
      said('I look at it.'),
      tool('read', { filePath: '/srv/shop/a.ts' }, { output: 'text' }),
      tool(
        'bash',
        { command: 'npm test', description: 'Test' },
        { output: '3 passed', metadata: { exit: 0 } },
      ),
    )
    s.agent(
      tool('edit', { filePath: '/srv/shop/a.ts', oldString: 'x', newString: 'y\nz' }),
      tool('bash', { command: 'make' }, { output: 'no rule', metadata: { exit: 2 } }),
      tool('grep', { pattern: 'licence' }, { status: 'error', error: 'no such folder' }),
    )
    s.agent(said('It has one now.'))
    const { all, dropped } = await read(s.session)
    expect(told(all)).toEqual([
      ['goal', 'add a licence header'],
      ['note', 'I look at it.'],
      ['file_op', 'Read /srv/shop/a.ts'],
      ['command', '# Test\n$ npm test\n3 passed'],
      ['file_op', 'Edit /srv/shop/a.ts\n-x\n+y\n+z'],
      ['command', '$ make'],
      ['error', '$ make\nno rule'],
      ['file_op', 'Grep licence in .'],
      ['error', 'Grep licence in .\nno such folder'],
      ['conclusion', 'It has one now.'],
    ])
    expect(all[5]?.data).toEqual({ command: 'make', failed: true, exitCode: 2 })
    expect(all[0]).toMatchObject({ session: 'opencode:ses_a1', project: 'shop', goal: all[0]?.handle })
    expect(all[0]?.ts).toBe(T0 + 1000)
    expect(dropped).toEqual({ message: 4, thinking: 1, turn: 6 })
  })

  test('plans, to-do lists, questions and refusals, with the person’s words', async () => {
    const s = opencodeSession()
    s.user('plan the export')
    s.agent(
      tool('todowrite', { todos: [{ content: 'Write it', status: 'in_progress', id: '1' }] }),
      tool(
        'question',
        { questions: [{ question: 'Which format?' }] },
        { metadata: { answers: [['csv', 'json']] } },
      ),
      tool('plan_exit', { plan: '1. Write it' }),
      tool(
        'bash',
        { command: 'rm -r out' },
        {
          status: 'error',
          error:
            'The user rejected permission to use this specific tool call with the following feedback: keep the folder',
        },
      ),
      tool(
        'write',
        { filePath: 'a' },
        { status: 'error', error: 'The user rejected permission to use this specific tool call.' },
      ),
      tool('apply_patch', { patchText: '*** Begin Patch\n*** Add File: n.ts\n+one\n*** End Patch' }),
      tool('fovea_search', { query: 'x' }),
      tool('todoread', {}),
    )
    const { all, dropped } = await read(s.session)
    expect(told(all)).toEqual([
      ['goal', 'plan the export'],
      ['plan', '- [>] Write it'],
      ['decision', 'Which format? → csv, json'],
      ['plan', '1. Write it'],
      ['decision', 'Approved the plan'],
      ['command', '$ rm -r out'],
      ['decision', 'Sent back $ rm -r out: keep the folder'],
      ['file_op', 'Write a\n'],
      ['decision', 'Stopped at Write a'],
      ['file_op', 'Write n.ts\n+one'],
    ])
    expect(all[4]?.data).toMatchObject({ of: 'plan', verdict: 'approve', toolUseId: 'call_plan_exit' })
    expect(all[6]?.data).toMatchObject({ of: 'tool', verdict: 'refused', words: 'keep the folder' })
    expect(dropped).toMatchObject({ fovea: 1, bookkeeping: 1 })
  })

  test('what the program says in the person’s name, summaries and aborted turns are no speech', async () => {
    const s = opencodeSession()
    s.user('read @a.ts', said('Called the Read tool', { synthetic: true }), {
      type: 'file',
      mime: 'text/plain',
      url: 'file:///srv/shop/a.ts',
    })
    s.add({ role: 'assistant', summary: true, time: { created: T0, completed: T0 } }, [
      said('Summary of it all.'),
    ])
    s.add(
      { role: 'assistant', time: { created: T0 + 9000 }, error: { name: 'MessageAbortedError', data: {} } },
      [said('I begin to')],
    )
    s.add(
      {
        role: 'assistant',
        time: { created: T0 + 9500 },
        error: { name: 'APIError', data: { message: 'Overloaded' } },
      },
      [],
    )
    const { all, dropped } = await read(s.session)
    expect(told(all)).toEqual([
      ['goal', 'read @a.ts'],
      ['note', 'I begin to'],
      ['error', 'Overloaded'],
    ])
    expect(dropped).toMatchObject({ injected: 1, attachment: 1, 'compaction-summary': 1 })
  })

  test('a picture is kept by what it is, a sub-agent belongs to its parent', async () => {
    const dot =
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
    const s = opencodeSession()
    s.user('what is on it', {
      type: 'file',
      mime: 'image/png',
      filename: 'dot.png',
      url: `data:image/png;base64,${dot}`,
    })
    s.agent(
      tool(
        'task',
        { description: 'Look', prompt: 'Find it', subagent_type: 'explore' },
        {
          output: 'A dot.',
          metadata: { sessionId: 'ses_b2' },
        },
      ),
    )
    const child = opencodeSession('ses_b2', { parentID: 'ses_a1', title: 'Look (@explore)' })
    child.user('Find it')
    child.agent(said('There is a dot.'))
    const { db, journal } = openJournal({ clock: () => LATER })
    const path = join(temporaryFolder(), 'opencode.db')
    const own = opencodeDatabase(path)
    onTestFinished(() => void own.db.close())
    own.all(child.session)
    own.all(s.session)
    await ingest(journal, path)
    const all = items(db)
    expect(told(all)).toEqual([
      ['goal', 'what is on it'],
      ['image', expect.stringMatching(/^Picture image\/png 1×1.*: dot\.png$/)],
      ['note', 'Task (explore): Look\nFind it\n→ A dot.'],
      ['conclusion', 'There is a dot.'],
    ])
    expect(all[3]).toMatchObject({ session: 'opencode:ses_b2', goal: all[0]?.handle })
    expect(brokenInvariants(db)).toEqual([])
  })
})

describe('the old files', () => {
  test('tell the same, and count once beside the database, whichever is read first', async () => {
    const s = opencodeSession()
    s.user('sort the names')
    s.agent(said('I sort.'), tool('bash', { command: 'sort a' }, { output: 'b', metadata: { exit: 0 } }))
    s.agent(said('Sorted.'))
    const root = join(temporaryFolder(), 'opencode')
    const clock = () => LATER
    opencodeTree(root, s.session)
    const old = openJournal({ clock })
    const report = await ingest(old.journal, root, { perFile: true })
    expect(report).toMatchObject({ files: 1, sessions: 1, errors: [] })
    expect(told(items(old.db))).toEqual([
      ['goal', 'sort the names'],
      ['note', 'I sort.'],
      ['command', '$ sort a\nb'],
      ['conclusion', 'Sorted.'],
    ])
    const own = opencodeDatabase(join(root, 'opencode.db'))
    onTestFinished(() => void own.db.close())
    own.all(s.session)
    const both = openJournal({ clock })
    const second = await ingest(both.journal, root)
    expect(second.records).toMatchObject({ used: 4, duplicates: 4 })
    await ingest(old.journal, root)
    expect(brokenInvariants(both.db)).toEqual([])
    expect(brokenInvariants(old.db)).toEqual([])
    expect(items(both.db)).toHaveLength(4)
    expect(dump(old.db)).toBe(dump(both.db))
  })

  test('what lies beside them is not looked at', async () => {
    const root = join(temporaryFolder(), 'opencode')
    const s = opencodeSession()
    s.user('sort the names')
    opencodeTree(root, s.session)
    put(join(root, 'auth.json'), '{"key":"x"}')
    put(join(root, 'storage', 'session_diff', 'ses_a1.json'), '[]')
    put(join(root, 'storage', 'todo', 'ses_a1.json'), '[]')
    put(join(root, 'log', 'a.json'), '[]')
    const { db, journal } = openJournal({ clock: () => LATER })
    await ingest(journal, root)
    const [source] = listSources(db)
    expect(health(db, source?.id ?? '').unreadable).toEqual([])
    expect(source).toMatchObject({ files: 1, sessions: 1, items: 1 })
  })
})

describe('what cannot be read', () => {
  const reasons = async (bytes: Uint8Array | string): Promise<string[]> => {
    const root = temporaryFolder()
    put(join(root, 'opencode.db'), bytes)
    const { db, journal } = openJournal()
    await ingestSources(journal, [enrol(journal, { path: root })])
    const [source] = listSources(db)
    return health(db, source?.id ?? '').unreadable.map((one) => one.reason)
  }

  test('says why, and costs nothing else', async () => {
    expect(await reasons('')).toEqual([])
    expect(await reasons('hello, this is no database at all')).toEqual([
      'no SQLite database, or an encrypted one',
    ])
    const path = join(temporaryFolder(), 'opencode.db')
    const own = opencodeDatabase(path, ['journal_mode = DELETE'])
    own.db.exec('DROP TABLE part')
    own.db.close()
    expect(await reasons(readFileSync(path))).toEqual(['no transcript format that Fovea knows'])
  })

  test('rows and fields nobody foresaw cost themselves only', async () => {
    const s = opencodeSession()
    const first = s.user('sort the names')
    s.agent(said('Sorted.'))
    const { db, journal } = openJournal({ clock: () => LATER })
    const path = join(temporaryFolder(), 'opencode.db')
    const own = opencodeDatabase(path)
    onTestFinished(() => void own.db.close())
    own.all(s.session)
    const odd = [
      '{"type":"text"',
      'null',
      '[]',
      '{"type":7}',
      '{"type":"brand-new"}',
      '{"type":"tool","state":null}',
      '{"type":"tool","tool":"bash","callID":7,"state":{"status":"completed","input":{"command":["a"]}}}',
      '{"type":"text","text":{"a":1}}',
      '{"type":"file","url":7}',
    ]
    for (const [n, data] of odd.entries()) own.part(s.session, first, { id: `prt_zz${n}`, data })
    own.db.prepare('UPDATE part SET data = ? WHERE id = ?').run(Buffer.from([0xff, 0xfe]), 'prt_zz7')
    const report = await ingest(journal, path)
    expect(told(items(db)).filter(([kind]) => kind !== 'note')).toEqual([
      ['goal', 'sort the names'],
      ['conclusion', 'Sorted.'],
    ])
    expect(report.records).toMatchObject({ errors: 4, dropped: { 'unknown: brand-new': 1, attachment: 1 } })
    expect(report.errors[0]).toMatchObject({ file: join(path, 'ses_a1'), line: 3, reason: 'broken JSON' })
    expect(brokenInvariants(db)).toEqual([])
  })
})

describe('the files of before mid-2025', () => {
  const made = (): Session => {
    const s = opencodeSession()
    s.user('add a licence header')
    s.agent(said('I look.'), tool('bash', { command: 'npm test' }, { metadata: { exit: 0 } }))
    s.agent(said('It has one now.'))
    return s.session
  }

  test('lie in a folder for each project, and tell where they were held by their answers', async () => {
    const root = join(temporaryFolder(), 'opencode')
    opencodeOlder(root, made())
    const { db, journal } = openJournal({ clock: () => LATER })
    const report = await ingest(journal, root, { perFile: true })
    expect(report.perFile).toHaveLength(2)
    expect(told(items(db))).toEqual([
      ['goal', 'add a licence header'],
      ['note', 'I look.'],
      ['command', '$ npm test'],
      ['conclusion', 'It has one now.'],
    ])
    expect(db.get('SELECT cwd, title FROM sessions')).toEqual({ cwd: '/srv/shop', title: 'Shop' })
    expect(brokenInvariants(db)).toEqual([])
  })

  test('and what a newer version made of them tell everything once, in any order', async () => {
    const [older, tree, database] = ['older', 'tree', 'database'].map((name) => join(temporaryFolder(), name))
    opencodeOlder(older ?? '', made())
    opencodeTree(tree ?? '', made())
    const own = opencodeDatabase(join(database ?? '', 'opencode.db'))
    own.all(made())
    own.db.close()
    const counts: number[] = []
    for (const order of [
      [older, tree, database],
      [database, tree, older],
    ]) {
      const { db, journal } = openJournal({ clock: () => LATER })
      for (const root of order) await ingest(journal, root ?? '')
      counts.push(items(db).length)
      expect(brokenInvariants(db)).toEqual([])
    }
    expect(counts).toEqual([4, 4])
  })
})
