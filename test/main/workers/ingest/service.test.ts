import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { listSources } from '../../../../src/main/journal'
import { ingestMethods } from '../../../../src/main/workers/ingest/ingest-methods'
import { IngestService } from '../../../../src/main/workers/ingest/service'
import { calls, type EventName, type EventPayload } from '../../../../src/shared/contract'
import type { IngestProgress } from '../../../../src/shared/journal'
import { temporaryFolder } from '../../../support'
import { append, brokenInvariants, items, jsonl, openJournal, put, scribe } from '../../journal/transcripts'

/** A service over a real database, and a way to wait for what it tells. */
function started(options: { watch: boolean; resources?: string }) {
  const { db, journal } = openJournal()
  const told: { event: EventName; payload: unknown }[] = []
  const waiting = new Set<() => void>()
  const emit = <N extends EventName>(event: N, payload: EventPayload<N>): void => {
    told.push({ event, payload })
    for (const look of waiting) look()
  }
  const service = new IngestService({ journal, emit, skip: [], watch: options.watch })
  const methods = ingestMethods(journal, service, options.resources ?? temporaryFolder())
  onTestFinished(() => service.close())
  service.start()
  /** Answers when the journal holds what is asked for; looks whenever the service tells of something. */
  const until = (holds: () => boolean): Promise<void> =>
    new Promise((done) => {
      const look = (): void => {
        if (!holds()) return
        waiting.delete(look)
        done()
      }
      waiting.add(look)
      look()
    })
  return { db, journal, service, methods, told, until, texts: () => items(db).map((item) => item.text) }
}

const prompt = (session: string, text: string): string => {
  const s = scribe(session)
  s.user(text)
  return s.text()
}

describe('watching', () => {
  test('appended lines, new files, new folders and replaced files appear by themselves', async () => {
    const root = temporaryFolder()
    const path = put(join(root, 'p', 'a.jsonl'), prompt('A', 'it begins'))
    const { methods, until, texts, db } = started({ watch: true })
    await methods['sources.enrol']({ path: root })
    await until(() => texts().includes('it begins'))
    append(path, prompt('B', 'it goes on'))
    await until(() => texts().includes('it goes on'))
    append(path, prompt('C', 'in two halves').slice(0, 50))
    append(path, prompt('C', 'in two halves').slice(50))
    await until(() => texts().includes('in two halves'))
    put(join(root, 'p', 'new.jsonl'), prompt('D', 'a new file'))
    await until(() => texts().includes('a new file'))
    mkdirSync(join(root, 'q'))
    put(join(root, 'q', 'deep.jsonl'), prompt('E', 'a new folder'))
    await until(() => texts().includes('a new folder'))
    put(join(root, 'tmp'), prompt('F', 'put in place at once'))
    renameSync(join(root, 'tmp'), path)
    await until(() => texts().includes('put in place at once'))
    expect(brokenInvariants(db)).toEqual([])
  })

  test('a burst of appends and new files is all in, once', async () => {
    const root = temporaryFolder()
    const { methods, until, db } = started({ watch: true })
    await methods['sources.enrol']({ path: root })
    for (let n = 0; n < 300; n++) {
      put(join(root, `f${n}.jsonl`), prompt(`S${n}`, `request of file ${n}`))
      append(join(root, `f${n % 7}.jsonl`), prompt(`T${n}`, `appended as ${n}`))
    }
    const count = (): number => db.get<{ n: number }>('SELECT count(*) AS n FROM items')?.n ?? 0
    await until(() => count() === 600)
    expect(brokenInvariants(db)).toEqual([])
  })

  test('a run that was asked for tells what it read, though its source is watched from then on', async () => {
    const root = temporaryFolder()
    const path = put(join(root, 'a.jsonl'), prompt('A', 'it begins'))
    const { methods, until, texts, service } = started({ watch: true })
    // The first look at everything is over, as in an app that is open.
    await service.settled()
    const report = await methods['ingest.run']({ paths: [root], embed: false, perFile: false })
    expect(report).toMatchObject({ new: 1, files: 1 })
    append(path, prompt('B', 'it goes on'))
    await until(() => texts().includes('it goes on'))
  })

  test('a paused source is left alone, and what it missed is read when it is resumed', async () => {
    const root = temporaryFolder()
    const path = put(join(root, 'a.jsonl'), prompt('A', 'it begins'))
    const other = put(join(temporaryFolder(), 'b.jsonl'), prompt('B', 'the other'))
    const { methods, until, texts } = started({ watch: true })
    const { source } = await methods['sources.enrol']({ path: root })
    await methods['sources.enrol']({ path: other })
    await until(() => texts().length === 2)
    await methods['sources.pause']({ id: source.id })
    append(path, prompt('C', 'while paused'))
    append(other, prompt('D', 'not paused'))
    await until(() => texts().includes('not paused'))
    expect(texts()).not.toContain('while paused')
    await methods['sources.resume']({ id: source.id })
    await until(() => texts().includes('while paused'))
  })

  test('a folder that goes away and comes back is read on', async () => {
    const root = join(temporaryFolder(), 'source')
    put(join(root, 'a.jsonl'), prompt('A', 'it begins'))
    const { methods, until, texts, service } = started({ watch: true })
    await methods['sources.enrol']({ path: root })
    await until(() => texts().length === 1)
    rmSync(root, { recursive: true })
    await service.settled()
    put(join(root, 'a.jsonl'), `${prompt('A', 'it begins')}${prompt('B', 'it is back')}`)
    await methods['ingest.run']({ paths: [root], embed: false, perFile: false })
    expect(texts()).toEqual(['it begins', 'it is back'])
  })
})

