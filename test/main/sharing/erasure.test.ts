import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  enrol,
  ingestSources,
  listRemoved,
  listSources,
  removeSource,
  setState,
  sourceToForget,
} from '../../../src/main/journal'
import { eraseSource, resumeErasures } from '../../../src/main/sharing'
import { checkIntegrity, erasureSql, openRead, openWrite } from '../../../src/main/store'
import { receiptBodies } from '../../packed'
import { temporaryFolder } from '../../support'
import {
  brokenInvariants,
  contextOf,
  dump,
  ingest,
  items,
  openJournal,
  put,
  scribe,
} from '../journal/transcripts'
import { fill, leftIn, planted, SENTENCES, writeOther, writePlanted } from './erased-source'

const ALL = Array.from({ length: SENTENCES }, (_, n) => planted(n))

async function full() {
  const mine = join(temporaryFolder(), 'mine')
  const other = join(temporaryFolder(), 'other')
  writePlanted(mine)
  writeOther(other)
  const { db, journal } = openJournal()
  await fill(db, journal, mine, other)
  const id = listSources(db).find((source) => source.path === mine)?.id ?? ''
  return { db, journal, mine, other, id }
}

describe('a source that is removed and forgotten', () => {
  test(`leaves none of ${SENTENCES} planted sentences in any file of the data folder`, async () => {
    const { db, journal, id, mine } = await full()
    const folder = leftIn(db, ALL)
    // The sentences are where they should be before: in the database, its log and the copy of it.
    expect(new Set(folder.map((line) => line.split(' in ').at(-1)))).toContain('fovea.db.v13.bak')
    expect(
      db.get<{ n: number }>(`SELECT count(*) AS n FROM gates WHERE origin = 'transcript'`)?.n,
    ).toBeGreaterThan(5)
    expect(db.get<{ n: number }>('SELECT count(*) AS n FROM traces')?.n).toBeGreaterThan(0)
    const titles = db.all<{ body: string }>('SELECT body FROM traces WHERE call_id IS NOT NULL')
    expect(titles.filter(({ body }) => body.includes('bay')).length).toBeGreaterThan(5)

    const handles = items(db).flatMap(({ handle, pointer }) =>
      pointer.file.startsWith(mine) ? [handle] : [],
    )
    const report = await eraseSource(journal, id)
    expect(report.swept).toBe(true)
    // A handle is a hash of what was said, by which few words can be guessed.
    expect(handles.length).toBeGreaterThan(50)
    expect(leftIn(db, handles)).toEqual([])
    expect(report.counts).toMatchObject({ backups: 1 })
    for (const count of ['items', 'receipts', 'gates'] as const)
      expect(report.counts[count]).toBeGreaterThan(5)
    expect(leftIn(db, ALL)).toEqual([])
    // Words of what went stand in breadcrumbs of receipts that do not name it, and names of projects beside cells.
    const crumbs = receiptBodies(db).flatMap(
      (body) => (JSON.parse(body) as { breadcrumbs: string[] }).breadcrumbs,
    )
    expect(crumbs).toEqual([])
    expect(db.all(`SELECT project FROM cell_balance WHERE project = 'quarry'`)).toEqual([])
  }, 120_000)

  test('keeps everything of the others, whole and in order', async () => {
    const { db, journal, id, other } = await full()
    await eraseSource(journal, id)
    const alone = openJournal()
    await ingest(alone.journal, other)
    expect(dump(db)).toBe(dump(alone.db))
    const wrong = brokenInvariants(db).filter((line) => !line.startsWith('indexed items that wait'))
    expect(wrong).toEqual([])
    expect(checkIntegrity(db, 'full')).toEqual({ ok: true, problems: [] })
    // The verdict on what stays stands; the words it was given for are gone.
    expect(db.all('SELECT verdict, goal FROM feedback WHERE undone_at IS NULL')).toEqual([
      { verdict: 'pin', goal: '[erased]' },
    ])
    // A receipt can still be opened: what went stands there as such.
    const reasons = receiptBodies(db).flatMap(
      (body) => (JSON.parse(body) as { omitted: { reason: string }[] }).omitted,
    )
    expect(reasons.some(({ reason }) => reason === 'erased')).toBe(true)
    expect(db.all('SELECT kind, stage FROM erasures')).toEqual([{ kind: 'source', stage: 'done' }])
    expect(db.all('SELECT * FROM erasing_items')).toEqual([])
  }, 120_000)

  test('keeps what a source that stays holds too, whichever of them told it first', async () => {
    const mine = join(temporaryFolder(), 'mine')
    const copy = join(temporaryFolder(), 'copy')
    const s = scribe('P1')
    s.user('Count the walruses')
    s.said('Seven.')
    const shared = s.text()
    s.user('And those in the harbour')
    put(join(mine, 'a.jsonl'), s.text())
    put(join(copy, 'a.jsonl'), shared)
    for (const [first, second] of [
      [mine, copy],
      [copy, mine],
    ] as const) {
      const { db, journal } = openJournal()
      await ingest(journal, first)
      await ingest(journal, second)
      const before = new Map(
        items(db).map((item) => [
          item.handle,
          db.get('SELECT id FROM items WHERE handle = ?', [item.handle]),
        ]),
      )
      const id = listSources(db).find((source) => source.path === mine)?.id ?? ''
      await eraseSource(journal, id)
      expect(items(db).map((item) => item.text)).toEqual(['Count the walruses', 'Seven.'])
      // Not written anew: verdicts, vectors and rungs of these items stay with them.
      for (const item of items(db))
        expect(db.get('SELECT id FROM items WHERE handle = ?', [item.handle])).toEqual(
          before.get(item.handle),
        )
      expect(items(db).every((item) => item.pointer.file.startsWith(copy))).toBe(true)
      expect(brokenInvariants(db)).toEqual([])
    }
  })

  test('keeps what a paused source told, which is not read again', async () => {
    const mine = join(temporaryFolder(), 'mine')
    const copy = join(temporaryFolder(), 'copy')
    const s = scribe('P1')
    s.user('Count the walruses')
    for (const root of [mine, copy]) put(join(root, 'a.jsonl'), s.text())
    const { db, journal } = openJournal()
    await ingest(journal, mine)
    await ingest(journal, copy)
    const id = (path: string): string => listSources(db).find((source) => source.path === path)?.id ?? ''
    setState(journal, id(copy), 'paused')
    await eraseSource(journal, id(mine))
    expect(items(db).map((item) => item.text)).toEqual(['Count the walruses'])
  })

  test('inside a source that stays, hands its files over to that one', async () => {
    const root = temporaryFolder()
    writeOther(join(root, 'inner'))
    const { db, journal } = openJournal()
    await ingest(journal, join(root, 'inner'))
    const before = dump(db)
    enrol(journal, { path: root })
    const id = listSources(db).find((source) => source.path === join(root, 'inner'))?.id ?? ''
    await eraseSource(journal, id)
    expect(dump(db)).toBe(before)
    expect(listSources(db).map(({ path, items: held }) => ({ path, some: held > 0 }))).toEqual([
      { path: root, some: true },
    ])
  })

  test('is not brought back by a reading that had begun, nor by another process that watches it', async () => {
    const { db, journal, mine, id } = await full()
    const source = listSources(db).find((one) => one.id === id)
    const row = db.get<never>('SELECT * FROM sources WHERE id = ?', [id]) as never
    // Another process listed the files, and has read the first chunk of one of them.
    const second = openWrite(db.path)
    const elsewhere = contextOf(second)
    await eraseSource(journal, id)
    writeFileSync(join(mine, 'P0.jsonl'), `${scribe('P0').text()}`)
    writePlanted(mine)
    await ingestSources(elsewhere, [row])
    expect(source?.path).toBe(mine)
    expect(listSources(db).some((one) => one.path === mine)).toBe(false)
    expect(items(db).some((item) => item.text.includes('walrus'))).toBe(false)
    second.close()
    expect(leftIn(db, ALL)).toEqual([])
  }, 120_000)

  test('with another process in the middle of reading the database: told as unfinished, and finished later', async () => {
    const { db, journal, id } = await full()
    const reader = openRead(db.path)
    const rows = reader.iterate('SELECT * FROM items')
    rows.next()
    const report = await eraseSource(journal, id)
    expect(report.swept).toBe(false)
    expect(erasureSql.openErasures(db)).toHaveLength(1)
    rows.return?.()
    reader.close()
    expect(await resumeErasures(journal)).toBe(true)
    expect(erasureSql.openErasures(db)).toEqual([])
    expect(leftIn(db, ALL)).toEqual([])
  }, 120_000)

  test('that was removed before and kept is forgotten like any other: no planted sentence is left', async () => {
    const { db, journal, mine, other, id } = await full()
    removeSource(journal, id)
    expect(listRemoved(db)).toMatchObject([{ id, path: mine, kind: 'folder' }])
    expect(leftIn(db, ALL).length).toBeGreaterThan(0)
    expect(sourceToForget(journal, id)).toBe(id)
    expect((await eraseSource(journal, id)).swept).toBe(true)
    expect(leftIn(db, ALL)).toEqual([])
    expect(listRemoved(db)).toEqual([])
    expect(listSources(db).map(({ path }) => path)).toEqual([other])
    const alone = openJournal()
    await ingest(alone.journal, other)
    expect(dump(db)).toBe(dump(alone.db))
    expect(db.all('SELECT * FROM erasing_items')).toEqual([])
  }, 120_000)

  test('also by its path, where nothing else is known of it; a part of a path and another’s name do not count', async () => {
    const root = temporaryFolder()
    const s = scribe('A')
    s.user('build the cart')
    put(join(root, 'mine', 'a.jsonl'), s.text())
    const t = scribe('B')
    t.user('build the checkout')
    put(join(root, 'mine-too', 'b.jsonl'), t.text())
    const { db, journal } = openJournal()
    await ingest(journal, join(root, 'mine'))
    await ingest(journal, join(root, 'mine-too'))
    for (const { id } of listSources(db)) removeSource(journal, id)
    db.run('DELETE FROM removed_sources')
    expect(() => sourceToForget(journal, join(root, 'min'))).toThrow(/nothing is left/)
    const id = sourceToForget(journal, join(root, 'mine'))
    await eraseSource(journal, id)
    expect(items(db).map(({ text }) => text)).toEqual(['build the checkout'])
    expect(() => sourceToForget(journal, join(root, 'mine'))).toThrow(/nothing is left/)
  })

  test('that was removed, cleaned up by its agent and enrolled again takes along what came from it before', async () => {
    const root = temporaryFolder()
    const s = scribe('A')
    s.user('build the cart')
    const path = put(join(root, 'a.jsonl'), s.text())
    const { db, journal } = openJournal()
    await ingest(journal, root)
    removeSource(journal, listSources(db)[0]?.id ?? '')
    rmSync(path)
    const t = scribe('B')
    t.user('build the checkout')
    put(join(root, 'b.jsonl'), t.text())
    await ingest(journal, root)
    expect(listRemoved(db)).toEqual([])
    expect(items(db)).toHaveLength(2)
    await eraseSource(journal, listSources(db)[0]?.id ?? '')
    expect(items(db)).toEqual([])
  })

  test('leaves no project’s name with the summaries that wait', async () => {
    const root = temporaryFolder()
    const s = scribe('A', { cwd: '/srv/zanzibar' })
    s.user('build the cart')
    put(join(root, 'mine', 'a.jsonl'), s.text())
    const t = scribe('B', { cwd: '/srv/shop' })
    t.user('build the checkout')
    put(join(root, 'other', 'b.jsonl'), t.text())
    const { db, journal } = openJournal()
    await ingest(journal, join(root, 'mine'))
    await ingest(journal, join(root, 'other'))
    const waiting = () =>
      db.all<{ subject: string }>('SELECT subject FROM rollup_queue').map((row) => row.subject)
    for (const project of ['zanzibar', 'shop'])
      for (const subject of [`prj_${project}`, `day_2026-03-03/${project}`])
        db.run('INSERT OR IGNORE INTO rollup_queue VALUES (?)', [subject])
    db.run("INSERT OR IGNORE INTO rollup_queue VALUES ('day_2026-03-03/*'), ('prj_')")
    await eraseSource(journal, listSources(db).find(({ path }) => path.endsWith('mine'))?.id ?? '')
    expect(waiting().filter((subject) => subject.includes('zanzibar'))).toEqual([])
    expect(waiting()).toEqual(
      expect.arrayContaining(['prj_shop', 'day_2026-03-03/shop', 'day_2026-03-03/*', 'prj_']),
    )
    expect(leftIn(db, ['zanzibar'])).toEqual([])
  })

  test('that is not enrolled cannot be forgotten', async () => {
    const { journal } = openJournal()
    await expect(eraseSource(journal, 'src_x')).rejects.toMatchObject({ code: 'not-found' })
  })
})
