// npm run bench -- entities --data PATH [--misses]
// PATH: the folder of Claude Code transcripts the labelled items are from. Precision and recall of what the rules
// find in 200 real items, against labels made by hand before the rules were tuned, and of plain regular expressions
// on the same items. --misses lists what was wrong or missed, to look at.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createEngine, curatorSql, failureOf, itemEntities, openRead } from '../out/main/library.js'
import { machine } from './lib/report.mjs'

const { values: options } = parseArgs({ options: { data: { type: 'string' }, misses: { type: 'boolean' } } })
if (!options.data) {
  console.error('Give the folder of transcripts: npm run bench -- entities --data PATH')
  process.exit(1)
}

const labels = JSON.parse(readFileSync(join(import.meta.dirname, 'labels', 'entities.json'), 'utf8'))
const KINDS = ['path', 'command', 'error', 'package']
const share = (part, whole) => (whole === 0 ? null : Math.round((part / whole) * 1000) / 1000)
const cut = (text) => text.replace(/\s+/g, ' ').trim().slice(0, 100)
const home = mkdtempSync(join(tmpdir(), 'fovea-bench-'))
try {
  const items = await itemsOf(labels.items.map((item) => item.handle))
  const missing = labels.items.filter((item) => !items.has(item.handle)).length
  const methods = { rules: byRules, regexes: byRegexes }
  const scores = Object.fromEntries(Object.entries(methods).map(([name, find]) => [name, score(find, items)]))
  console.log(
    JSON.stringify({ bench: 'entities', ...machine(), items: items.size, missing, ...scores }, null, 2),
  )
} finally {
  rmSync(home, { recursive: true, force: true })
}

async function itemsOf(handles) {
  const resources = join(import.meta.dirname, '..', 'resources')
  const engine = createEngine({ home, resources, watch: false, version: 'bench' })
  try {
    await engine.call('ingest.run', { paths: [options.data], embed: false })
  } finally {
    await engine.close()
  }
  const db = openRead(join(home, 'fovea.db'))
  const found = new Map()
  for (const handle of handles) {
    const item = curatorSql.rungSource(db, handle)
    if (item) found.set(handle, item)
  }
  db.close()
  return found
}

function score(find, items) {
  const tally = Object.fromEntries(KINDS.map((kind) => [kind, { hit: 0, found: 0, labelled: 0 }]))
  for (const label of labels.items) {
    const item = items.get(label.handle)
    if (!item) continue
    const found = find(item)
    for (const kind of KINDS) {
      const wanted = new Set(label[kind] ?? [])
      const got = new Set(found[kind])
      count(tally[kind], wanted, got)
      report(label, kind, wanted, got, find)
    }
    countMessage(tally.error, label, found.message, find)
  }
  return Object.fromEntries(
    Object.entries(tally).map(([kind, { hit, found, labelled }]) => [
      kind,
      { precision: share(hit, found), recall: share(hit, labelled), found, labelled },
    ]),
  )
}

function count(tally, wanted, got) {
  tally.labelled += wanted.size
  tally.found += got.size
  for (const one of got) if (wanted.has(one)) tally.hit++
}

/** A message counts among the errors: right when one holds the other, at least 15 characters of it. */
function countMessage(tally, label, message, find) {
  const right = (label.message ?? []).some(
    (line) =>
      message &&
      Math.min(line.length, message.length) >= 15 &&
      (line.includes(message) || message.includes(line)),
  )
  if (label.message) tally.labelled++
  if (message) tally.found++
  if (right) tally.hit++
  else if (options.misses && find === byRules && (label.message || message))
    console.error(`message  ${label.handle}  wanted ${JSON.stringify(label.message)}  got ${message}`)
}

function report(label, kind, wanted, got, find) {
  if (!options.misses || find !== byRules) return
  const missed = [...wanted].filter((one) => !got.has(one))
  const extra = [...got].filter((one) => !wanted.has(one))
  if (missed.length + extra.length > 0)
    console.error(
      `${kind}  ${label.handle} (${label.kind})\n   missed ${JSON.stringify(missed)}\n   extra  ${JSON.stringify(extra)}`,
    )
}

function byRules(item) {
  const entities = itemEntities(item)
  const of = (kind) => entities.filter((entity) => entity.kind === kind).map((entity) => cut(entity.name))
  return { ...Object.fromEntries(KINDS.map((kind) => [kind, of(kind)])), message: failureOf(item) }
}

/** What one would write in ten minutes. */
function byRegexes({ text, data, cwd }) {
  const all = (pattern) => [...text.matchAll(pattern)].map((match) => cut(match[1] ?? match[0]))
  const inside = (path) => (cwd && path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path)
  const paths = all(/(?:[\w.~-]*\/)?(?:[\w.-]+\/)*[\w.-]+\.[a-z]{1,5}\b|(?:\.{0,2}\/)[\w./-]+/g)
  if (typeof data.path === 'string') paths.push(data.path)
  const commands = all(/^\s*\$ (.+)$/gm)
  if (typeof data.command === 'string') commands.push(cut(data.command))
  const failed = data.failed === true || 'tool' in data
  return {
    path: paths.map(inside),
    command: commands,
    error: all(/\b(E[A-Z]{3,}|[A-Z]\w*Error|[A-Z]{1,3}\d{3,5})\b/g),
    package: all(/(?:npm install|pip install|go get|from|require\()\s*['"]?(@?[\w./-]+)/g),
    message: failed ? (all(/^.*\b(?:error|failed|fatal|not found)\b.*$/gim)[0] ?? null) : null,
  }
}
