import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { dumpLines, enrol, ingestSources, journalContext } from '../../../src/main/journal'
import { temporaryDb } from '../../support'

const shared = process.env.FOVEA_SHARED ?? resolve(import.meta.dirname, '../../../../shared')
const folder = resolve(shared, 'data/transcripts/claude-code')
// Real transcripts are not part of the repository; without them there is nothing to show here.
const present = existsSync(folder)

interface TrueGate {
  file: string
  line: number
  decision: 'approve' | 'correct'
  shape: string
  words: string
}

describe.skipIf(!present)('real Claude Code transcripts', () => {
  test('every record is accounted for, and a second run reads nothing and changes nothing', async () => {
    const db = temporaryDb()
    const journal = journalContext(db)
    const source = enrol(journal, { path: folder })
    const first = await ingestSources(journal, [source], { perFile: true })
    expect(first.files).toBe(20)
    for (const { file, records } of first.perFile ?? []) {
      const dropped = Object.values(records.dropped).reduce((sum, n) => sum + n, 0)
      expect(records.used + records.attached + dropped + records.duplicates + records.errors, file).toBe(
        records.read,
      )
      const lines = readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line.trim() !== '').length
      expect(records.read, file).toBeGreaterThanOrEqual(lines)
    }
    const before = [...dumpLines(db)]
    const second = await ingestSources(journal, [source])
    expect({
      bytes: second.bytes,
      new: second.new,
      updated: second.updated,
      read: second.records.read,
    }).toEqual({
      bytes: 0,
      new: 0,
      updated: 0,
      read: 0,
    })
    expect([...dumpLines(db)]).toEqual(before)
  })

  test('every plan gate is there with the decision a person read out of it', async () => {
    const db = temporaryDb()
    const journal = journalContext(db)
    await ingestSources(journal, [enrol(journal, { path: folder })])
    const gates = JSON.parse(readFileSync(resolve(shared, 'data/gates.json'), 'utf8')) as TrueGate[]
    const items = [...dumpLines(db)].map((line) => JSON.parse(line))
    const decisions = items.filter((item) => item.kind === 'decision' && item.data.of === 'plan')
    expect(decisions).toHaveLength(gates.length)
    for (const gate of gates) {
      const found = decisions.find(
        (item) => item.pointer.file.endsWith(gate.file) && item.pointer.line === gate.line,
      )
      expect(found, `${gate.file}:${gate.line}`).toBeDefined()
      const verdict =
        gate.decision === 'correct' ? 'refused' : gate.shape === 'cleared-context' ? 'bare-stop' : 'approve'
      expect(found.data.verdict, `${gate.file}:${gate.line}`).toBe(verdict)
      const plain = (text: string): string => text.replace(/\s+/g, ' ').slice(0, 60)
      expect(plain(found.data.words), gate.file).toBe(plain(gate.words))
    }
  })
})
