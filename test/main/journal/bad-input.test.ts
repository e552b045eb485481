import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { health, listSources, targetAt } from '../../../src/main/journal'
import { temporaryFolder } from '../../support'
import { brokenInvariants, dump, ingest, items, jsonl, openJournal, put, scribe } from './transcripts'

const prompt = (session: string, text: string): string => {
  const s = scribe(session)
  s.user(text)
  return s.text()
}

/** A folder of everything that goes wrong, each bad thing between two good records. */
function badFolder(): string {
  const root = temporaryFolder()
  const around = (name: string, bad: string | Buffer): void => {
    const first = prompt(`${name}-1`, `before ${name} comes the work`)
    const last = prompt(`${name}-2`, `after ${name} the work goes on`)
    put(
      join(root, `${name}.jsonl`),
      Buffer.concat([Buffer.from(first), Buffer.from(bad as string), Buffer.from(last)]),
    )
  }
  around('cut', `${prompt('x', 'never seen').slice(0, 120)}\n`)
  around('cut-and-glued', prompt('x', 'never seen').slice(0, 120))
  around('glued', prompt('glued-3', 'glued to the next').trimEnd())
  around('nul', '\0\0\0\0\0\n')
  around('nul-inside', prompt('nul-inside-3', 'NUL here').replace('NUL', 'N\0UL'))
  around('latin1', Buffer.from(prompt('latin1-3', 'caf\xe9 in latin one'), 'latin1'))
  around('surrogate', prompt('surrogate-3', 'half an emoji X').replace('X', '\\ud83d'))
  around('number', '42\n')
  around('crlf', '\r\n \r\n')
  around('huge', `{"type":"user","x":"${'y'.repeat(40 * 1024 * 1024)}"}\n`)
  put(join(root, 'bom.jsonl'), `\uFEFF${prompt('bom', 'behind a byte order mark')}`)
  put(join(root, 'empty.jsonl'), '')
  put(join(root, 'only-broken.jsonl'), '{"a":\n{"b"\n')
  put(join(root, 'waiting.jsonl'), `${prompt('waiting', 'the last line waits')}{"type":"user","uu`)
  put(join(root, 'no-newline.jsonl'), prompt('no-newline', 'no newline at the end').trimEnd())
  mkdirSync(join(root, 'folder.jsonl'))
  put(join(root, 'folder.jsonl', 'inside.jsonl'), prompt('inside', 'inside the odd folder'))
  put(join(root, 'secret.jsonl'), prompt('secret', 'nobody may read this'))
  chmodSync(join(root, 'secret.jsonl'), 0)
  symlinkSync(join(root, 'loop.jsonl'), join(root, 'loop.jsonl'))
  symlinkSync(root, join(root, 'again'))
  symlinkSync(join(root, 'missing'), join(root, 'dangling.jsonl'))
  symlinkSync('/', join(root, 'outside'))
  writeFileSync(join(root, 'notes.txt'), 'not a transcript')
  return root
}

// The superuser reads everything.
const mayReadAll = process.getuid?.() === 0

test('a folder of broken files: every loss is named by file and line, nothing else is lost', async () => {
  const root = badFolder()
  const { db, journal } = openJournal()
  const report = await ingest(journal, root, { perFile: true })
  expect(brokenInvariants(db)).toEqual([])
  const texts = items(db).map((item) => item.text)
  for (const name of [
    'cut',
    'cut-and-glued',
    'glued',
    'nul',
    'nul-inside',
    'latin1',
    'surrogate',
    'number',
    'crlf',
    'huge',
  ]) {
    expect(texts).toContain(`before ${name} comes the work`)
    expect(texts).toContain(`after ${name} the work goes on`)
  }
  for (const text of [
    'glued to the next',
    'NUL here',
    'caf\uFFFD in latin one',
    'half an emoji \uFFFD',
    'behind a byte order mark',
    'the last line waits',
    'no newline at the end',
    'inside the odd folder',
  ]) {
    expect(texts).toContain(text)
  }
  expect(texts.filter((text) => text.includes('40 MB'))).toHaveLength(1)
  const losses = report.errors.map(
    (error) => `${error.file.slice(root.length + 1)}:${error.line} ${error.reason}`,
  )
  const [records, whole] = [/:[1-9]\d* /, /:0 /].map((kind) =>
    losses.filter((loss) => kind.test(loss)).sort(),
  )
  expect(records).toEqual([
    'cut-and-glued.jsonl:2 broken JSON',
    'cut.jsonl:2 broken JSON',
    'huge.jsonl:2 a line of 40 MB, over the limit of 32 MB (kept as a pointer)',
    'latin1.jsonl:2 bytes that are not UTF-8 (kept, with replacement marks)',
    'nul-inside.jsonl:2 NUL bytes inside the record (kept, without them)',
    'nul.jsonl:2 NUL bytes',
    'number.jsonl:2 not a JSON object',
    'only-broken.jsonl:1 broken JSON',
    'only-broken.jsonl:2 broken JSON',
  ])
  // What could not be read at all is in the run's own report too, as line 0.
  expect(whole).toEqual([
    'dangling.jsonl:0 a link that leads nowhere',
    'folder.jsonl:0 a folder with the name of a transcript',
    'loop.jsonl:0 a link that leads to itself',
    'outside:0 a link out of the source; enrol what it leads to',
    ...(mayReadAll ? [] : ['secret.jsonl:0 Fovea may not read this file']),
  ])
  const [source] = listSources(db)
  const found = health(db, source?.id ?? '')
  expect(found.errorsTotal).toBe(records?.length)
  expect(found.waiting).toEqual([{ file: join(root, 'waiting.jsonl'), line: 2, bytes: 18 }])
  const unreadable = found.unreadable.map((file) => `${file.file.slice(root.length + 1)}: ${file.reason}`)
  expect(unreadable).toEqual([
    'dangling.jsonl: a link that leads nowhere',
    'folder.jsonl: a folder with the name of a transcript',
    'loop.jsonl: a link that leads to itself',
    'outside: a link out of the source; enrol what it leads to',
    ...(mayReadAll ? [] : ['secret.jsonl: Fovea may not read this file']),
  ])
})

