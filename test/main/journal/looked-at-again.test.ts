import { basename, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { dumpLines, enrol, type JournalContext } from '../../../src/main/journal'
import { scan } from '../../../src/main/journal/sources/scan'
import { migrate, migrations, openWrite, schemaVersion, type WriteDb } from '../../../src/main/store'
import { temporaryFolder } from '../../support'
import { rollout } from './rollouts'
import { brokenInvariants, ingest, jsonl, openJournal, put, scribe } from './transcripts'

/** Transcripts of agents that an older version took for lines of no agent's, or for nothing. */
function corpus(): string {
  const folder = temporaryFolder()
  const s = scribe('S1')
  s.user('please write the exporter')
  s.call('c1', 'Bash', { command: 'npm test' })
  s.result('c1', 'ok')
  s.said('Done.')
  put(join(folder, 'broken.jsonl'), `{"type":"user","uu\n${s.text()}`)
  put(join(folder, 'long.jsonl'), `{"type":"summary","summary":"${'x'.repeat(400_000)}"}\n${scribed('S2')}`)
  const r = rollout(1)
  r.meta()
  r.turn()
  r.user('write the importer')
  r.said('Done.')
  put(join(folder, 'codex.jsonl'), `not json at all\n${jsonl(r.lines)}`)
  put(join(folder, 'nobody.jsonl'), '{"a":1}\n{"b":2}\n')
  put(join(folder, 'own.jsonl'), '{"session":"g","role":"user","text":"keep what is mine"}\n')
  return folder
}

function scribed(session: string): string {
  const s = scribe(session)
  s.user('and now the tests')
  s.said('They pass.')
  return s.text()
}

/** As an older version left it: everything read as lines of no agent's, looked at with older formats. */
async function asBefore(folder: string): Promise<{ db: WriteDb; journal: JournalContext }> {
  const { db, journal } = openJournal()
  await ingest(journal, folder, { format: 'generic' })
  db.run('UPDATE sources SET format = NULL')
  db.run('UPDATE files SET sniffed = 999')
  put(join(folder, 'nothing.md'), 'Only a few words.\n')
  await ingest(journal, folder)
  db.run('UPDATE files SET sniffed = 0')
  return { db, journal }
}

test('what was taken for nobody’s is read again by itself when the formats of today know it', async () => {
  const folder = corpus()
  const { db, journal } = await asBefore(folder)
  expect(db.all('SELECT 1 FROM items')).toHaveLength(1)
  await ingest(journal, folder)
  const fresh = openJournal()
  await ingest(fresh.journal, folder)
  expect([...dumpLines(db)]).toEqual([...dumpLines(fresh.db)])
  expect(brokenInvariants(db)).toEqual([])
  expect(db.all('SELECT DISTINCT format FROM files WHERE format IS NOT NULL ORDER BY 1')).toEqual([
    { format: 'claude-code' },
    { format: 'codex' },
    { format: 'generic' },
  ])
})

test('it is looked at once with each set of formats, not at every sweep', async () => {
  const folder = corpus()
  const { db, journal } = await asBefore(folder)
  await ingest(journal, folder)
  const rows = () => db.all<{ path: string; sniffed: number }>('SELECT * FROM files ORDER BY path')
  const once = rows()
  const looked = once.filter(({ sniffed }) => sniffed > 0).map(({ path }) => basename(path))
  expect(looked).toEqual(['nobody.jsonl', 'nothing.md'])
  const second = await ingest(journal, folder)
  expect({ bytes: second.bytes, read: second.records.read }).toEqual({ bytes: 0, read: 0 })
  expect(rows()).toEqual(once)
  // Nothing is due any more, so that no file is opened.
  expect(scan(journal, enrol(journal, { path: folder }), []).due).toEqual([])
})

test('a database of before gets the column, and its files are looked at once', () => {
  const db = openWrite(join(temporaryFolder(), 'fovea.db'))
  onTestFinished(() => db.close())
  migrate(
    db,
    migrations.filter(({ version }) => version < 25),
  )
  db.run("INSERT INTO sources (id, path, kind, enrolled_at) VALUES ('src_a', '/t', 'folder', 1)")
  db.run("INSERT INTO files (source_id, path, format) VALUES ('src_a', '/t/a.jsonl', 'generic')")
  migrate(db)
  expect(schemaVersion(db)).toBeGreaterThanOrEqual(25)
  expect(db.get('SELECT path, format, sniffed FROM files')).toEqual({
    path: '/t/a.jsonl',
    format: 'generic',
    sniffed: 0,
  })
})
