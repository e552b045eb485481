import { chmodSync, readFileSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  detect,
  enrol,
  health,
  ingestSources,
  listSources,
  removeSource,
  setState,
  targetAt,
  verifyPointer,
} from '../../../src/main/journal'
import { itemSql } from '../../../src/main/store'
import { temporaryFolder } from '../../support'
import { append, brokenInvariants, dump, ingest, items, openJournal, put, scribe } from './transcripts'

function prompt(session: string, ...texts: string[]): string {
  const s = scribe(session)
  for (const text of texts) s.user(text)
  return s.text()
}

describe('a file that changes', () => {
  test('only what was appended is read', async () => {
    const path = put(join(temporaryFolder(), 'a.jsonl'), prompt('A', 'the first request'))
    const { db, journal } = openJournal()
    await ingest(journal, path)
    const more = prompt('B', 'the second request')
    append(path, more)
    const report = await ingest(journal, path)
    expect(report).toMatchObject({ bytes: Buffer.byteLength(more), new: 1 })
    expect(items(db)).toHaveLength(2)
  })

  test('truncated and grown again, replaced, or rewritten in place: read anew, and nothing is there twice', async () => {
    const folder = temporaryFolder()
    const path = put(join(folder, 'a.jsonl'), prompt('A', 'one thing', 'two things', 'three things'))
    const { db, journal } = openJournal()
    await ingest(journal, path)
    const before = dump(db)

    writeFileSync(path, prompt('A', 'one thing'))
    expect(await ingest(journal, path)).toMatchObject({ new: 0, records: { read: 1, used: 1 } })
    writeFileSync(path, prompt('A', 'one thing', 'two things', 'three things'))
    await ingest(journal, path)
    expect(dump(db)).toBe(before)

    put(join(folder, 'new'), prompt('A', 'one thing', 'two things', 'three things', 'four things'))
    renameSync(join(folder, 'new'), path)
    expect(await ingest(journal, path)).toMatchObject({ new: 1, records: { read: 4 } })

    writeFileSync(path, prompt('A', 'one thing', 'TWO things', 'three things', 'four things'))
    utimesSync(path, new Date(), new Date(Date.now() + 5_000))
    await ingest(journal, path)
    expect(items(db).map((item) => item.text)).toEqual([
      'one thing',
      'TWO things',
      'three things',
      'four things',
    ])
    expect(brokenInvariants(db)).toEqual([])
  })

  test.each([2_000, 12_000, 40_000])(
    'edited in the middle, every length kept, while it grew at its end: read anew (%i bytes in)',
    async (at) => {
      const path = put(
        join(temporaryFolder(), 'a.jsonl'),
        prompt('A', ...Array.from({ length: 150 }, (_, n) => `thing number ${n} of a great many`)),
      )
      const { db, journal } = openJournal()
      await ingest(journal, path)
      const text = readFileSync(path, 'utf8')
      const place = text.indexOf('a great many', at)
      expect([place > 0, text.length < 64_000]).toEqual([true, true])
      writeFileSync(
        path,
        `${text.slice(0, place)}A GREAT MANY${text.slice(place + 12)}${prompt('B', 'one more')}`,
      )
      await ingest(journal, path)
      expect(items(db).filter((item) => item.text.includes('A GREAT MANY'))).toHaveLength(1)
      expect(brokenInvariants(db)).toEqual([])
    },
  )

  test('rewritten with another beginning and longer than before: seen by its head', async () => {
    const path = put(join(temporaryFolder(), 'a.jsonl'), prompt('A', 'one thing', 'two things'))
    const { db, journal } = openJournal()
    await ingest(journal, path)
    writeFileSync(path, `${prompt('Z', 'an earlier thing')}${prompt('A', 'one thing', 'two things')}`)
    await ingest(journal, path)
    expect(items(db).map((item) => [item.text, item.pointer.line])).toEqual([
      ['one thing', 2],
      ['two things', 3],
      ['an earlier thing', 1],
    ])
  })

  test('renamed or moved with its folder: nothing is read again, the pointers follow', async () => {
    const root = temporaryFolder()
    put(join(root, 'p', 'a.jsonl'), prompt('A', 'one thing'))
    put(join(root, 'p', 'b.jsonl'), prompt('B', 'other thing'))
    const { db, journal } = openJournal()
    await ingest(journal, root)
    renameSync(join(root, 'p'), join(root, 'q'))
    expect(await ingest(journal, root)).toMatchObject({ files: 2, bytes: 0, new: 0 })
    expect(items(db).map((item) => item.pointer.file)).toEqual([
      join(root, 'q/a.jsonl'),
      join(root, 'q/b.jsonl'),
    ])
  })

  test('gone and back, or copied elsewhere: the memory stays, and points to where it can be found', async () => {
    const root = temporaryFolder()
    const path = put(join(root, 'a.jsonl'), prompt('A', 'one thing'))
    const { db, journal } = openJournal()
    await ingest(journal, root)
    rmSync(path)
    await ingest(journal, root)
    expect(items(db)).toHaveLength(1)
    put(join(root, 'z', 'copy.jsonl'), prompt('A', 'one thing'))
    // Read anew, or known for a renamed file when the system gives the old inode again: never a new item.
    expect(await ingest(journal, root)).toMatchObject({ new: 0 })
    expect(items(db)[0]?.pointer.file).toBe(join(root, 'z/copy.jsonl'))
    rmSync(root, { recursive: true })
    await ingest(journal, root)
    expect(listSources(db)[0]?.lastError).toBe('The folder or file is not there.')
    put(join(root, 'z', 'copy.jsonl'), prompt('A', 'one thing'))
    await ingest(journal, root)
    expect(listSources(db)[0]).toMatchObject({ lastError: null, items: 1 })
  })

  test.skipIf(process.getuid?.() === 0)(
    'that may not be read for a while costs nothing but that while',
    async () => {
      const root = temporaryFolder()
      const path = put(join(root, 'a.jsonl'), prompt('A', 'one thing'))
      const { db, journal } = openJournal()
      chmodSync(path, 0)
      await ingest(journal, root)
      expect(health(db, listSources(db)[0]?.id ?? '').unreadable).toHaveLength(1)
      chmodSync(path, 0o600)
      expect(await ingest(journal, root)).toMatchObject({ new: 1 })
      expect(health(db, listSources(db)[0]?.id ?? '').unreadable).toEqual([])
    },
  )

  test('pointers say whether the record is unchanged, moved in its file, changed or gone', async () => {
    const path = put(join(temporaryFolder(), 'a.jsonl'), prompt('A', 'one thing', 'two things'))
    const { db, journal } = openJournal()
    await ingest(journal, path)
    const last = items(db)[1]?.handle ?? ''
    const row = itemSql.itemByHandle(db, last)
    if (!row) throw new Error('no item')
    expect(await verifyPointer(row)).toBe('unchanged')
    writeFileSync(path, `${prompt('Z', 'an earlier thing')}${prompt('A', 'one thing', 'two things')}`)
    expect(await verifyPointer(row)).toBe('moved')
    writeFileSync(path, prompt('A', 'one thing', 'too things'))
    expect(await verifyPointer(row)).toBe('changed')
    rmSync(path)
    expect(await verifyPointer(row)).toBe('gone')
  })
})