test('the same broken folder again: nothing is read, nothing changes', async () => {
  const root = badFolder()
  const { db, journal } = openJournal()
  await ingest(journal, root)
  const before = dump(db)
  const again = await ingest(journal, root)
  expect(again).toMatchObject({ bytes: 0, new: 0, updated: 0 })
  expect(dump(db)).toBe(before)
})

test('the last words of a file without a newline count once, also when the newline comes later', async () => {
  const path = join(temporaryFolder(), 'x.jsonl')
  const first = prompt('a', 'a first request').trimEnd()
  put(path, first)
  const { db, journal } = openJournal()
  expect((await ingest(journal, path)).records.read).toBe(1)
  put(path, `${first}\n${prompt('b', 'a second request')}`)
  expect((await ingest(journal, path)).records).toMatchObject({ read: 1, used: 1, errors: 0 })
  expect(items(db).map((item) => [item.text, item.pointer.line])).toEqual([
    ['a first request', 1],
    ['a second request', 2],
  ])
})

test('a text that is no transcript is said to be none, and is not read again', async () => {
  const path = put(join(temporaryFolder(), 'notes.txt'), 'dear diary\nnothing happened\n')
  const { db, journal } = openJournal()
  const report = await ingest(journal, path)
  expect(report.records.read).toBe(0)
  const [source] = listSources(db)
  expect(health(db, source?.id ?? '').unreadable).toEqual([
    { file: path, reason: 'no transcript format that Fovea knows' },
  ])
})

test('generic records of wrong types cost themselves only', async () => {
  const path = put(
    join(temporaryFolder(), 'g.jsonl'),
    jsonl([
      { session: 's', role: 'user', text: 'a real request' },
      { session: 's', role: 'user', text: 7 },
      { session: 's', role: 'captain', text: 'x' },
      { session: 's', role: 'user', text: null },
      {
        session: null,
        role: 'assistant',
        text: 'fine',
        ts: 'yesterday',
        name: null,
        goal: 3,
        images: 'no',
        project: {},
      },
      { foo: 1 },
    ]),
  )
  const { db, journal } = openJournal()
  const report = await ingest(journal, path)
  expect(report.records).toMatchObject({
    read: 6,
    used: 2,
    errors: 2,
    dropped: { empty: 1, 'unknown-record': 1 },
  })
  expect(brokenInvariants(db)).toEqual([])
})

test('a single path that cannot be read at all is refused with the reason', () => {
  const root = temporaryFolder()
  symlinkSync(join(root, 'missing'), join(root, 'dangling.jsonl'))
  symlinkSync(join(root, 'loop.jsonl'), join(root, 'loop.jsonl'))
  const { journal } = openJournal()
  const at = (name: string) => () => targetAt(journal, { path: join(root, name) })
  expect(at('dangling.jsonl')).toThrow(/cannot be read: a link that leads nowhere/)
  expect(at('dangling.jsonl')).toThrow(expect.objectContaining({ code: 'unreadable' }))
  expect(at('loop.jsonl')).toThrow(expect.objectContaining({ code: 'unreadable' }))
  expect(at('nothing.jsonl')).toThrow(expect.objectContaining({ code: 'not-found' }))
  expect(listSources(journal.db)).toEqual([])
})

test.skipIf(mayReadAll)(
  'a single file or folder without the right to read it is refused, enrolled or not',
  () => {
    const root = temporaryFolder()
    const { journal } = openJournal()
    const file = put(join(root, 'a.jsonl'), prompt('a', 'nobody may read this'))
    mkdirSync(join(root, 'folder'))
    targetAt(journal, { path: file })
    for (const path of [file, join(root, 'folder')]) {
      chmodSync(path, 0)
      const reading = () => targetAt(journal, { path })
      expect(reading).toThrow(expect.objectContaining({ code: 'unreadable' }))
      expect(reading).toThrow(/Fovea may not read this file/)
      chmodSync(path, 0o700)
    }
  },
)

test('a file whose name is not UTF-8 is there, and said to be so', async () => {
  const root = temporaryFolder()
  const name = Buffer.concat([Buffer.from(`${root}/caf`), Buffer.from([0xe9]), Buffer.from('.jsonl')])
  writeFileSync(name, prompt('a', 'odd name'))
  const { journal } = openJournal()
  const report = await ingest(journal, root)
  expect(report.errors.map(({ line, reason }) => [line, reason])).toEqual([
    [0, 'its name is not UTF-8; rename it'],
  ])
  rmSync(name)
})
