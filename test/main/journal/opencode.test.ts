import { readdirSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { enrol, health, ingestSources, itemData, listSources, verifyPointer } from '../../../src/main/journal'
import { ForeignDb } from '../../../src/main/store'
import { temporaryFolder } from '../../support'
import {
  opencodeDatabase,
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

describe('a database in use', () => {
  test('only what is new is read; an unfinished answer waits and is told when it is whole', async () => {
    let now = T0
    const { db, journal } = openJournal({ clock: () => now })
    const path = join(temporaryFolder(), 'opencode.db')
    const own = opencodeDatabase(path)
    onTestFinished(() => void own.db.close())
    const other = opencodeSession('ses_old')
    other.user('an old one')
    own.all(other.session)
    const s = opencodeSession()
    s.user('sort the names')
    own.all(s.session)
    await ingest(journal, path)
    const answer = s.agent(said('Sor'))
    const { completed, ...time } = answer.data.time as { completed: number; created: number }
    answer.data.time = time
    own.message(s.session, answer)
    for (const part of answer.parts) own.part(s.session, answer, part)
    await ingest(journal, path)
    expect(told(items(db))).toEqual([
      ['goal', 'sort the names'],
      ['goal', 'an old one'],
    ])
    const [source] = listSources(db)
    expect(health(db, source?.id ?? '').waiting).toMatchObject([{ file: join(path, 'ses_a1'), line: 3 }])
    answer.data.time = { ...time, completed }
    const [, text] = answer.parts
    own.part(s.session, answer, { id: text?.id ?? '', data: said('Sorted.') })
    own.message(s.session, answer)
    const report = await ingest(journal, path)
    expect(report.records).toMatchObject({ read: 4, used: 1 })
    expect(told(items(db))).toContainEqual(['conclusion', 'Sorted.'])
    expect(health(db, source?.id ?? '').waiting).toEqual([])
    expect((await ingest(journal, path)).records.read).toBe(0)
    // The program was ended in the middle of an answer: after a while it is told as it stands.
    const broken = s.agent(said('I was'))
    broken.data.time = { created: T0 + 50_000 }
    own.all(s.session)
    now = T0 + 60_000
    await ingest(journal, path)
    expect(told(items(db)).flat()).not.toContain('I was')
    now = T0 + 600_000
    await ingest(journal, path)
    expect(told(items(db)).flat()).toContain('I was')
    expect(brokenInvariants(db)).toEqual([])
  })

  test('an unchanged database is not opened', async () => {
    const { journal } = openJournal({ clock: () => LATER })
    const path = join(temporaryFolder(), 'opencode.db')
    const own = opencodeDatabase(path)
    onTestFinished(() => void own.db.close())
    const s = opencodeSession()
    s.user('sort the names')
    own.all(s.session)
    await ingest(journal, path)
    const open = ForeignDb.open
    let opened = 0
    ForeignDb.open = (...given) => {
      opened++
      return open(...given)
    }
    onTestFinished(() => {
      ForeignDb.open = open
    })
    await ingest(journal, path)
    expect(opened).toBe(0)
    own.message(s.session, s.user('and count them'))
    await ingest(journal, path)
    expect(opened).toBe(1)
  })

  test('nothing in its folder changes by the reading, in the log or not', async () => {
    const root = temporaryFolder()
    const path = join(root, 'opencode.db')
    const own = opencodeDatabase(path)
    onTestFinished(() => void own.db.close())
    const s = opencodeSession()
    s.user('sort the names')
    own.all(s.session)
    const look = (): unknown[] =>
      readdirSync(root).map((name) => {
        const { mtimeMs, ctimeMs, size } = statSync(join(root, name))
        return [name, size, mtimeMs, ctimeMs, readFileSync(join(root, name)).toString('base64')]
      })
    const before = look()
    expect(before).toHaveLength(3)
    const { db, journal } = openJournal({ clock: () => LATER })
    await ingest(journal, path)
    for (const item of items(db))
      expect(await verifyPointer({ ...pointerOf(item), file_path: item.pointer.file })).toBe('unchanged')
    expect(look()).toEqual(before)
  })

  const pointerOf = ({ pointer }: Kept) => ({
    file_path: pointer.file,
    byte_offset: pointer.byteOffset,
    byte_length: pointer.byteLength,
    record_hash: pointer.hash,
    record_id: pointer.recordId,
  })

  test('a pointer leads to its row while that is there, and says when it changed or went', async () => {
    const { db, journal } = openJournal({ clock: () => LATER })
    const path = join(temporaryFolder(), 'opencode.db')
    const own = opencodeDatabase(path)
    onTestFinished(() => void own.db.close())
    const s = opencodeSession()
    const first = s.user('sort the names')
    s.agent(said('Sorted.'))
    own.all(s.session)
    await ingest(journal, path)
    const [goal, end] = items(db)
    expect(goal?.pointer).toMatchObject({ file: join(path, 'ses_a1'), recordId: first.parts[0]?.id, line: 2 })
    const status = (item: Kept | undefined) => verifyPointer(pointerOf(item as Kept))
    expect([await status(goal), await status(end)]).toEqual(['unchanged', 'unchanged'])
    own.part(s.session, first, { id: first.parts[0]?.id ?? '', data: said('sort them') })
    own.db.prepare('DELETE FROM part WHERE id = ?').run(end?.pointer.recordId)
    expect([await status(goal), await status(end)]).toEqual(['changed', 'gone'])
    own.db.close()
    rmSync(path)
    expect(await status(goal)).toBe('gone')
  })

  test('moved with its folder it keeps its memory; gone and back it tells the same', async () => {
    const root = temporaryFolder()
    const { db, journal } = openJournal({ clock: () => LATER })
    const s = opencodeSession()
    s.user('sort the names')
    const own = opencodeDatabase(join(root, 'a', 'opencode.db'), ['journal_mode = DELETE'])
    own.all(s.session)
    own.db.close()
    await ingest(journal, root)
    const bytes = readFileSync(join(root, 'a', 'opencode.db'))
    const { renameSync } = await import('node:fs')
    renameSync(join(root, 'a'), join(root, 'b'))
    await ingest(journal, root)
    expect(items(db).map((item) => item.pointer.file)).toEqual([join(root, 'b', 'opencode.db', 'ses_a1')])
    rmSync(join(root, 'b'), { recursive: true })
    await ingest(journal, root)
    expect(items(db)).toHaveLength(1)
    put(join(root, 'b', 'opencode.db'), bytes)
    await ingest(journal, root)
    expect(brokenInvariants(db)).toEqual([])
    const whole = openJournal({ clock: () => LATER })
    await ingest(whole.journal, root)
    expect(dump(db)).toBe(dump(whole.db))
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

/** A part as it is before it is whole. */
const begun = (data: Json): Json =>
  data.type === 'text'
    ? said('…')
    : data.type === 'tool'
      ? { ...data, state: { ...(data.state as Json), status: 'running', output: '', metadata: {} } }
      : data

test('read at any moment of its life it ends as the same journal, byte for byte', async () => {
  const sessions = ['ses_a1', 'ses_b2'].map((id) => {
    const s = opencodeSession(id)
    for (let n = 0; n < 3; n++) {
      s.user(`build part ${n} of ${id} héllo 😀`)
      s.agent(
        said('Working.'),
        tool('bash', { command: `make ${n}` }, { output: 'ok', metadata: { exit: n % 2 } }),
      )
      s.agent(said(`Part ${n} is done.`))
    }
    return s.session
  })
  const root = temporaryFolder()
  const path = join(root, 'opencode.db')
  const clock = () => LATER
  // Every write the program makes, in its order: a message begins, its parts grow, it ends.
  const steps = sessions.flatMap((session) => [
    (own: ReturnType<typeof opencodeDatabase>) => own.session(session),
    ...session.messages.flatMap((message) => [
      (own: ReturnType<typeof opencodeDatabase>) => {
        const { completed: _, ...time } = message.data.time as Record<string, number>
        own.message(session, { ...message, data: { ...message.data, time } })
      },
      ...message.parts.flatMap((part) => [
        (own: ReturnType<typeof opencodeDatabase>) =>
          own.part(session, message, { id: part.id, data: begun(part.data) }),
        (own: ReturnType<typeof opencodeDatabase>) => own.part(session, message, part),
      ]),
      (own: ReturnType<typeof opencodeDatabase>) => own.message(session, message),
    ]),
  ])
  const make = () => {
    for (const end of ['', '-wal', '-shm']) rmSync(`${path}${end}`, { force: true })
    return opencodeDatabase(path)
  }
  const whole = openJournal({ clock })
  const first = make()
  for (const step of steps) step(first)
  await ingest(whole.journal, root)
  const expected = dump(whole.db)
  expect(items(whole.db).length).toBeGreaterThan(25)
  first.db.close()
  const looks = fc.array(fc.integer({ min: 0, max: steps.length - 1 }), { maxLength: 6 })
  const program = fc.record({ looks, idle: fc.boolean(), checkpoint: fc.boolean(), vacuum: fc.boolean() })
  await fc.assert(
    fc.asyncProperty(program, async ({ looks: at, idle, checkpoint, vacuum }) => {
      const own = make()
      const { db, journal } = openJournal({ clock: () => (idle ? LATER : T0) })
      for (const [n, step] of steps.entries()) {
        step(own)
        if (!at.includes(n)) continue
        await ingest(journal, root)
        if (checkpoint) own.db.pragma('wal_checkpoint(TRUNCATE)')
        if (vacuum) own.db.exec('VACUUM')
      }
      own.db.close()
      utimesSync(path, LATER / 1000, LATER / 1000)
      await ingest(journal, root)
      expect(brokenInvariants(db)).toEqual([])
      expect(dump(db)).toBe(expected)
    }),
    { numRuns: 15 * Number(process.env.FOVEA_SOAK ?? 1) },
  )
}, 120_000)
