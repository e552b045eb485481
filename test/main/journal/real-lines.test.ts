import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { brokenInvariants, dump, ingest, items, openJournal } from './transcripts'

const shared = process.env.FOVEA_SHARED ?? resolve(import.meta.dirname, '../../../../shared')
const folder = resolve(shared, 'data/transcripts/codex')
// Real transcripts are not part of the repository; without them there is nothing to show here.
const present = existsSync(folder)

describe.skipIf(!present)('real Codex rollouts', () => {
  test('every record is accounted for, and a second run changes nothing', async () => {
    const { db, journal } = openJournal()
    const first = await ingest(journal, folder, { perFile: true })
    expect(first).toMatchObject({ files: 3, sessions: 2, errors: [] })
    for (const { file, format, records } of first.perFile ?? []) {
      expect(format).toBe('codex')
      const lines = readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line.trim() !== '')
      expect(records.read, file).toBe(lines.length)
      expect(Object.keys(records.dropped).filter((reason) => reason.startsWith('unknown'))).toEqual([])
    }
    expect(brokenInvariants(db)).toEqual([])
    const before = dump(db)
    expect(await ingest(journal, folder)).toMatchObject({
      bytes: 0,
      new: 0,
      updated: 0,
      records: { read: 0 },
    })
    expect(dump(db)).toBe(before)
  })

  test('each prompt and each answer is there once, as the events tell them', async () => {
    const { db, journal } = openJournal()
    const report = await ingest(journal, folder, { perFile: true })
    for (const { file } of report.perFile ?? []) {
      const events = readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line.includes('"type":"event_msg"'))
        .map((line) => JSON.parse(line).payload as { type: string; message?: string })
      const told = (type: string) => events.filter((event) => event.type === type && event.message?.trim())
      const here = items(db).filter((item) => item.pointer.file === file)
      const spoken = (role: string) =>
        here.filter(
          (item) => item.role === role && ['goal', 'note', 'conclusion'].includes(item.kind) && !item.tool,
        )
      expect(spoken('user').length, file).toBe(told('user_message').length)
      expect(spoken('assistant').length, file).toBe(told('agent_message').length)
    }
  })
})
