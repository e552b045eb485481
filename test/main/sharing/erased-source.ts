import { copyFileSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { curate, tendNeighbourhoods } from '../../../src/main/curator'
import { keepCallTrace } from '../../../src/main/curator/model/call-trace'
import { materialOf } from '../../../src/main/curator/model/material'
import { promptFor } from '../../../src/main/curator/model/prompt.bids'
import { addGate, importGates, predictGate } from '../../../src/main/gates'
import { giveFeedback, hydrate, lastTry, search } from '../../../src/main/hydration'
import type { JournalContext } from '../../../src/main/journal'
import { noEmbedder } from '../../../src/main/models'
import { modelCallSql, vectorSql, type WriteDb } from '../../../src/main/store'
import type { Handle } from '../../../src/shared/domain'
import { SearchRequest } from '../../../src/shared/recall'
import { packedTexts } from '../../packed'
import { temporaryFolder } from '../../support'
import { ask, memory } from '../hydration/memory'
import { ingest, items, put, scribe } from '../journal/transcripts'

// A memory full of planted sentences, with everything Fovea makes from a transcript made from it.

export const SENTENCES = 100
const NOUNS = ['walrus', 'lantern', 'orchard', 'trombone', 'glacier', 'saffron', 'pendulum', 'harbour']

/** A sentence nobody says by chance. */
export const planted = (n: number): string =>
  `the ${NOUNS[n % 8]} of bay${n}x keeps its ${NOUNS[(n * 3 + 1) % 8]} under marker${n}q`

/** Ten sessions of ten planted sentences in every place of a transcript that becomes something. */
export function writePlanted(root: string): void {
  for (let session = 0; session < SENTENCES / 10; session++) {
    const s = scribe(`P${session}`, { cwd: '/srv/quarry' })
    const at = (n: number): string => planted(session * 10 + n)
    s.user(`Find out why ${at(0)}`)
    s.call(`c${session}`, 'Bash', { command: `grep -r "${at(1)}" src`, description: at(2) })
    s.result(`c${session}`, `Exit code 1\nError: ${at(3)}`, { isError: true })
    s.call(`w${session}`, 'Write', { file_path: `/srv/quarry/src/${session}.md`, content: at(4) })
    s.result(`w${session}`, 'written')
    s.said(`We decided that ${at(5)}. It must never change. Open question: whether ${at(6)}?`)
    s.call(`p${session}`, 'ExitPlanMode', { plan: `# Plan\n1. Check that ${at(7)}.\n2. Then ${at(8)}.` })
    s.result(
      `p${session}`,
      `The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). To tell you how to proceed, the user said:\nno, because ${at(9)}`,
      { isError: true },
    )
    s.said('Understood.')
    put(join(root, `P${session}.jsonl`), s.text())
  }
}

export function writeOther(root: string): void {
  const s = scribe('K1', { cwd: '/srv/shop', start: Date.parse('2026-03-05T09:00:00Z') })
  s.user('Mend the invoice export')
  s.call('k1', 'Bash', { command: 'npm test invoices' })
  s.result('k1', 'Exit code 1\nError: the invoice total is rounded twice', { isError: true })
  s.said('The invoice export is mended: it rounds once.')
  put(join(root, 'K1.jsonl'), s.text())
}

/** Reads both, and makes rungs, cells, rollups, vectors, gates, predictions, receipts, verdicts and an old copy. */
export async function fill(db: WriteDb, journal: JournalContext, mine: string, other: string): Promise<void> {
  await ingest(journal, mine)
  await ingest(journal, other)
  for (const { id } of db.all<{ id: number }>('SELECT id FROM items')) vectorFor(db, id)
  while (curate(db, { now: 1 }) > 0);
  while (tendNeighbourhoods(db, { now: 1, version: 1 }) > 0);
  await recall(db)
  prompt(db)
  db.run('VACUUM INTO ?', [`${db.path}.v13.bak`])
}

/** Prompts to a model that showed every conclusion and request, with their traces. */
function prompt(db: WriteDb): void {
  const told = items(db).filter(({ kind }) => kind === 'conclusion' || kind === 'goal' || kind === 'plan')
  for (const { handle } of told) {
    const material = materialOf(db, handle)
    const options = {
      budget: 4_000,
      count: (text: string) => text.length,
      mask: (text: string) => text,
      now: 1,
    }
    const made = material && promptFor([material], options)
    if (!made) continue
    const call = {
      purpose: 'summaries',
      model: 'm',
      subjects: 1,
      startedAt: 1,
      promptTokens: 1,
      answerTokens: 1,
    }
    keepCallTrace(db, modelCallSql.beginCall(db, call), { trace: made.trace, materials: [material], at: 1 })
  }
}

function vectorFor(db: WriteDb, id: number): void {
  const vector = new Float32Array(384).map((_, at) => Math.cos(id + at))
  const length = Math.hypot(...vector)
  const unit = vector.map((value) => value / length)
  vectorSql.putVector(db, { itemId: id, unit: 'item', model: 'm', vector: unit, provenance: [], labels: [] })
}

async function recall(db: WriteDb): Promise<void> {
  const { ports } = memory({ db })
  const deps = {
    read: db,
    write: db,
    embedder: noEmbedder('no model in this test'),
    clock: () => Date.UTC(2026, 10, 30, 12),
    redact: (text: string) => text,
    random: (() => {
      let drawn = 0
      return () => new Uint8Array(16).fill(++drawn)
    })(),
  }
  await importGates(deps, {})
  const { id } = addGate(deps, {
    text: `# Plan\n1. Mend the invoice export.\n2. Look again at the quarry.`,
    state: 'PLAN_ASSERT',
    project: 'quarry',
    question: '',
    upstream: [],
    origin: 'cli',
  } as never)
  await predictGate(deps, { id, engine: 'case', reveal: true })
  for (let n = 0; n < SENTENCES; n += 7) {
    const { receipt } = await hydrate(ports, ask(planted(n), { budget: 3000 }))
    await search(ports, SearchRequest.parse({ text: planted(n + 1) }))
    const fact = receipt.facts[0]
    if (fact) giveFeedback(db, { handle: fact.handle, verdict: 'useful', receipt: receipt.id }, 1)
  }
  await lastTry(ports, { text: planted(3) } as never)
  const kept = items(db).find((item) => item.text.includes('rounds once'))
  const { receipt } = await hydrate(ports, ask(`${planted(5)} and the invoice export`, { budget: 4000 }))
  giveFeedback(db, { handle: kept?.handle as Handle, verdict: 'pin', receipt: receipt.id }, 2)
}

/** Which of the sentences stand in any file of the folder that holds the database, and in which. */
export function leftIn(db: WriteDb, sentences: readonly string[]): string[] {
  const found: string[] = []
  for (const path of filesUnder(dirname(db.path))) {
    const plain = readFileSync(path)
    const isDatabase = plain.subarray(0, 15).toString() === 'SQLite format 3'
    const bytes = isDatabase
      ? Buffer.concat([plain, Buffer.from(packedTexts(path === db.path ? path : copyOf(path)))])
      : plain
    for (const sentence of sentences) {
      const marker = /marker\d+q/.exec(sentence)?.[0] ?? sentence
      for (const part of [sentence, marker])
        if (bytes.includes(part)) found.push(`${part} in ${path.split('/').at(-1)}`)
    }
  }
  return found
}

/** Opening a database leaves files beside it. */
function copyOf(path: string): string {
  const copy = join(temporaryFolder(), 'copy.db')
  copyFileSync(path, copy)
  return copy
}

const filesUnder = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
