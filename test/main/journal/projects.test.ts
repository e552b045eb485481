import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { mergeProjects, projectOf, unmergeProject } from '../../../src/main/journal'
import { projectSql, type WriteDb } from '../../../src/main/store'
import { AppError } from '../../../src/shared/errors'
import { temporaryFolder } from '../../support'
import { append, brokenInvariants, dump, ingest, items, jsonl, openJournal, put, scribe } from './transcripts'

function corpus(root: string): string {
  for (const [session, cwd] of [
    ['A', '/srv/shop'],
    ['B', '/srv/shop-renamed'],
  ] as const) {
    const s = scribe(session, { cwd })
    s.user(`request of ${session}`)
    s.said(`Done with ${session}.`)
    put(join(root, `${session}.jsonl`), s.text())
  }
  put(
    join(root, 'g.jsonl'),
    jsonl([
      { session: 'g', id: '1', role: 'user', text: 'one', project: 'other' },
      { session: 'g', id: '2', role: 'user', text: 'two', project: 'shop' },
    ]),
  )
  return root
}

const projects = (db: WriteDb) => Object.fromEntries(items(db).map((item) => [item.text, item.project]))
const arcProjects = (db: WriteDb) =>
  db.all<{ project: string }>('SELECT DISTINCT project FROM arcs ORDER BY project').map((row) => row.project)

describe('a folder that was renamed', () => {
  test('its project goes under the new name: items, sessions, arcs, and what is read later', async () => {
    const { db, journal } = openJournal()
    const root = corpus(temporaryFolder())
    await ingest(journal, root)
    expect(mergeProjects(journal, 'shop', 'shop-renamed')).toBe(3)
    expect(projects(db)).toMatchObject({
      'request of A': 'shop-renamed',
      'request of B': 'shop-renamed',
      one: 'other',
      two: 'shop-renamed',
    })
    expect(arcProjects(db)).toEqual(['other', 'shop-renamed'])
    const s = scribe('A', { cwd: '/srv/shop', start: Date.parse('2026-03-05T09:00:00Z') })
    s.user('said later', { uuid: 'later' })
    append(join(root, 'A.jsonl'), s.text())
    append(
      join(root, 'g.jsonl'),
      jsonl([{ session: 'g', id: '3', role: 'user', text: 'three', project: 'shop' }]),
    )
    await ingest(journal, root)
    expect(projects(db)).toMatchObject({ 'said later': 'shop-renamed', three: 'shop-renamed' })
    expect(brokenInvariants(db)).toEqual([])
  })

  test('a merge can be undone, as if it had never been', async () => {
    const { db, journal } = openJournal()
    const root = corpus(temporaryFolder())
    await ingest(journal, root)
    const before = { dump: dump(db), arcs: arcProjects(db) }
    mergeProjects(journal, 'shop', 'shop-renamed')
    expect(projectSql.projectAliases(db)).toMatchObject([{ alias: 'shop', name: 'shop-renamed' }])
    expect(unmergeProject(journal, 'shop')).toBe(3)
    expect({ dump: dump(db), arcs: arcProjects(db) }).toEqual(before)
    expect(projectSql.projectAliases(db)).toEqual([])
  })

  test('renamed twice it is one project all the same', async () => {
    const { db, journal } = openJournal()
    await ingest(journal, corpus(temporaryFolder()))
    mergeProjects(journal, 'shop', 'shop-renamed')
    mergeProjects(journal, 'shop-renamed', 'store')
    expect(projects(db)).toMatchObject({ 'request of A': 'store', 'request of B': 'store', two: 'store' })
    unmergeProject(journal, 'shop-renamed')
    expect(projects(db)).toMatchObject({ 'request of A': 'store', 'request of B': 'shop-renamed' })
  })

  test('names that are one already, or none, are refused with a sentence', async () => {
    const { journal } = openJournal()
    await ingest(journal, corpus(temporaryFolder()))
    const refused = (work: () => void): string => {
      try {
        work()
        return ''
      } catch (error) {
        return error instanceof AppError ? error.message : String(error)
      }
    }
    expect(refused(() => mergeProjects(journal, 'shop', 'shop'))).toContain('the same project')
    expect(refused(() => mergeProjects(journal, 'nothing', 'shop'))).toContain('no project “nothing”')
    expect(refused(() => unmergeProject(journal, 'shop'))).toContain('was not merged')
    mergeProjects(journal, 'shop', 'shop-renamed')
    expect(refused(() => mergeProjects(journal, 'shop-renamed', 'shop'))).toContain('the same project')
  })
})

test('a worktree belongs to its repository, wherever it lies', () => {
  const root = temporaryFolder()
  mkdirSync(join(root, 'shop', '.git', 'worktrees', 'fix'), { recursive: true })
  mkdirSync(join(root, 'elsewhere', 'fix', 'src'), { recursive: true })
  writeFileSync(join(root, 'elsewhere', 'fix', '.git'), `gitdir: ${join(root, 'shop/.git/worktrees/fix')}\n`)
  expect(projectOf(join(root, 'elsewhere', 'fix', 'src'))).toBe('shop')
  expect(projectOf('/gone/shop/.claude/worktrees/fix/src')).toBe('shop')
})
