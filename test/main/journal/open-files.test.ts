import * as fs from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test, vi } from 'vitest'
import { enrol, health, ingestSources, Watcher } from '../../../src/main/journal'
import { temporaryFolder } from '../../support'
import { opencodeDatabase, opencodeSession } from './opencode-support'
import { append, brokenInvariants, dump, ingest, items, openJournal, put, scribe } from './transcripts'

// A computer has only so many open files for a program, and watchers of other programs use them up.

const limit = vi.hoisted(() => ({ left: Number.POSITIVE_INFINITY, root: '\0', refused: 0 }))
vi.mock('node:fs', async (original) => {
  const real = await original<typeof fs>()
  const refuse = (path: unknown, syscall: string): void => {
    if (!String(path).startsWith(limit.root) || limit.left-- > 0) return
    limit.refused++
    throw Object.assign(new Error(`EMFILE: too many open files, ${syscall}`), { code: 'EMFILE', syscall })
  }
  return {
    ...real,
    openSync: (...args: Parameters<typeof real.openSync>) => {
      refuse(args[0], 'open')
      return real.openSync(...args)
    },
    readdirSync: ((...args: Parameters<typeof real.readdirSync>) => {
      refuse(args[0], 'scandir')
      return real.readdirSync(...args)
    }) as typeof real.readdirSync,
  }
})
vi.mock('@parcel/watcher', () => ({
  subscribe: async () => {
    throw Object.assign(new Error('EMFILE: too many open files, watch'), { code: 'EMFILE' })
  },
}))
beforeEach(() => {
  Object.assign(limit, { left: Number.POSITIVE_INFINITY, root: '\0', refused: 0 })
})

function folder(): string {
  const root = temporaryFolder()
  for (const name of ['a', 'b', 'c']) {
    const s = scribe(name)
    s.user(`request of ${name}`)
    s.said('Done.')
    put(join(root, name, `${name}.jsonl`), s.text())
  }
  const own = opencodeDatabase(join(root, 'd', 'opencode.db'))
  const s = opencodeSession()
  s.user('sort the names')
  own.all(s.session)
  own.db.close()
  return root
}

test('without a free one what cannot be opened is named, and read at the next look: nothing is lost', async () => {
  const root = folder()
  const whole = openJournal()
  await ingest(whole.journal, root)
  const expected = dump(whole.db)

  for (let left = 0; left < 24; left++) {
    const { db, journal } = openJournal()
    Object.assign(limit, { left, root, refused: 0 })
    const source = enrolAnyhow(journal, root)
    const report = await ingestSources(journal, [source])
    const refused = limit.refused
    Object.assign(limit, { left: Number.POSITIVE_INFINITY })
    if (refused > 0) {
      const told = [...report.errors, ...health(db, source.id).unreadable].map(({ reason }) => reason)
      expect(told.length, `${left} open files`).toBeGreaterThan(0)
      for (const reason of told) expect(reason).toMatch(/^too many files are open on this computer/)
    }
    expect(brokenInvariants(db)).toEqual([])
    await ingestSources(journal, [source])
    expect(dump(db), `${left} open files`).toBe(expected)
    expect(health(db, source.id).unreadable).toEqual([])
  }
}, 60_000)

/** Enrolled before the files ran out. */
function enrolAnyhow(journal: Parameters<typeof enrol>[0], path: string): ReturnType<typeof enrol> {
  const { left } = limit
  limit.left = Number.POSITIVE_INFINITY
  const source = enrol(journal, { path })
  Object.assign(limit, { left, refused: 0 })
  return source
}

test('where the system has no watch left, a long-open file is still seen as it grows', async () => {
  const root = temporaryFolder()
  const s = scribe('a')
  s.user('build the cart')
  const path = put(join(root, 'a.jsonl'), s.text())
  const { db, journal } = openJournal({ clock: Date.now })
  const source = enrol(journal, { path: root })
  const watcher: Watcher = new Watcher({
    sources: () => [source],
    read: async (of, files) => {
      const { ingestFiles } = await import('../../../src/main/journal')
      await ingestFiles(journal, of, files)
    },
    sweep: async () => {
      await ingestSources(
        journal,
        [source],
        {},
        {
          cancelled: () => false,
          progress: () => {},
          changed: () => {},
          read: (of, file) => watcher.remember(of, file.path, file.stat),
        },
      )
    },
    clock: Date.now,
  })
  watcher.start()
  await vi.waitFor(() => expect(items(db)).toHaveLength(1), 20_000)
  const fd = fs.openSync(path, 'a')
  fs.writeSync(fd, `${JSON.stringify(scribe('b').user('and the checkout'))}\n`)
  await vi.waitFor(() => expect(items(db)).toHaveLength(2), 20_000)
  fs.closeSync(fd)
  append(path, `${JSON.stringify(scribe('c').user('and the invoices'))}\n`)
  await vi.waitFor(() => expect(items(db)).toHaveLength(3), 20_000)
  await watcher.stop()
}, 60_000)
