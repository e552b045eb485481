// A whole memory of any size, written straight into the store: sessions, arcs, items, full text, vectors, rungs, names,
// facts, cells and repeats, in the proportions measured on real coding transcripts (80 words, 5.6 names, 0.7 facts and
// 2.1 rungs an item; one goal in 14 items). Words and names follow Zipf's law over vocabularies that grow with the size
// (Heaps' law), a project has words of its own and a session a topic within them. The same size gives the same memory.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const WORDS =
  `the a to of in and is for it that this with we be on as not by from or at are was will can has have if then when
file test error function should value type return change add fix update run build line code path name data use new set
get read write call check user list text version config command output input server client request response key table
column row query index cache token session worker deploy rollback fixture branch merge review handler payload customer
order refund webhook lock thread render layout button filter search vector budget receipt journal transcript plan gate
approve correct stack trace warning memory disk network socket stream buffer encode decode hash secret flag default
invoice ledger parser schema queue cursor export retry timeout migration import billing report sync mobile admin auth
login password email account page form field label color theme font image icon window panel menu tab dialog editor
document comment version history commit diff patch conflict release package module dependency license upgrade downgrade
install script pipeline container volume cluster node service proxy router header cookie redirect cors origin certificate
metric alert dashboard log level sample rate quota limit throttle batch job schedule cron trigger event listener hook
callback promise async await mutex deadlock race leak crash dump profile benchmark latency throughput memory garbage
collector compiler linker macro template generic interface abstract concrete adapter factory builder visitor iterator
generator coroutine closure scope binding variable constant literal operator expression statement block loop branch`.split(
    /\s+/,
  )
const SYLLABLES =
  'ba ce di fo gu ha je ki lo mu na pe qui ro su ta ve wi xo ya zu bra cle dri flo gru sta tri ple'.split(' ')
const VOCABULARY = 200_000
const PROJECTS = 12
const SESSION = 80
const ARC = 14
/** Kinds by their share of real journals, and their words. */
const KINDS = [
  ['file_op', 38, 85],
  ['command', 20, 60],
  ['note', 25, 60],
  ['conclusion', 7, 130],
  ['plan', 4, 190],
  ['error', 4, 90],
  ['decision', 2, 20],
]
const KIND_AT = KINDS.flatMap(([kind, share]) => Array(share).fill(kind))
const LENGTHS = Object.fromEntries([['goal', 50], ...KINDS.map(([kind, , words]) => [kind, words])])
const LETTERS = 'abcdefghijklmnopqrstuvwxyz234567'

/** A word by its rank: the common ones of English and code first, then made-up ones. */
function word(rank) {
  if (rank < WORDS.length) return WORDS[rank]
  let text = ''
  for (let n = rank; n > 0; n = Math.floor(n / SYLLABLES.length)) text += SYLLABLES[n % SYLLABLES.length]
  return text
}

