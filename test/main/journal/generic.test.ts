import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ingestStream, silent } from '../../../src/main/journal'
import { temporaryFolder } from '../../support'
import { append, brokenInvariants, dump, ingest, items, jsonl, openJournal, put } from './transcripts'

async function read(records: readonly unknown[]) {
  const { db, journal } = openJournal()
  const path = put(join(temporaryFolder(), 'talk.jsonl'), jsonl(records))
  const report = await ingest(journal, path)
  expect(brokenInvariants(db)).toEqual([])
  return { all: items(db), report, db, journal, path }
}

test('turns become goals and conclusions, with the time and project of their records', async () => {
  const { all } = await read([
    {
      id: '1',
      session: 's',
      ts: '2026-03-03T09:00:00Z',
      role: 'user',
      text: 'book a room',
      project: 'travel',
    },
    { id: '2', session: 's', ts: 1772528401000, role: 'assistant', text: 'Looking.' },
    { id: '3', session: 's', ts: 1772528402000, role: 'tool', text: '3 rooms' },
    { id: '4', session: 's', ts: 1772528403000, role: 'assistant', text: 'Booked.' },
    { id: '5', session: 's', ts: 1772528404000, role: 'system', text: 'policy' },
    { id: '6', session: 's', ts: 1772528405000, role: 'user', text: 'thanks' },
  ])
  expect(all.map((item) => [item.kind, item.text, item.role, item.project])).toEqual([
    ['goal', 'book a room', 'user', 'travel'],
    ['note', 'Looking.', 'assistant', 'travel'],
    ['note', '3 rooms', 'tool', 'travel'],
    ['conclusion', 'Booked.', 'assistant', 'travel'],
    ['note', 'thanks', 'user', 'travel'],
  ])
  expect(all.every((item) => item.goal === all[0]?.handle)).toBe(true)
  expect(all[0]).toMatchObject({
    ts: Date.parse('2026-03-03T09:00:00Z'),
    pointer: { recordId: '1', line: 1 },
  })
})

test('an explicit goal wins over what the turns suggest', async () => {
  const { all } = await read([
    { session: 's', role: 'user', text: 'what do you think?', goal: 'choose a database' },
    { session: 's', role: 'assistant', text: 'SQLite.', goal: 'choose a database' },
    { session: 's', role: 'user', text: 'and the schema?', goal: 'design the schema' },
  ])
  const goals = all.filter((item) => item.kind === 'goal')
  expect(goals.map((item) => item.text)).toEqual(['choose a database', 'design the schema'])
  const under = (goal: number): (string | undefined)[] =>
    all.filter((item) => item.goal === goals[goal]?.handle && item.kind !== 'goal').map((item) => item.text)
  expect(under(0)).toEqual(['what do you think?', 'SQLite.'])
  expect(under(1)).toEqual(['and the schema?'])
})

test('a request without a goal of its own is a new goal, and the explicit one comes back with the record that names it', async () => {
  const records = [
    { session: 's', role: 'user', text: 'hello there', goal: 'Fix the flaky upload test' },
    { session: 's', role: 'assistant', text: 'It waits for the server now.' },
    { session: 's', role: 'user', text: 'yes, go on' },
    { session: 's', role: 'user', text: 'Now please write the changelog' },
    { session: 's', role: 'assistant', text: 'Written.' },
    { session: 's', role: 'user', text: 'Now please write the changelog' },
    { session: 's', role: 'user', text: 'is it green?', goal: 'Fix the flaky upload test' },
    { session: 's', role: 'assistant', text: 'Green.' },
  ]
  const { all, db } = await read(records)
  expect(all.filter(({ kind }) => kind === 'goal').map(({ text }) => text)).toEqual([
    'Fix the flaky upload test',
    'Now please write the changelog',
  ])
  const goalOf = new Map(all.map(({ handle, text }) => [handle, text]))
  const under = (text: string): (string | undefined)[] =>
    all
      .filter((item) => item.kind !== 'goal' && goalOf.get(item.goal ?? '') === text)
      .map((item) => item.text)
  expect(under('Fix the flaky upload test')).toEqual([
    'hello there',
    'It waits for the server now.',
    'yes, go on',
    'is it green?',
    'Green.',
  ])
  expect(under('Now please write the changelog')).toEqual(['Written.', 'Now please write the changelog'])
  for (let cut = 1; cut < records.length; cut++) {
    const { db: pieces, journal } = openJournal()
    const path = put(join(temporaryFolder(), 'talk.jsonl'), jsonl(records.slice(0, cut)))
    await ingest(journal, path)
    append(path, jsonl(records.slice(cut)))
    await ingest(journal, path)
    expect(items(pieces).map(({ handle, kind, goal }) => [handle, kind, goal])).toEqual(
      items(db).map(({ handle, kind, goal }) => [handle, kind, goal]),
    )
  }
})

