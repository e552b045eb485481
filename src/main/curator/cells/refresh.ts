import { cellSql, curatorSql, modelWorkSql, type ReadDb, tieSql, type WriteDb } from '../../store'
import { union } from '../arcs'
import { clip } from '../clip'
import { contentWords } from '../cues'
import { distil, type Said } from '../distil'
import { keyStatement, speakerOf } from '../extract'
import { join } from '../item-rungs'
import { stillStands } from '../model/material'
import { usesModel } from '../model/settings'
import { pathTail } from '../short-path'
import { statementsOf } from '../statements'

/** Items read of a cell for its name, tags and summary, however large it is. */
const READ = 48
const CHARS = 2_000
const TAGS = 6
const ENTITIES = 8
/** Handles kept as provenance; the members themselves are in cell_items. */
const PROVENANCE = 64
const EDGES = 8
/** A word in this many items is counted no further. */
const CAP = 2_000
/** A name that Fovea gave is given anew when the cell has grown to this many times what it was. */
const OUTGROWN = 3

/**
 * Works out anew what is told of the cells in which something changed: size, time, name, tags, entities, neighbours,
 * arcs, and the three rungs of their summary.
 * @returns how many cells; 0 when none waits
 */
export function refreshCells(db: WriteDb, options: { now: number; version: number; limit: number }): number {
  const ids = cellSql.changedCells(db, options.limit)
  if (ids.length === 0) return 0
  db.transaction(() => {
    for (const id of ids) refresh(db, id, options)
  })
  return ids.length
}

function refresh(db: WriteDb, id: string, { now, version }: { now: number; version: number }): void {
  const cell = cellSql.cellById(db, id)
  const span = cellSql.spanOf(db, id)
  if (!cell || (span.items === 0 && !cell.named)) {
    cellSql.deleteCell(db, id)
    return
  }
  const members = speaking(cellSql.tellingMembers(db, id, READ)).map((one) => ({
    ...one,
    text: one.text.slice(0, CHARS),
  }))
  const tags = tagsOf(db, members)
  const entities = entitiesOf(db, id)
  const outgrown = !cell.named && (cell.name === '' || span.items >= OUTGROWN * cell.namedItems)
  const labels = union(cellSql.labelsWithin(db, id).map((json) => JSON.parse(json) as string[]))
  cellSql.settleCell(db, id, {
    name: outgrown ? nameOf(tags, entities, cell.project) : cell.name,
    namedItems: outgrown ? span.items : cell.namedItems,
    items: span.items,
    sessions: span.sessions,
    startedAt: span.startedAt ?? 0,
    endedAt: span.endedAt ?? 0,
    tags,
    entities,
    provenance: members.map((one) => one.handle).slice(0, PROVENANCE),
    labels,
  })
  cellSql.putAdjacent(db, id, EDGES)
  cellSql.putContained(db, id, EDGES)
  // What a model said of the same members stays; what it said of others goes.
  const stands = stillStands(db, id)
  if (!stands) curatorSql.deleteRungs(db, id)
  for (const draft of summaries(members, tags, entities, span.items)) {
    if (stands && draft.level !== 'L3') continue
    curatorSql.putRung(db, {
      subject: id,
      ...draft,
      model: null,
      version,
      tokens: Math.ceil(draft.text.length / 4),
      createdAt: now,
      provenance: draft.from.slice(0, PROVENANCE),
      labels,
    })
  }
  if (!stands && usesModel(db)) modelWorkSql.offerCell(db, id, now + modelWorkSql.QUIET_MS)
}

/** Where anything is said, what was done step by step tells nothing more. */
function speaking(members: cellSql.Member[]): cellSql.Member[] {
  const said = members.filter(({ kind }) => kind !== 'file_op' && kind !== 'command' && kind !== 'image')
  return said.length > 0 ? said : members
}

/** The words that stand in many of the cell's items and in few others: share inside × rarity. */
function tagsOf(db: ReadDb, members: readonly cellSql.Member[]): string[] {
  const counts = new Map<string, number>()
  for (const { text } of members)
    for (const word of new Set(tagWords(text))) counts.set(word, (counts.get(word) ?? 0) + 1)
  const total = tieSql.countItems(db)
  return [...counts]
    .filter(([, count]) => count >= Math.min(2, members.length))
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, 40)
    .map(([word, count]) => {
      const all = Math.max(count, tieSql.wordCount(db, word, CAP))
      return { word, score: (count / members.length) * Math.log(1 + total / all) }
    })
    .sort((a, b) => b.score - a.score || (a.word < b.word ? -1 : 1))
    .slice(0, TAGS)
    .map(({ word }) => word)
}