function seeded(start) {
  let seed = (Math.imul(start, 2654435761) ^ 0x9e3779b9) >>> 0
  return () => {
    seed = (seed + 0x6d2b79f5) >>> 0
    let t = seed
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

/** A number from `from` up to `to` with probability about 1 / number. */
const between = (random, from, to) =>
  Math.min(to - 1, Math.floor(from * Math.exp(random() * Math.log(to / from))))
/** Every word by its share of all, so that drawing one is looking one up. */
const DRAWS = 2 ** 19
const drawn = Array.from({ length: DRAWS }, (_, i) =>
  word(Math.min(VOCABULARY, Math.floor(VOCABULARY ** ((i + 0.5) / DRAWS))) - 1),
)
const zipfWord = (random) => drawn[Math.floor(random() * DRAWS)]
const NOISE = Float32Array.from({ length: 2 ** 17 }, seeded(4711)).map((value) => (value - 0.5) * 0.06)
const pick = (random, list) => list[Math.floor(random() * list.length)]

const projectWords = Array.from({ length: PROJECTS }, (_, p) => {
  const random = seeded(1_000_003 + p)
  return Array.from({ length: 60 }, () => word(between(random, 80, 6000)))
})

function sessionOf(s, names) {
  const random = seeded(7_919 * s + 13)
  const project = Math.floor(PROJECTS * random() ** 1.5)
  const own = projectWords[project]
  return {
    id: `generic:s${s}`,
    project,
    topic: [
      ...Array.from({ length: 4 }, () => pick(random, own)),
      ...Array.from({ length: 5 }, () => word(between(random, 300, 20_000))),
      ...Array.from({ length: 3 }, () => word(between(random, 5000, VOCABULARY))),
    ],
    paths: Array.from({ length: 8 }, () => between(random, 1, names.paths) - 1),
    symbols: Array.from({ length: 16 }, () => between(random, 1, names.symbols) - 1),
    start: Date.UTC(2024, 0, 1) + Math.floor((s * 63_072_000_000) / names.sessions),
    place: [random(), random(), random()],
  }
}

/** What the same size always gives. @yields sessions with their items */
function* sessions(size) {
  const count = Math.ceil(size / SESSION)
  const inProject = size / PROJECTS
  const names = {
    sessions: count,
    paths: Math.ceil(16 * Math.sqrt(inProject)),
    symbols: Math.ceil(38 * Math.sqrt(inProject)),
  }
  for (let s = 0; s < count; s++) {
    const session = sessionOf(s, names)
    session.items = Array.from({ length: Math.min(SESSION, size - s * SESSION) }, (_, i) =>
      itemOf(s * SESSION + i, i, session),
    )
    yield session
  }
}

function itemOf(n, position, session) {
  const random = seeded(31 * n + 7)
  const kind = position % ARC === 0 ? 'goal' : pick(random, KIND_AT)
  const length = Math.ceil(LENGTHS[kind] * (0.15 - 0.75 * Math.log(1 - 0.985 * random())))
  const words = Array.from({ length }, () =>
    random() < 0.2 ? pick(random, session.topic) : zipfWord(random),
  )
  for (let at = 12; at < words.length; at += 9 + Math.floor(random() * 12)) words[at] += '.'
  const path = kind === 'file_op' || random() < 0.3 ? pick(random, session.paths) : null
  const named = Array.from({ length: 3 + Math.floor(random() * 4) }, () => pick(random, session.symbols))
  return {
    handle: handleOf(n),
    goal: handleOf(n - (position % ARC)),
    arc: `arc_${handleOf(n - (position % ARC)).slice(4)}`,
    kind,
    position,
    ts: session.start + position * 60_000,
    text: words.join(' '),
    path,
    symbols: [...new Set(named)],
    repeats: random() < 0.03 && position > 7 ? handleOf(n - 7) : null,
    random,
  }
}

function handleOf(n) {
  let text = ''
  for (let i = 0, rest = Math.imul(n + 1, 2654435761) >>> 0; i < 7; i++, rest = Math.floor(rest / 32))
    text += LETTERS[rest % 32]
  for (let i = 0, rest = n; i < 19; i++, rest = Math.floor(rest / 32)) text += LETTERS[rest % 32]
  return `itm_${text}`
}

/** What people would ask of a memory of that size: words of some session's topic among common ones; some name a project. */
export function questions(count, size) {
  const random = seeded(99)
  const names = { sessions: Math.ceil(size / SESSION), paths: 10, symbols: 10 }
  return Array.from({ length: count }, () => {
    const { topic, project } = sessionOf(Math.floor(random() * names.sessions), names)
    const words = Array.from({ length: 4 + Math.floor(random() * 8) }, () =>
      random() < 0.4 ? pick(random, topic) : zipfWord(random),
    )
    return { text: `how did we ${words.join(' ')}`, project: `project-${project}` }
  })
}

/**
 * The database of that size in `folder`, made anew or found from an earlier run of the same generator; one that was made
 * before a migration is migrated, as a person's is. @returns {{ path, fillMs }} fillMs is null when it was found
 */
export async function memoryOf({ size, store, embed, model, folder = tmpdir() }) {
  const code = createHash('sha256')
    .update(readFileSync(import.meta.filename))
    .update(model)
    .digest('hex')
  const path = join(folder, `fovea-bench-${code.slice(0, 12)}-${size}.db`)
  if (existsSync(path)) {
    const db = store.openWrite(path)
    store.migrate(db)
    db.close()
    return { path, fillMs: null }
  }
  const unfinished = `${path}.${process.pid}`
  const began = performance.now()
  const db = store.openWrite(unfinished)
  try {
    store.migrate(db)
    // It is made anew when something goes wrong, so it need not survive that.
    db.get('PRAGMA journal_mode = MEMORY')
    db.run('PRAGMA synchronous = OFF')
    db.run('PRAGMA cache_size = -1000000')
    await fill(db, { size, store, places: await placesIn(embed) })
    store.journalSql.tallyItems(db)
    db.run('DELETE FROM neighbour_queue')
    db.run('ANALYZE')
    db.get('PRAGMA journal_mode = WAL')
    db.close()
    renameSync(unfinished, path)
  } catch (error) {
    for (const end of ['', '-wal', '-shm']) rmSync(unfinished + end, { force: true })
    throw error
  }
  return { path, fillMs: Math.round(performance.now() - began) }
}

/** Where real texts lie in the space of meanings; everything else is put between and around them. */
async function placesIn(embed) {
  const texts = []
  for (const { items } of sessions(40_000)) texts.push(items[3].text.slice(0, 400))
  return embed(texts)
}

async function fill(db, { size, store, places }) {
  const entities = new Map()
  let batch = []
  let held = 0
  for (const session of sessions(size)) {
    batch.push(session)
    held += session.items.length
    if (held < 20_000) continue
    write(db, store, batch, places, entities)
    batch = []
    held = 0
    await new Promise(setImmediate)
  }
  write(db, store, batch, places, entities)
}

function write(db, store, batch, places, entities) {
  db.transaction(() => {
    const words = []
    for (const session of batch) writeSession(db, store, { session, places, entities, words })
    // The index last: at every statement with a trigger FTS5 writes out what it holds.
    for (const [id, text, ts] of words)
      db.run('INSERT INTO items_fts (rowid, text, dates) VALUES (?, ?, ?)', [id, text, dates(ts)])
  })
}

const MONTHS = 'january february march april may june july august september october november december'.split(
  ' ',
)
function dates(ts) {
  const date = new Date(ts)
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()} ${date.toISOString().slice(0, 10)}`
}

function writeSession(db, store, { session, places, entities, words }) {
  const project = `project-${session.project}`
  const { id, items, start } = session
  db.run(
    "INSERT INTO sessions (id, native_id, agent, project, title, started_at, ended_at) VALUES (?, ?, 'generic', ?, ?, ?, ?)",
    [id, id, project, items[0].text.slice(0, 60), start, items.at(-1).ts],
  )
  const ids = new Map()
  for (const item of items) {
    if (item.kind === 'goal') {
      const own = items.filter((other) => other.arc === item.arc)
      const bounds = [item.ts, own.at(-1).ts, own.length]
      db.run(
        'INSERT INTO arcs (id, session_id, project, goal_handle, started_at, ended_at, items) VALUES (?, ?, ?, ?, ?, ?, ?)',
        [item.arc, id, project, item.handle, ...bounds],
      )
    }
    const rowId = writeItem(db, store, { item, id, project })
    ids.set(item.handle, rowId)
    words.push([rowId, item.text, item.ts])
    writeVectors(db, store, { rowId, item, place: session.place, places })
    writeNames(db, { rowId, item, project, entities })
    if (item.repeats)
      db.run("INSERT INTO duplicates (item_id, first_id, kind, similarity) VALUES (?, ?, 'near', 0.9)", [
        rowId,
        ids.get(item.repeats),
      ])
  }
  const cell = `cel_${id.slice(9).padStart(8, '0')}`
  db.run('INSERT INTO cells (id, project, name, items, sessions, changed) VALUES (?, ?, ?, ?, 1, 0)', [
    cell,
    project,
    session.topic[0],
    items.length,
  ])
  for (const rowId of ids.values())
    db.run('INSERT INTO cell_items (item_id, cell_id, weight) VALUES (?, ?, 1)', [rowId, cell])
}

function writeItem(db, store, { item, id, project }) {
  const { handle, kind, position, ts, text, goal, arc, path } = item
  const packed = store.packText(text)
  const data = kind === 'file_op' ? { path: `src/${word(path + 90)}.ts`, op: 'edit' } : {}
  db.run(
    `INSERT INTO items (handle, kind, session_id, position, ts, role, project, goal_handle, arc_id, text, text_z, chars,
       data, file_path, record_id, line, byte_offset, byte_length, record_hash)
     VALUES (?, ?, ?, ?, ?, 'assistant', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      handle,
      kind,
      id,
      position,
      ts,
      project,
      kind === 'goal' ? null : goal,
      arc,
      packed.text,
      packed.text_z,
      text.length,
      JSON.stringify(data),
      `/home/ann/.agent/${id}.jsonl`,
      handle,
      position + 1,
      position * 900,
      900,
      handle,
    ],
  )
  const { id: rowId } = db.get('SELECT id FROM items WHERE handle = ?', [handle])
  for (const [level, rung] of rungsOf(item))
    db.run(
      "INSERT INTO rungs (subject, level, text, method, version, tokens, created_at, provenance) VALUES (?, ?, ?, 'extractive', 2, ?, ?, ?)",
      [handle, level, rung, Math.ceil(rung.length / 4), ts, JSON.stringify([handle])],
    )
  return rowId
}