test('a folder that is away says so, and is watched again by itself when it is back', async () => {
  const root = join(temporaryFolder(), 'disk')
  put(join(root, 'a.jsonl'), prompt('A', 'it begins'))
  const { db, methods, service, until, texts, told } = started({ watch: true })
  const { source } = await methods['sources.enrol']({ path: root })
  await until(() => texts().length === 1)
  renameSync(root, `${root}-off`)
  const away = () => listSources(db).find(({ id }) => id === source.id)?.awaySince ?? null
  await service.watcher.refresh()
  expect(away()).not.toBeNull()
  const before = told.length
  renameSync(`${root}-off`, root)
  await until(() => away() === null)
  await until(() => told.length > before)
  append(join(root, 'a.jsonl'), prompt('B', 'it is back'))
  await until(() => texts().includes('it is back'))
}, 60_000)

describe('calls', () => {
  test('answer in the shapes of the contract', async () => {
    const root = temporaryFolder()
    put(join(root, 'a.jsonl'), `${prompt('A', 'it begins')}{"broken\n`)
    const { methods } = started({ watch: false })
    const shaped = <T>(name: keyof typeof methods & keyof typeof calls, value: T): T => {
      calls[name].output.parse(value)
      return value
    }
    const report = shaped(
      'ingest.run',
      await methods['ingest.run']({ paths: [root], embed: false, perFile: true }),
    )
    expect(report).toMatchObject({
      files: 1,
      new: 1,
      items: { goal: 1 },
      pendingEmbeddings: 1,
      cancelled: false,
    })
    expect(report.perFile?.[0]?.records).toEqual(report.records)
    shaped(
      'ingest.stream',
      await methods['ingest.stream']({
        name: 'stdin',
        text: jsonl([{ session: 's', role: 'user', text: 'hello there' }]),
        embed: false,
      }),
    )
    const { sources } = shaped('sources.list', await methods['sources.list']({}))
    expect(sources.map((source) => source.kind)).toEqual(['folder', 'stream'])
    const id = sources[0]?.id ?? ''
    expect(shaped('sources.health', await methods['sources.health']({ id, limit: 500 })).errors).toEqual([
      { file: join(root, 'a.jsonl'), line: 2, reason: 'broken JSON' },
    ])
    shaped('sources.detect', await methods['sources.detect']({}))
    shaped('ingest.status', await methods['ingest.status']({}))
    const dumped = shaped(
      'journal.dump',
      await methods['journal.dump']({ out: join(temporaryFolder(), 'dump.jsonl') }),
    )
    expect(dumped.items).toBe(2)
    shaped('sources.pause', await methods['sources.pause']({ id }))
    await expect(methods['ingest.run']({ paths: [root], embed: false, perFile: false })).rejects.toThrow(
      /paused/,
    )
    shaped('sources.resume', await methods['sources.resume']({ id }))
    expect(shaped('sources.remove', await methods['sources.remove']({ id, keep: false }))).toMatchObject({
      removed: true,
      itemsForgotten: 1,
      erased: { items: 1, swept: true },
    })
  })

  test('reading can be cancelled between chunks, and goes on from there when asked again', async () => {
    const root = temporaryFolder()
    const s = scribe('A')
    for (let n = 0; n < 8_000; n++) s.user(`request number ${n} of very many`)
    put(join(root, 'a.jsonl'), s.text())
    const { methods, until, told, db } = started({ watch: false })
    const run = methods['ingest.run']({ paths: [root], embed: false, perFile: false })
    await until(() =>
      told.some(({ event, payload }) => event === 'ingest.progress' && (payload as IngestProgress).items > 0),
    )
    expect(await methods['ingest.cancel']({})).toEqual({ cancelled: true })
    const report = await run
    expect(report.cancelled).toBe(true)
    const count = (): number => db.get<{ n: number }>('SELECT count(*) AS n FROM items')?.n ?? 0
    expect(count()).toBeLessThan(8_000)
    const rest = await methods['ingest.run']({ paths: [root], embed: false, perFile: false })
    expect(rest.bytes + report.bytes).toBe(Buffer.byteLength(s.text()))
    expect(count()).toBe(8_000)
    expect(await methods['ingest.cancel']({})).toEqual({ cancelled: false })
  })

  test('progress is told when it begins, when it ends, and at most ten times a second between', async () => {
    const root = temporaryFolder()
    for (let n = 0; n < 200; n++)
      put(join(root, `f${n}.jsonl`), prompt(`S${n}`, `request of file ${n}`).repeat(20))
    const { methods, told } = started({ watch: false })
    const report = await methods['ingest.run']({ paths: [root], embed: false, perFile: false })
    const progress = told.flatMap(({ event, payload }) =>
      event === 'ingest.progress' ? [payload as IngestProgress] : [],
    )
    expect(progress[0]).toMatchObject({ running: true, filesTotal: 200 })
    expect(progress.at(-1)).toMatchObject({ running: false, filesDone: 200, bytesDone: report.bytes })
    expect(progress.length).toBeLessThanOrEqual(3 + report.ms / 100)
  })

  test('the bundled sample can be enrolled', async () => {
    const { methods, db } = started({ watch: false, resources: resolve('resources') })
    const { source } = await methods['sources.enrolSample']({})
    const report = await methods['ingest.run']({ paths: [source.path], embed: false, perFile: true })
    expect(report.records.errors).toBe(0)
    expect(report.new).toBeGreaterThan(60)
    expect(brokenInvariants(db)).toEqual([])
  })
})