/** Writing without spaces between words, where what stands between two marks is a whole sentence. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u
const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' })
/** The commonest words of such writing that say nothing of what a text is about. */
const UNSPACED_STOP = new Set(
  '我们 你们 他们 这个 那个 这些 那些 一个 一下 可以 需要 没有 什么 为什么 怎么 如何 如果 因为 所以 但是 或者 以及 进行 使用 现在 然后 已经 还是 就是 不是 自己 知道 请你 する して した です ます こと これ それ ため よう ください'.split(
    ' ',
  ),
)

/** Words that may name a cell. */
function tagWords(text: string): string[] {
  return contentWords(text, 200).flatMap((word) =>
    UNSPACED.test(word)
      ? [...segmenter.segment(word)]
          .map(({ segment }) => segment)
          .filter((part) => /^\p{L}{2,8}$/u.test(part) && !UNSPACED_STOP.has(part))
      : /^\p{L}{4,24}$/u.test(word)
        ? [word]
        : [],
  )
}

function entitiesOf(db: ReadDb, cell: string): string[] {
  return cellSql
    .entitiesWithin(db, cell, ENTITIES)
    .map(({ kind, name }) => (kind === 'path' ? pathTail(name, 60) : clip(name, 60)))
}

/** Three tags, the first entity that adds to them, or the project. */
function nameOf(tags: readonly string[], entities: readonly string[], project: string): string {
  const words = tags.slice(0, 3)
  const entity = entities.find((one) => !words.some((word) => one.toLowerCase().includes(word)))
  const short = entity?.split('/').at(-1)?.slice(0, 40)
  const name = [words.join(', '), short].filter(Boolean).join(' · ')
  return name || project || 'Unnamed'
}

interface Summary {
  level: 'L1' | 'L2' | 'L3'
  text: string
  method: 'extractive' | 'rules'
  from: string[]
}

function summaries(
  members: readonly cellSql.Member[],
  tags: readonly string[],
  entities: readonly string[],
  items: number,
): Summary[] {
  const made: Summary[] = []
  const sentence = central(members, tags)
  if (sentence) made.push({ level: 'L1', method: 'extractive', ...sentence })
  const said = members.filter((one) => one.kind !== 'error').map(saidBy)
  const lists = distil(said)
  if (Object.values(lists).some((list) => list.length > 0)) {
    const text = JSON.stringify({ entities: entities.slice(0, 12), ...lists })
    made.push({ level: 'L2', text, method: 'extractive', from: members.map((one) => one.handle) })
  }
  const line = join(`${items} ${items === 1 ? 'item' : 'items'}:`, [
    ...entities.slice(0, 3),
    ...tags.slice(0, 3),
  ])
  made.push({ level: 'L3', text: line, method: 'rules', from: members.map((one) => one.handle) })
  return made
}

function saidBy({ kind, text, data }: cellSql.Member): Said {
  return { text, speaker: speakerOf(kind as 'note', JSON.parse(data) as Record<string, unknown>) }
}

/** What came out is worth more than what was asked, and that more than an error's text. */
const WORTH: Record<string, number> = { conclusion: 1.5, decision: 0.5, plan: 0.5, note: 0, goal: -0.5 }

/** The key sentence of a member that speaks most of what the cell is about; what came out before what was asked. */
function central(
  members: readonly cellSql.Member[],
  tags: readonly string[],
): { text: string; from: string[] } | null {
  let best: { text: string; from: string[]; score: number } | null = null
  for (const { text, kind, handle } of members) {
    const key = keyStatement(text, kind as 'note', tags.join(' '))
    if (!key?.telling || key.text.endsWith('?')) continue
    const words = new Set(contentWords(key.text, 60))
    const weight = WORTH[kind] ?? -3
    // As for a rollup: what was done or decided tells more than what something is.
    const [act] = statementsOf(key.text, 'agent')
    const does = act && !act.idle ? Math.min(3, Math.max(act.outcome, act.decision)) : -2
    const score = tags.filter((tag) => words.has(tag)).length + weight + does
    if (best === null || score > best.score) best = { text: key.text, from: [handle], score }
  }
  return best && { text: best.text, from: best.from }
}
