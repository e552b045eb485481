import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { brokenInvariants, dump, ingest, items, openJournal } from './transcripts'

const shared = process.env.FOVEA_SHARED ?? resolve(import.meta.dirname, '../../../../shared')
const folder = resolve(shared, 'data/transcripts')
// Real transcripts are not part of the repository; without them there is nothing to show here.
const present = existsSync(folder)

async function read(name: string) {
  const { db, journal } = openJournal()
  const report = await ingest(journal, resolve(folder, name), { perFile: true })
  expect(brokenInvariants(db)).toEqual([])
  expect(report.errors).toEqual([])
  const before = dump(db)
  const again = await ingest(journal, resolve(folder, name))
  expect([again.bytes, again.new, again.updated, dump(db) === before]).toEqual([0, 0, 0, true])
  return { db, report, kept: items(db) }
}

describe.skipIf(!present)('real documents', () => {
  test('SpecStory: as many turns as there are, a session under two names once, decisions as they were', async () => {
    const { kept, report, db } = await read('specstory')
    // Header lines of each file, counted by another program; two records stand in front of them. What an editor adds
    // behind a command of its own is no repetition but left out.
    expect(report.perFile?.map(({ records }) => records.read - 2)).toEqual([6, 63, 124, 103, 71, 68, 3])
    expect(report.perFile?.[5]?.records).toMatchObject({ used: 0, duplicates: 55 })
    expect(db.all('SELECT agent, count(*) AS n FROM sessions GROUP BY agent ORDER BY agent')).toEqual([
      { agent: 'claude-code', n: 4 },
      { agent: 'cursor', n: 1 },
    ])
    const decisions = kept.filter((item) => item.kind === 'decision')
    expect(decisions.map((item) => `${item.data.of} ${item.data.verdict}`).sort()).toEqual([
      'plan approve',
      'plan bare-stop',
      'plan refused',
      'question answered',
      'tool bare-stop',
    ])
    expect(kept.some((item) => item.text.includes('<think>') || item.text.startsWith('_**'))).toBe(false)
  })

  test('Aider, Gemini CLI: every record has its place', async () => {
    const aider = await read('aider')
    expect(aider.report.perFile?.[0]?.records).toMatchObject({
      read: 12,
      used: 5,
      dropped: { header: 4, 'built-in-command': 3 },
    })
    const gemini = await read('gemini-cli')
    expect(gemini.report.perFile?.map(({ records }) => [records.read, records.used])).toEqual([
      [7, 6],
      [14, 12],
      [2, 0],
    ])
    expect(gemini.kept.filter((item) => item.kind === 'command').map((item) => item.data.exitCode)).toEqual(
      Array(6).fill(0),
    )
  })

  test('plan files are no transcripts; each is named with the reason, and nothing fails', async () => {
    const { db, kept } = await read('plans')
    expect(kept).toEqual([])
    expect(db.all('SELECT DISTINCT status, reason FROM files')).toEqual([
      { status: 'unreadable', reason: 'no transcript format that Fovea knows' },
    ])
  })
})
