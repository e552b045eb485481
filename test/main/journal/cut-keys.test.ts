import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { makeRedactor } from '../../../src/main/journal'
import { temporaryFolder } from '../../support'
import { ingest, items, jsonl, openJournal, put, scribe } from './transcripts'

// Names are cut: what is left of a key in one is a piece of a secret all the same.

const PIECES = [
  'ghp_16C7e42F292c6912E7',
  'github_pat_11ABCDEF0Q2w',
  'glpat-x9K2mQ7rT4',
  'sk-ant-api03-x9K2mQ7r',
  'sk-proj-x9K2mQ7rT4v8',
  'sk_live_51H8x9K2mQ7r',
  'xoxb-2401-x9K2mQ7rT4',
  'AKIAQ3EG7VX2M4TB',
  'AIzaSyD4x9K2mQ7rT4v8',
  'npm_x9K2mQ7rT4v8B1n3',
  'hf_x9K2mQ7rT4v8B1n3',
  'shpat_4f9a1c7e2b8d',
  'hvs.CAESx9K2mQ7rT4v8',
]

test.each(PIECES)(
  'what is left of a key in a session’s, file’s or folder’s name is in no file of the data folder: %s',
  async (piece) => {
    const root = temporaryFolder()
    for (const [n, id] of [`run-${piece}`, piece, `${piece}-2`].entries()) {
      const s = scribe(id, { cwd: `/srv/${piece}` })
      s.user(`build the cart ${n}`)
      s.said('Built.')
      put(join(root, `slug-${piece}`, `${id}.jsonl`), s.text())
    }
    put(
      join(root, 'talk.jsonl'),
      jsonl([{ session: `s_${piece}`, role: 'user', text: 'build the checkout', project: piece }]),
    )
    const { db, journal } = openJournal()
    await ingest(journal, root)
    expect(items(db)).toHaveLength(7)
    expect(db.get<{ n: number }>('SELECT count(*) AS n FROM sessions')?.n).toBe(4)
    db.run('PRAGMA wal_checkpoint(TRUNCATE)')
    const folder = dirname(db.path)
    for (const name of readdirSync(folder))
      expect(readFileSync(join(folder, name)).includes(piece), name).toBe(false)
  },
)

test('names that only begin like a key stay as they are', () => {
  const redact = makeRedactor('salt')
  for (const name of [
    'npm_install_and_test',
    'hf_models_download_2026',
    'sk-learn-pipeline-3',
    'ghp_notes_on_github_pages',
    'rollout-2026-03-01T10-00-00-0b6d1f52-9a34-4c1e-8f77-3a2b1c0d9e8f',
    'ses_469cf929cffeBICghRNeI7BWy6',
    'msg_b96306d83001UHECFoapZ6W4q0',
    'AKIA-the-lost-city',
    'github_pat_how_to_make_one',
  ])
    expect(redact(name, 'name').text).toBe(name)
})
