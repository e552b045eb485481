import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { importGates, pastGates, showGate, systemRandom } from '../../../src/main/gates'
import { enrol, ingestSources, journalContext } from '../../../src/main/journal'
import { noEmbedder } from '../../../src/main/models'
import { lexicalSpace, replay, summarise } from '../../../src/main/proxy'
import { temporaryDb } from '../../support'

const data = join(process.env.FOVEA_SHARED ?? resolve(import.meta.dirname, '../../../../shared'), 'data')
const present = existsSync(join(data, 'gates.json'))

interface KnownGate {
  n: number
  file: string
  line: number
  decision: string
  words: string
}

// Skipped where the shared transcripts are not at hand: they are not part of the project.
describe.skipIf(!present)('the gates of real transcripts', () => {
  const known: KnownGate[] = present ? JSON.parse(readFileSync(join(data, 'gates.json'), 'utf8')) : []

  async function imported() {
    const db = temporaryDb()
    const journal = journalContext(db)
    await ingestSources(journal, [
      { source: enrol(journal, { path: join(data, 'transcripts/claude-code') }) },
    ])
    const redact = (text: string): string => journal.redact(text).text
    const embedder = noEmbedder('no model in this test')
    const deps = { read: db, write: db, embedder, clock: Date.now, redact, random: systemRandom }
    return { db, deps, report: await importGates(deps, {}) }
  }

  test('are all found, each with its true decision, at the record that holds the result', async () => {
    const { db, deps, report } = await imported()
    const found = known.map(({ n, file, line }) => {
      const gate = report.gates.find(({ pointer }) => pointer.file.endsWith(file) && pointer.line === line)
      return { n, decision: gate?.outcome }
    })
    expect(found).toEqual(known.map(({ n, decision }) => ({ n, decision })))
    expect(report).toMatchObject({ found: known.length, imported: known.length, pending: 0 })
    for (const { file, line, words } of known) {
      const gate = report.gates.find(({ pointer }) => pointer.file.endsWith(file) && pointer.line === line)
      expect(gate?.words.replace(/\s+/g, ' ').startsWith(words)).toBe(true)
    }
    expect(await importGates(deps, {})).toEqual({ ...report, imported: 0 })
    // Eight rounds of one plan, whose title never told that it was.
    const long = report.gates.filter(({ pointer }) => pointer.file.includes('63-bd3f9b02f2'))
    expect(long.map(({ id }) => showGate(db, id).round)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  })

  test('are replayed in the order of their decisions with finite figures', async () => {
    const { db } = await imported()
    const gates = pastGates(db)
    expect(gates).toHaveLength(known.length)
    const { prior, posterior } = summarise((await replay(gates, lexicalSpace('no model in this test'))).steps)
    for (const figure of [...Object.values(prior), ...Object.values(posterior)])
      expect(Number.isFinite(figure)).toBe(true)
  })
})