function rungsOf({ kind, text }) {
  const first = text.split('. ', 1)[0].slice(0, 120)
  const rungs = [
    ['L1', first],
    ['L3', `${kind}: ${first.split(' ').slice(0, 5).join(', ')}`],
  ]
  if (text.length < 900) return rungs
  const parts = text.split('. ')
  const distilled = { decisions: parts.slice(1, 3), outcomes: parts.slice(-3, -1), entities: [] }
  return [...rungs, ['L2', JSON.stringify({ ...distilled, constraints: [], open_questions: [] })]]
}

/** A session lies between two real texts, its items around it, an item's context nearer to the session. */
function writeVectors(db, store, { rowId, item, place, places }) {
  const [a, b] = [places[Math.floor(place[0] * places.length)], places[Math.floor(place[1] * places.length)]]
  const own = places[Math.floor(item.random() * places.length)]
  for (const [unit, drift] of [
    ['item', 0.55],
    ['context', 0.3],
  ]) {
    const vector = new Float32Array(384)
    const noise = Math.floor(item.random() * (NOISE.length - 384))
    let squares = 0
    for (let i = 0; i < 384; i++) {
      const value = 0.65 * a[i] + 0.35 * b[i] + drift * own[i] + NOISE[noise + i]
      vector[i] = value
      squares += value * value
    }
    const length = Math.sqrt(squares) || 1
    for (let i = 0; i < 384; i++) vector[i] /= length
    const provenance = [item.handle]
    store.vectorSql.putVector(db, { itemId: rowId, unit, model: 'bench', vector, provenance, labels: [] })
  }
}

function writeNames(db, { rowId, item, project, entities }) {
  const named = new Map()
  const entity = (kind, name) => {
    const key = `${project} ${name}`
    let id = entities.get(key)
    if (id === undefined) {
      id = db.run('INSERT INTO entities (kind, name, project) VALUES (?, ?, ?)', [
        kind,
        name,
        project,
      ]).lastInsertRowid
      entities.set(key, id)
    }
    return id
  }
  if (item.path !== null) named.set(entity('path', `src/${word(item.path + 90)}.ts`), 1)
  for (const symbol of item.symbols) named.set(entity('symbol', `${word(symbol + 200)}Of`), 0.6)
  for (const [id, weight] of named)
    db.run('INSERT INTO item_entities (item_id, entity_id, weight) VALUES (?, ?, ?)', [rowId, id, weight])
  if (item.path === null) return
  db.run(
    "INSERT INTO facts (item_id, subject, predicate, object, handle, method) VALUES (?, ?, 'edits', ?, ?, 'rules')",
    [rowId, item.arc, `src/${word(item.path + 90)}.ts`, item.handle],
  )
}
