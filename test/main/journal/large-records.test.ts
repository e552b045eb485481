import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { health, listSources, verifyPointer } from '../../../src/main/journal'
import { slim } from '../../../src/main/journal/reading/slim'
import { temporaryFolder } from '../../support'
import { append, ingest, items, openJournal, put, scribe } from './transcripts'

const MB = 1024 * 1024

describe('a record of many megabytes', () => {
  test('loses the middle of its enormous strings before it is parsed, never a character or an escape', () => {
    const unit = fc.constantFrom('plain words ', 'größe “日本” ', '\u0007', '😀', '\\', '"', '\n', '\ud83d')
    fc.assert(
      fc.property(fc.array(unit, { minLength: 3, maxLength: 9 }), fc.boolean(), (units, nested) => {
        const text = units.join('').repeat(Math.ceil((5 * MB) / units.join('').length))
        const inner = { before: 'kept', text, after: ['kept', 1] }
        const json = Buffer.from(JSON.stringify(nested ? { arguments: JSON.stringify(inner) } : inner))
        const small = slim(json)
        // Enough escapes in a row leave no place to cut at; then the string stays whole.
        if (small !== json) expect(small.length).toBeLessThan(MB)
        const value = JSON.parse(small.toString('utf8'))
        const found = nested ? JSON.parse(value.arguments) : value
        expect(found.before).toBe('kept')
        expect(found.after).toEqual(['kept', 1])
        expect(found.text.startsWith(text.slice(0, 60_000))).toBe(true)
        expect(found.text.endsWith(text.slice(-30_000))).toBe(true)
      }),
      { numRuns: 3 },
    )
  }, 120_000)

  test('a picture in it, and a shorter record, stay as they are', () => {
    const picture = Buffer.from(JSON.stringify({ data: 'iVBORw0KGgo'.repeat(MB / 2) }))
    expect(slim(picture)).toBe(picture)
    const short = Buffer.from(JSON.stringify({ text: 'words '.repeat(MB / 2) }))
    expect(slim(short)).toBe(short)
  })

  test('gives the item it gave before: the beginning, the ending, and a pointer that holds', async () => {
    const root = temporaryFolder()
    const s = scribe()
    s.user('Copy the report')
    s.said(`It begins here. ${'größe “quoted” and more\n'.repeat(300_000)} It ends here.`)
    s.user('And now the next one')
    const { db, journal } = openJournal()
    const report = await ingest(journal, put(`${root}/s.jsonl`, s.text()))
    expect(report.records.errors).toBe(0)
    const said = items(db).find((item) => item.text.startsWith('It begins here.'))
    expect(said?.text.endsWith('It ends here.')).toBe(true)
    const { file, byteOffset, byteLength, hash } = said?.pointer ?? scribeNothing()
    const stored = { file_path: file, byte_offset: byteOffset, byte_length: byteLength, record_hash: hash }
    expect(await verifyPointer(stored)).toBe('unchanged')
    // Told whole by a later reading, which loads the record again.
    expect(items(db).filter((item) => item.text.startsWith('It begins here.'))).toHaveLength(1)
  })

  test('as the first of its file does not hide what the file is', async () => {
    const root = temporaryFolder()
    const s = scribe()
    s.user(`Mend the export. ${'This is the log of it. '.repeat(20_000)}`)
    s.said('Mended.')
    const { db, journal } = openJournal()
    const report = await ingest(journal, put(`${root}/s.jsonl`, s.text()), { perFile: true })
    expect(report.perFile?.map((file) => file.format)).toEqual(['claude-code'])
    expect(items(db).map((item) => item.kind)).toEqual(['goal', 'conclusion'])
  })

  test('behind a first line over the limit the file is still told by what follows', async () => {
    const root = temporaryFolder()
    const s = scribe()
    s.user('Mend the export')
    s.said('Mended.')
    const path = put(`${root}/s.jsonl`, `${'x'.repeat(33 * MB)}\n${s.text()}`)
    const { db, journal } = openJournal()
    const report = await ingest(journal, path, { perFile: true })
    expect(report.perFile?.map((file) => file.format)).toEqual(['claude-code'])
    expect(report.errors.map(({ line, reason }) => `${line} ${reason}`)).toEqual([
      '1 a line of 33 MB, over the limit of 32 MB (kept as a pointer)',
    ])
    expect(items(db).map((item) => item.kind)).toEqual(['goal', 'conclusion'])
  })
})

test('a passage of a document over the limit keeps its beginning, its end and its pointer, and is listed', async () => {
  const root = temporaryFolder()
  const long = 'a line of the log that was pasted in\n'.repeat(950_000)
  const text = `## User\n\nRead this log\n\n## Assistant\n\nIt begins here.\n${long}It ends here.\n\n## User\n\nThank you for that, now mend it\n`
  const path = put(`${root}/talk.md`, text)
  const { db, journal } = openJournal()
  const report = await ingest(journal, path, { perFile: true })
  expect(report.errors.map(({ line, reason }) => `${line} ${reason}`)).toEqual([
    '5 a passage of 34 MB, over the limit of 32 MB (its beginning, its end and its pointer kept)',
  ])
  const said = items(db).find((item) => item.text.startsWith('It begins here.'))
  expect(said?.text.trimEnd().endsWith('It ends here.')).toBe(true)
  expect(said?.pointer).toMatchObject({ line: 5, byteOffset: text.indexOf('## Assistant') })
  const { file, byteOffset, byteLength, hash } = said?.pointer ?? scribeNothing()
  const stored = { file_path: file, byte_offset: byteOffset, byte_length: byteLength, record_hash: hash }
  expect(await verifyPointer(stored)).toBe('unchanged')
  const [source] = listSources(db)
  expect(health(db, source?.id ?? '').errorsTotal).toBe(1)
})

function scribeNothing(): never {
  throw new Error('there is no such item')
}

test('a file that begins with a broken line is told by what is appended later', async () => {
  const path = put(`${temporaryFolder()}/s.jsonl`, '{"type":"user","uuid":"cut-1","message":\n')
  const { db, journal } = openJournal()
  await ingest(journal, path)
  const s = scribe()
  s.user('Mend the export')
  append(path, s.text())
  const report = await ingest(journal, path, { perFile: true })
  expect(report.perFile?.map((file) => [file.format, file.records.errors])).toEqual([['claude-code', 1]])
  expect(items(db).map((item) => item.text)).toEqual(['Mend the export'])
})
