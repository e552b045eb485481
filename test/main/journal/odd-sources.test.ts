import { execFileSync } from 'node:child_process'
import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { enrol, ingestFiles, ingestSources, listSources, targetAt } from '../../../src/main/journal'
import { temporaryFolder } from '../../support'
import { dump, ingest, items, openJournal, put, scribe } from './transcripts'

function prompt(session: string, text: string): string {
  const s = scribe(session)
  s.user(text)
  return s.text()
}

describe('a source whose folder is away', () => {
  test('says since when, and is read on by itself when it is back', async () => {
    let now = 1_000
    const { db, journal } = openJournal({ clock: () => now })
    const root = join(temporaryFolder(), 'disk')
    put(join(root, 'a.jsonl'), prompt('A', 'it begins'))
    await ingest(journal, root)
    const before = dump(db)
    const source = enrol(journal, { path: root })
    const view = () => listSources(db)[0]
    expect(view()).toMatchObject({ awaySince: null, lastError: null })

    renameSync(root, `${root}-off`)
    for (now of [2_000, 3_000]) await ingestSources(journal, [source])
    expect(view()).toMatchObject({ state: 'active', awaySince: 2_000, lastScanAt: 3_000, items: 1 })
    expect(view()?.lastError).toContain('not there')
    expect(items(db)).toHaveLength(1)

    renameSync(`${root}-off`, root)
    put(join(root, 'b.jsonl'), prompt('B', 'it is back'))
    now = 4_000
    const report = await ingestSources(journal, [source])
    expect(report).toMatchObject({ new: 1, updated: 0 })
    expect(view()).toMatchObject({ awaySince: null, lastError: null, items: 2 })
    rmSync(join(root, 'b.jsonl'))
    expect(dump(db)).toContain(before)
  })
})

describe('what is no transcript by its nature', () => {
  const refused = (path: string): string => {
    const { journal } = openJournal()
    try {
      targetAt(journal, { path })
      return ''
    } catch (error) {
      expect(error).toMatchObject({ code: 'unsupported' })
      return (error as Error).message
    }
  }

  test.skipIf(process.platform !== 'linux')(
    'files and folders of the system are refused, also by a link',
    () => {
      const link = join(temporaryFolder(), 'link')
      execFileSync('ln', ['-s', '/proc/self', link])
      for (const path of ['/proc', '/proc/self/status', '/sys', '/dev', '/dev/shm', link])
        expect(refused(path), path).toContain('belongs to the system')
    },
  )

  test.skipIf(process.platform === 'win32')(
    'a named pipe and a socket are refused with the reason, and waited for by nobody',
    async () => {
      const folder = temporaryFolder()
      const pipe = join(folder, 'pipe.jsonl')
      execFileSync('mkfifo', [pipe])
      expect(refused(pipe)).toContain('is a named pipe; pipe what comes out of it')
      const socket = join(folder, 'socket')
      const server = createServer()
      await new Promise<void>((done) => server.listen(socket, done))
      onTestFinished(() => void server.close())
      expect(refused(socket)).toContain('is a socket; Fovea reads folders and plain files only')
      // Inside of a folder they are passed over.
      const { db, journal } = openJournal()
      put(join(folder, 'a.jsonl'), prompt('A', 'it begins'))
      await ingest(journal, folder)
      expect(items(db)).toHaveLength(1)
    },
  )

  test.skipIf(process.platform === 'win32')(
    'a file that became a pipe since it was listed costs itself only',
    async () => {
      const folder = temporaryFolder()
      const path = put(join(folder, 'a.jsonl'), prompt('A', 'it begins'))
      const { db, journal } = openJournal()
      const source = enrol(journal, { path: folder })
      rmSync(path)
      execFileSync('mkfifo', [path])
      const stat = { dev: 1, ino: 1, size: 10, mtimeMs: 1 }
      put(join(folder, 'b.jsonl'), prompt('B', 'another'))
      await ingestFiles(journal, source, [
        { path, stat },
        { path: join(folder, 'b.jsonl'), stat },
      ])
      expect(items(db).map(({ text }) => text)).toEqual(['another'])
      expect(db.all('SELECT reason FROM files WHERE status = ?', ['unreadable'])).toEqual([
        { reason: 'it is no file any more' },
      ])
    },
  )
})

test('files that no format takes are named: the first ten, and how many there are', async () => {
  const root = temporaryFolder()
  mkdirSync(join(root, 'p'))
  put(join(root, 'a.jsonl'), prompt('A', 'it begins'))
  for (let n = 0; n < 12; n++)
    put(join(root, 'p', `notes-${String(n).padStart(2, '0')}.md`), '# Notes\n\nNo talk.\n')
  const { journal } = openJournal()
  const report = await ingest(journal, root)
  expect(report.unrecognised).toEqual({
    files: Array.from({ length: 10 }, (_, n) => join(root, 'p', `notes-${String(n).padStart(2, '0')}.md`)),
    total: 12,
  })
  const one = targetAt(journal, { path: join(root, 'p', 'notes-03.md') })
  expect((await ingestSources(journal, [one])).unrecognised).toEqual({
    files: [join(root, 'p', 'notes-03.md')],
    total: 1,
  })
  expect((await ingest(journal, join(root, 'a.jsonl'))).unrecognised).toEqual({ files: [], total: 0 })
})