test('a talk between named people is kept as notes with their names', async () => {
  const { all } = await read([
    { session: 's', role: 'user', name: 'Ann', text: 'I went to the museum yesterday' },
    { session: 's', role: 'assistant', name: 'Bob', text: 'How was the museum?' },
    { session: 's', role: 'user', name: 'Ann', text: 'Full of dinosaurs' },
  ])
  expect(all.map((item) => [item.kind, item.data])).toEqual([
    ['goal', { name: 'Ann' }],
    ['note', { name: 'Bob' }],
    ['note', { name: 'Ann' }],
  ])
})

test('pictures are a hash, never their bytes', async () => {
  const png = Buffer.from(
    '89504e470d0a1a0a0000000d4948445200000002000000030802000000368849d6',
    'hex',
  ).toString('base64')
  const { all, db } = await read([
    {
      session: 's',
      role: 'user',
      text: 'see this',
      images: [
        `data:image/png;base64,${png}`,
        { data: png, mediaType: 'image/png', alt: 'a chart' },
        'http://x/y.png',
        7,
      ],
    },
  ])
  const pictures = all.filter((item) => item.kind === 'image')
  expect(pictures).toHaveLength(2)
  expect(pictures[0]?.data).toMatchObject({
    sha256: createHash('sha256').update(Buffer.from(png, 'base64')).digest('hex'),
    width: 2,
    height: 3,
  })
  expect(pictures[1]?.text).toContain('a chart')
  expect(dump(db)).not.toContain(png)
})

test('repeated turns without ids are as many turns; the same file again is none', async () => {
  const records = [
    { session: 's', role: 'user', text: 'again please, all of it' },
    { session: 's', role: 'user', text: 'again please, all of it' },
  ]
  const { all, db, journal, path } = await read(records)
  expect(all).toHaveLength(2)
  append(path, jsonl([{ session: 's', role: 'assistant', text: 'Done.' }]))
  await ingest(journal, path)
  expect(items(db)).toHaveLength(3)
})

test('times nobody stated are no part of the canonical journal', async () => {
  const { all } = await read([{ session: 's', role: 'user', text: 'when is it?' }])
  expect(all[0]?.ts).toBeNull()
})

test('a pipe is read like a file, and piping the same again changes nothing', async () => {
  const { db, journal } = openJournal()
  const text = jsonl([
    { session: 's', role: 'user', text: 'from a pipe' },
    { session: 's', role: 'assistant', text: 'into the journal' },
  ]).trimEnd()
  const first = await ingestStream(journal, { name: 'stdin', text, project: 'pipes' }, silent)
  expect(first).toMatchObject({ new: 2, records: { read: 2, used: 2 } })
  const before = dump(db)
  const second = await ingestStream(journal, { name: 'stdin', text }, silent)
  expect(second).toMatchObject({ new: 0, updated: 0 })
  expect(dump(db)).toBe(before)
  expect(items(db)[0]).toMatchObject({ project: 'pipes', pointer: { file: 'stream:stdin', line: 1 } })
  expect(brokenInvariants(db)).toEqual([])
})

test('records of two files under one session and id that say different things are both kept, in either order', async () => {
  const say = (text: string, n: number) => ({
    session: 's',
    id: '1',
    ts: 1772528400000 + n,
    role: 'user',
    text,
  })
  const folder = temporaryFolder()
  const journalOf = async (names: readonly string[]) => {
    const { db, journal } = openJournal()
    const texts: Record<string, string> = {
      'a.jsonl': 'book a room',
      'b.jsonl': 'cancel the room',
      'c.jsonl': 'book a room',
    }
    const counts = []
    for (const name of names) {
      const path = put(join(folder, name), jsonl([say(texts[name] ?? '', name.charCodeAt(0))]))
      counts.push((await ingest(journal, path)).records)
    }
    expect(brokenInvariants(db)).toEqual([])
    return { text: dump(db), all: items(db), counts }
  }
  const one = await journalOf(['a.jsonl', 'b.jsonl', 'c.jsonl'])
  expect(one.all.map((item) => item.text).sort()).toEqual(['book a room', 'cancel the room'])
  expect(one.counts.map(({ used, duplicates }) => [used, duplicates])).toEqual([
    [1, 0],
    [1, 0],
    [0, 1],
  ])
  expect((await journalOf(['c.jsonl', 'b.jsonl', 'a.jsonl'])).text).toBe(one.text)
})
