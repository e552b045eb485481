import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createEngine } from '../../out/main/library.js'

const verbs = [
  'added',
  'removed',
  'renamed',
  'fixed',
  'measured',
  'rewrote',
  'moved',
  'cached',
  'retried',
  'batched',
]
const things = [
  'invoice',
  'webhook',
  'ledger',
  'parser',
  'schema',
  'queue',
  'cursor',
  'session',
  'export',
  'index',
  'token',
  'retry',
]
const places = ['billing', 'search', 'import', 'auth', 'reports', 'sync', 'mobile', 'admin']

/**
 * Fills the data folder `home` with about `items` items of generic JSONL, without vectors: two years of sessions of
 * forty turns in eight projects. The same size gives the same journal.
 */
export async function fillJournal(home, items) {
  const folder = mkdtempSync(join(tmpdir(), 'fovea-fill-'))
  const resources = join(import.meta.dirname, '..', '..', 'resources')
  const engine = createEngine({ home, resources, watch: false, version: 'bench' })
  try {
    const perFile = 5_000
    for (let from = 0; from < items; from += perFile) {
      const lines = []
      for (let n = from; n < Math.min(items, from + perFile); n++) lines.push(JSON.stringify(turn(n)))
      writeFileSync(join(folder, `part-${String(from).padStart(8, '0')}.jsonl`), `${lines.join('\n')}\n`)
    }
    const report = await engine.call('ingest.run', { paths: [folder], embed: false })
    return { items: report.new, bytes: report.bytes, ms: report.ms }
  } finally {
    await engine.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

function turn(n) {
  const session = Math.floor(n / 40)
  const pick = (list, salt) => list[(n * 7 + session * 13 + salt * 31) % list.length]
  const asks = n % 8 === 0
  const text = asks
    ? `Please make the ${pick(things, 1)} of ${pick(places, 2)} part ${session} faster and keep the ${pick(things, 3)} as it is`
    : `We ${pick(verbs, 1)} the ${pick(things, 2)} in ${pick(places, 3)}/${pick(things, 4)}.ts and ${pick(verbs, 5)} its ${pick(things, 6)}; case ${n} passes now.`
  return {
    id: `r${n}`,
    session: `s${session}`,
    ts: Date.UTC(2024, 10, 1) + session * 280_000 + (n % 40) * 60_000,
    role: asks ? 'user' : 'assistant',
    project: places[session % places.length],
    text,
  }
}
