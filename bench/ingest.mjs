// How fast transcripts are read into the journal, index included, embeddings left for later.
// npm run bench -- ingest [--size 200] [--data PATH] [--sizes 50,100,200] [--gb 10]
// --size: megabytes of a corpus made for the occasion; it is also run at a quarter and a half of that, for the growth.
// --gb: one run of so many gigabytes. Each run is a process of its own, so that its memory is that of the reading and not
// of what made the corpus. Memory is told over time: the most in each tenth of the reading. The database is
// told in three parts, each as bytes for a character of text it keeps: the journal's own tables with their indexes, what
// is derived from them (arcs and what waits; embeddings and rungs are not made here), and what searches (full text and
// vectors).
// Baseline in the same run: reading the same bytes and JSON.parse on every line, which no reader of them can avoid.
import { execFileSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, readdirSync, readSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { createEngine, openRead } from '../out/main/library.js'
import { writeCorpus } from './lib/corpus.mjs'
import { machine } from './lib/report.mjs'
import { roomOf } from './lib/room.mjs'

const { values } = parseArgs({
  options: {
    size: { type: 'string', default: '200' },
    sizes: { type: 'string' },
    gb: { type: 'string' },
    data: { type: 'string' },
    /** One run, in this process: a folder. */
    measure: { type: 'string' },
  },
})
const size = Number(values.size)
const sizes = values.gb
  ? [Number(values.gb) * 1000]
  : values.sizes
    ? values.sizes.split(',').map(Number)
    : [size / 4, size / 2, size]
const folders = []
if (values.measure) {
  process.stdout.write(JSON.stringify(await measure(values.measure)))
  process.exit(0)
}

try {
  const runs = []
  if (values.data) runs.push(measured(resolve(values.data)))
  else for (const megabytes of sizes) runs.push(measured(corpus(megabytes)))
  const first = runs[0]
  const last = runs.at(-1)
  const growth = runs.length > 1 ? Math.log(last.ms / first.ms) / Math.log(last.bytes / first.bytes) : null
  console.log(
    JSON.stringify({
      bench: 'ingest',
      ...machine(),
      unit: 'MB/s of transcript, cold, index included, embeddings not',
      corpus: values.data ? 'given' : 'synthetic',
      runs,
      growth: growth === null ? null : { exponent: Number(growth.toFixed(2)), note: '1 is linear' },
    }),
  )
} finally {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
}

function corpus(megabytes) {
  const folder = temporary()
  writeCorpus(folder, megabytes * 1e6)
  return folder
}

function measured(data) {
  const out = execFileSync(process.execPath, [import.meta.filename, '--measure', data], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return JSON.parse(out.toString())
}

function temporary() {
  const folder = mkdtempSync(join(tmpdir(), 'fovea-ingest-'))
  folders.push(folder)
  return folder
}

async function measure(data) {
  const home = temporary()
  const total = bytesOf(data)
  const engine = createEngine({ home, resources: resolve('resources'), watch: false, version: 'bench' })
  let read = 0
  engine.on((event, now) => {
    if (event === 'ingest.progress' && now.running) read = now.bytesDone
  })
  const rss = watchMemory(() => read / total)
  const cpu = process.cpuUsage()
  const began = performance.now()
  const report = await engine.call('ingest.run', { paths: [data], embed: false })
  const ms = performance.now() - began
  const used = process.cpuUsage(cpu)
  const memory = rss.stop()
  const again = performance.now()
  await engine.call('ingest.run', { paths: [data], embed: false })
  const recheckMs = performance.now() - again
  await engine.close()
  const dbBytes = ['fovea.db', 'fovea.db-wal'].reduce(
    (sum, name) => sum + (statSync(join(home, name), { throwIfNoEntry: false })?.size ?? 0),
    0,
  )
  const db = openRead(join(home, 'fovea.db'))
  const held = roomOf(db)
  db.close()
  rmSync(home, { recursive: true, force: true })
  const parse = parseOnly(data)
  const items = Object.values(report.items).reduce((sum, n) => sum + n, 0)
  return {
    files: report.files,
    bytes: report.bytes,
    ms: Math.round(ms),
    mbPerSecond: rate(report.bytes, ms),
    items,
    itemsPerSecond: Math.round(items / (ms / 1000)),
    records: report.records,
    recheckMs: Math.round(recheckMs),
    mbPerCpuSecond: rate(report.bytes, (used.user + used.system) / 1000),
    ...memory,
    dbBytes,
    ...held,
    dbShareOfSource: Number((dbBytes / report.bytes).toFixed(3)),
    baseline: { what: 'read and JSON.parse every line', mbPerSecond: rate(parse.bytes, parse.ms) },
    ratio: Number((ms / parse.ms).toFixed(2)),
  }
}

function rate(bytes, ms) {
  return Number((bytes / 1e6 / (ms / 1000)).toFixed(1))
}

/** The most memory the process held, in all and in each tenth of the way (`share`, 0 to 1). */
function watchMemory(share) {
  const tenths = []
  const look = () => {
    const at = Math.min(9, Math.floor(share() * 10))
    tenths[at] = Math.max(tenths[at] ?? 0, process.memoryUsage.rss())
  }
  const timer = setInterval(look, 20)
  const mb = (bytes) => Math.round(bytes / 2 ** 20)
  return {
    stop: () => {
      clearInterval(timer)
      look()
      const seen = [...tenths].filter((bytes) => bytes !== undefined)
      return { maxRssMb: mb(Math.max(...seen)), rssMbByTenth: seen.map(mb) }
    },
  }
}

function transcripts(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.jsonl'))
    .map((entry) => join(entry.parentPath, entry.name))
}

function bytesOf(folder) {
  return transcripts(folder).reduce((sum, file) => sum + statSync(file).size, 0)
}

function parseOnly(folder) {
  const files = transcripts(folder)
  const began = performance.now()
  let bytes = 0
  for (const file of files) bytes += parseFile(file)
  return { bytes, ms: performance.now() - began }
}

function parseFile(file) {
  const fd = openSync(file, 'r')
  const block = Buffer.allocUnsafe(1 << 20)
  let rest = Buffer.alloc(0)
  let bytes = 0
  for (let got = readSync(fd, block); got > 0; got = readSync(fd, block)) {
    bytes += got
    const data = Buffer.concat([rest, block.subarray(0, got)])
    let at = 0
    for (let end = data.indexOf(10); end !== -1; end = data.indexOf(10, at)) {
      parse(data.toString('utf8', at, end))
      at = end + 1
    }
    rest = Buffer.from(data.subarray(at))
  }
  closeSync(fd)
  return bytes
}

function parse(line) {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}
