// npm run bench -- frames --data PATH [--size N] [--again N]
// Whether frames keep their promises, on real transcripts. N frames (10,000) for drawn goals, planes, tokenizers and
// budgets from 50 tokens up: each counted anew with its tokenizer, the whole of it. Every fact that stood in one is
// paged back to its source, and where that is unchanged its bytes are read and must hold the record. Then the first
// --again (1,000) requests are made by a second process with another day's clock over a copy of the memory without any
// earlier receipt, in reverse order: their canonical receipts must be the same, byte for byte.
import { execFile } from 'node:child_process'
import {
  closeSync,
  cpSync,
  existsSync,
  mkdtempSync,
  openSync,
  readSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { canonicalReceipt, countTokens, createEngine, openRead, unpackText } from '../out/main/library.js'
import { randomFrom } from './lib/corpus.mjs'
import { machine, median, quantile } from './lib/report.mjs'

const { values } = parseArgs({
  options: {
    data: { type: 'string', multiple: true },
    size: { type: 'string', default: '10000' },
    again: { type: 'string', default: '1000' },
    // The second process: a data folder and the file with the requests.
    home: { type: 'string' },
    requests: { type: 'string' },
  },
})
const resources = join(resolve(import.meta.dirname, '..'), 'resources')
const open = (home) => createEngine({ home, resources, watch: false, version: 'bench' })
const PLANES = ['garnish', 'execution', 'exploration', 'review']
const TOKENIZERS = ['o200k', 'cl100k', 'chars4']
const ODD = [
  '"unbalanced AND (quote OR',
  'col:* NEAR/3 ^',
  '日本語のテキストを検索する',
  'что решили о кэше',
  '(a+)+$ '.repeat(40),
  '🙂 '.repeat(30),
  '   x   ',
  "'); DROP TABLE items; --",
]

if (values.requests) await repeat(values.home, values.requests)
else await main()

/** The second process: prints the canonical receipts as a JSON array. */
async function repeat(home, file) {
  const { default: requests } = await import(file, { with: { type: 'json' } })
  const engine = open(home)
  try {
    const made = []
    for (const request of requests.toReversed())
      made.push(canonicalReceipt((await engine.call('hydrate.run', request)).receipt))
    process.stdout.write(JSON.stringify({ clock: Date.now(), made: made.reverse() }))
  } finally {
    await engine.close()
  }
}

async function main() {
  if (!values.data?.every((path) => existsSync(path))) {
    console.error('bench frames: --data PATH names the folder with the transcripts.')
    process.exit(2)
  }
  const folder = mkdtempSync(join(tmpdir(), 'fovea-frames-'))
  const [home, copy] = [join(folder, 'home'), join(folder, 'copy')]
  try {
    const reader = open(home)
    await reader.call('ingest.run', { paths: values.data.map((path) => resolve(path)), embed: true })
    await reader.close()
    cpSync(home, copy, { recursive: true })
    const requests = drawn(home, Number(values.size))
    const engine = open(home)
    try {
      const { figures, facts, canonical } = await frames(engine, requests)
      const pages = await pagedBack(engine, facts)
      const same = await again(copy, requests.slice(0, Number(values.again)), canonical)
      console.log(JSON.stringify({ bench: 'frames', ...machine(), ...figures, pages, same }))
    } finally {
      await engine.close()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Requests drawn with a fixed seed: words of the memory itself, whole texts of it, and what nobody should ask. */
function drawn(home, count) {
  const db = openRead(join(home, 'fovea.db'))
  const texts = db
    .all('SELECT text, text_z FROM items ORDER BY handle')
    .map((row) => unpackText(row))
    .filter((text) => text?.trim())
  const last = db.get('SELECT max(ts) AS ts FROM items').ts
  const projects = db
    .all('SELECT DISTINCT project FROM items WHERE project IS NOT NULL')
    .map((row) => row.project)
  db.close()
  const random = randomFrom(7)
  const pick = (list) => list[Math.floor(random() * list.length)]
  return Array.from({ length: count }, () => {
    const text = pick(texts)
    const from = Math.floor(random() * Math.max(1, text.length - 80))
    const way = random()
    const goal =
      way < 0.1 ? pick(ODD) : way < 0.2 ? text.slice(0, 20_000) : text.slice(from, from + 20 + 140 * random())
    const budget = random() < 0.3 ? 50 + Math.floor(random() * 120) : Math.floor(50 * 400 ** random())
    return {
      goal: goal.trim() || 'what happened',
      plane: pick(PLANES),
      tokenizer: pick(TOKENIZERS),
      budget,
      asOf: random() < 0.2 ? last - Math.floor(random() * 30 * 86_400_000) : last,
      ...(projects.length > 0 && random() < 0.2 ? { project: pick(projects) } : {}),
    }
  })
}

async function frames(engine, requests) {
  const facts = new Map()
  const canonical = []
  const used = []
  const times = []
  let over = 0
  let understated = 0
  let empty = 0
  for (const request of requests) {
    const start = performance.now()
    const { frame, receipt } = await engine.call('hydrate.run', request)
    times.push(performance.now() - start)
    const tokens = countTokens(frame, request.tokenizer)
    if (tokens > request.budget) over += 1
    if (tokens > receipt.budget.spent) understated += 1
    if (receipt.facts.length === 0) empty += 1
    else used.push(tokens / request.budget)
    for (const fact of receipt.facts) facts.set(`${fact.handle} ${fact.level}`, fact)
    if (canonical.length < Number(values.again)) canonical.push(canonicalReceipt(receipt))
  }
  const figures = {
    frames: requests.length,
    overBudget: over,
    spentUnderstated: understated,
    withoutFacts: empty,
    shareOfBudgetUsed: { median: round(median(used)), p05: round(quantile(used, 0.05)) },
    ms: { p50: round(median(times)), p95: round(quantile(times, 0.95)) },
  }
  return { figures, facts: [...facts.values()], canonical }
}

/** Each fact to its source: Fovea's own verdict, and for an unchanged one the bytes themselves. */
async function pagedBack(engine, facts) {
  const status = new Map()
  const handles = [...new Set(facts.map((fact) => fact.handle))]
  for (let i = 0; i < handles.length; i += 1000) {
    const { items } = await engine.call('items.verify', { handles: handles.slice(i, i + 1000) })
    for (const item of items) status.set(item.handle, item.status)
  }
  const told = {}
  let held = 0
  let notHeld = 0
  for (const { handle, pointer } of facts) {
    const verdict = status.get(handle) ?? 'no answer'
    told[verdict] = (told[verdict] ?? 0) + 1
    if (verdict !== 'unchanged') continue
    if (bytesHold(pointer)) held += 1
    else notHeld += 1
  }
  return { facts: facts.length, items: handles.length, told, bytesHoldTheRecord: held, bytesDoNot: notHeld }
}

function bytesHold({ file, byteOffset, byteLength, recordId }) {
  const bytes = Buffer.alloc(byteLength)
  const fd = openSync(file, 'r')
  try {
    if (readSync(fd, bytes, 0, byteLength, byteOffset) !== byteLength) return false
  } finally {
    closeSync(fd)
  }
  const text = bytes.toString('utf8')
  // A record of a format without ids is told by its place alone: it must be there, and whole.
  return recordId && text.includes(recordId) ? true : text.trim().length > 0
}

async function again(home, requests, canonical) {
  const file = join(home, 'requests.json')
  writeFileSync(file, JSON.stringify(requests))
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      '--import',
      join(import.meta.dirname, 'lib/tomorrow.mjs'),
      import.meta.filename,
      '--home',
      home,
      '--requests',
      file,
    ],
    { maxBuffer: 2 ** 30 },
  )
  const { clock, made } = JSON.parse(stdout)
  return {
    requests: requests.length,
    clockAheadHours: Math.round((clock - Date.now()) / 3_600_000),
    identical: made.filter((text, i) => text === canonical[i]).length,
  }
}

function round(value) {
  return Math.round(value * 1000) / 1000
}