describe('a source', () => {
  test('is proposed by its name alone, and nothing in it is opened', () => {
    const home = temporaryFolder()
    put(join(home, '.claude/projects/-srv-shop/a.jsonl'), 'x'.repeat(100))
    put(join(home, '.claude-work/projects/-srv-shop/b.jsonl'), 'x')
    put(join(home, '.codex/sessions/2026/03/03/rollout-2026-03-03T09-00-00-x.jsonl'), 'x')
    put(join(home, '.config/Code/User/globalStorage/saoudrizwan.claude-dev/tasks/1/ui_messages.json'), 'x')
    put(join(home, '.gemini/tmp/x/logs.json'), 'x')
    const { db, journal } = openJournal()
    const found = detect(db, {}, home)
    expect(found.map((one) => [one.path.slice(home.length), one.agent, one.files, one.enrolled])).toEqual([
      ['/.claude/projects', 'claude-code', 1, false],
      ['/.claude-work/projects', 'claude-code', 1, false],
      ['/.codex/sessions', 'codex', 1, false],
      ['/.config/Code/User/globalStorage/saoudrizwan.claude-dev/tasks', 'cline', 1, false],
    ])
    expect(found[0]?.bytes).toBe(100)
    enrol(journal, { path: join(home, '.claude/projects') })
    expect(detect(db, {}, home)[0]?.enrolled).toBe(true)
    expect(detect(db, { CLAUDE_CONFIG_DIR: join(home, '.claude-work') }, temporaryFolder())).toHaveLength(1)
  })

  test('that is not there cannot be enrolled; one inside a source is that source’s part', async () => {
    const root = temporaryFolder()
    const path = put(join(root, 'p', 'a.jsonl'), prompt('A', 'one thing'))
    put(join(root, 'q', 'b.jsonl'), prompt('B', 'other thing'))
    const { db, journal } = openJournal()
    expect(() => enrol(journal, { path: join(root, 'nowhere') })).toThrow(/nothing to read/)
    enrol(journal, { path: root })
    const report = await ingestSources(journal, [targetAt(journal, { path })], { perFile: true })
    expect(report).toMatchObject({ files: 1, new: 1, items: { goal: 1 }, sessions: 1 })
    expect(report.perFile).toHaveLength(1)
    expect(listSources(db)).toHaveLength(1)
  })

  test('counts a session once, whatever tells it, and none of which nothing is kept', async () => {
    const root = temporaryFolder()
    const one = put(join(root, 'p', 'a.jsonl'), prompt('A', 'one thing'))
    put(join(root, 'q', 'a.jsonl'), prompt('A', 'one thing'))
    const empty = scribe('B')
    empty.user('<system-reminder>nothing to keep</system-reminder>')
    put(join(root, 'q', 'b.jsonl'), empty.text())
    const { db, journal } = openJournal()
    enrol(journal, { path: join(root, 'p') })
    enrol(journal, { path: join(root, 'q') })
    const report = await ingestSources(
      journal,
      [one, join(root, 'q')].map((path) => targetAt(journal, { path })),
    )
    expect(report).toMatchObject({ files: 3, sessions: 1 })
    expect(listSources(db).map(({ sessions }) => sessions)).toEqual([1, 1])
    expect(db.all('SELECT id FROM sessions')).toHaveLength(1)
    expect(db.all('SELECT DISTINCT session_id FROM file_sessions')).toHaveLength(2)
  })

  test('removed: the memory stays', async () => {
    const root = temporaryFolder()
    put(join(root, 'a.jsonl'), prompt('A', 'a zebra request', 'a second request'))
    const { db, journal } = openJournal()
    await ingest(journal, root)
    removeSource(journal, listSources(db)[0]?.id ?? '')
    expect(listSources(db)).toEqual([])
    expect(items(db)).toHaveLength(2)
    expect(() => removeSource(journal, 'src_x')).toThrow('There is no source “src_x”')
  })

  test('can be paused and resumed', async () => {
    const path = put(join(temporaryFolder(), 'a.jsonl'), prompt('A', 'one thing'))
    const { journal } = openJournal()
    const source = enrol(journal, { path })
    expect(setState(journal, source.id, 'paused').state).toBe('paused')
    expect(setState(journal, source.id, 'active').state).toBe('active')
  })

  test('linked folders inside a source are read once, and Fovea’s own folder never', async () => {
    const root = temporaryFolder()
    put(join(root, 'p', 'a.jsonl'), prompt('A', 'one thing'))
    put(join(root, 'fovea', 'own.jsonl'), prompt('B', 'never this'))
    symlinkSync(join(root, 'p'), join(root, 'link'))
    const { db, journal } = openJournal()
    const source = enrol(journal, { path: root })
    await ingestSources(journal, [source], { skip: [join(root, 'fovea')] })
    expect(items(db).map((item) => item.text)).toEqual(['one thing'])
  })

  test('near copies and bookkeeping files of the program are passed over', async () => {
    const root = temporaryFolder()
    put(join(root, 'p', 'A.jsonl'), prompt('A', 'one thing'))
    put(join(root, 'p', 'A', 'subagents', 'agent-acompact-1.jsonl'), prompt('C', 'never this'))
    put(join(root, 'p', 'A', 'subagents', 'agent-aprompt_suggestion-1.jsonl'), prompt('D', 'never this'))
    put(join(root, 'p', 'A', 'subagents', 'workflows', 'wf_1', 'journal.jsonl'), '{"x":1}\n')
    const { db, journal } = openJournal()
    expect(await ingest(journal, root)).toMatchObject({ files: 1 })
    expect(items(db)).toHaveLength(1)
  })
})

describe('the item budget of a session', () => {
  test('the most recent of each kind are indexed, the rest keep their text and can be found by name', async () => {
    const { db, journal } = openJournal({ budget: 50 })
    const s = scribe('A')
    s.user('do very many things')
    for (let n = 0; n < 60; n++) {
      s.call(`t${n}`, 'Bash', { command: `zebra${n} --run`, description: `elephant${n}` })
      s.result(`t${n}`, 'ok')
    }
    await ingest(journal, put(join(temporaryFolder(), 'a.jsonl'), s.text()))
    const commands = items(db).filter((item) => item.kind === 'command')
    expect(commands).toHaveLength(60)
    expect(commands.map((item) => item.indexed)).toEqual([...Array(51).fill(false), ...Array(9).fill(true)])
    const found = (word: string): number =>
      db.all('SELECT rowid FROM items_fts WHERE items_fts MATCH ?', [word]).length
    expect([found('elephant3'), found('zebra3'), found('elephant58')]).toEqual([0, 1, 1])
    expect(db.get('SELECT count(*) AS n FROM embed_queue')).toEqual({ n: 10 })
    expect(items(db)[0]).toMatchObject({ kind: 'goal', indexed: true })
    expect(brokenInvariants(db)).toEqual([])
  })
})
