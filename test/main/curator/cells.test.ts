import { describe, expect, test } from 'vitest'
import {
  balanceCells,
  curate,
  meetNeighbours,
  relateItem,
  tendNeighbourhoods,
} from '../../../src/main/curator'
import { cellSql, curatorSql, noveltySql, vectorSql, type WriteDb } from '../../../src/main/store'
import { temporaryDb } from '../../support'
import { between, insertItem, seededVector, type TestItem } from '../models/journal-rows'

const topics = {
  retry: ['The retry queue in src/pay/retry.ts', 'drops events of the webhook', 'after the third attempt'],
  colour: ['The theme in src/look/theme.css', 'flickers when the palette', 'of the chart is switched'],
}

/** Items about a topic, each with a vector near the topic's. */
function speak(
  db: WriteDb,
  topic: keyof typeof topics,
  count: number,
  from: number,
  more: TestItem = {},
): number[] {
  const base = seededVector(topic === 'retry' ? 1 : 2)
  const ids: number[] = []
  db.transaction(() => {
    for (let n = 0; n < count; n++) {
      const text = `${topics[topic].join(' ')}; case ${from + n} shows it in another place of the ${topic} code.`
      const { id } = insertItem(db, {
        text,
        project: 'shop',
        session: `generic:${topic}`,
        position: from + n,
        ...more,
      })
      ids.push(id)
      const vector = between(base, seededVector(100 + from + n), 0.2)
      vectorSql.putVector(db, { itemId: id, unit: 'item', model: 'test', vector, provenance: [], labels: [] })
    }
  })
  return ids
}

function tend(db: WriteDb): void {
  while (curate(db, { now: 1 }) > 0);
  while (tendNeighbourhoods(db, { now: 1, version: 1 }) > 0);
}

const cellOf = (db: WriteDb, id = 0): string | undefined => cellSql.cellOfItem(db, id)?.id

describe('cells', () => {
  test('hold what names the same and means the same, and nothing else', () => {
    const db = temporaryDb()
    const retry = speak(db, 'retry', 6, 1)
    const colour = speak(db, 'colour', 5, 101)
    tend(db)
    expect(new Set(retry.map((id) => cellOf(db, id))).size).toBe(1)
    expect(new Set(colour.map((id) => cellOf(db, id))).size).toBe(1)
    expect(cellOf(db, retry[0])).not.toBe(cellOf(db, colour[0]))
    const [largest] = cellSql.listCells(db, { limit: 10, project: 'shop' })
    expect(largest).toMatchObject({ items: 6, sessions: 1, project: 'shop', named: false })
    expect(largest?.entities).toContain('src/pay/retry.ts')
    expect(largest?.name).toMatch(/retry|webhook|events|attempt|queue/)
    expect(cellSql.countCells(db)).toBe(2)
  })

  test('are told by three rungs with sources and labels, gone as soon as an item changes, and made again', () => {
    const db = temporaryDb()
    const [id = 0] = speak(db, 'retry', 4, 1, { labels: ['team'], kind: 'conclusion' })
    tend(db)
    const cell = cellOf(db, id) ?? ''
    const levels = (): string[] => Object.keys(curatorSql.rungs(db, [cell]).get(cell) ?? {}).sort()
    expect(levels()).toEqual(['L1', 'L2', 'L3'])
    expect(db.get('SELECT labels FROM rungs WHERE subject = ? AND level = ?', [cell, 'L1'])).toEqual({
      labels: '["team"]',
    })
    db.run("UPDATE item_rows SET text = 'masked' WHERE id = ?", [id])
    expect(levels()).toEqual([])
    tend(db)
    expect(levels()).toContain('L3')
    db.run('DELETE FROM item_rows')
    tend(db)
    expect(cellSql.cellById(db, cell)).toBeUndefined()
    expect(levels()).toEqual([])
  })

  test('in writing without spaces are named by words, not by a sentence', () => {
    const db = temporaryDb()
    const base = seededVector(5)
    for (let n = 0; n < 6; n++) {
      const text = `请你分析一下打印机驱动程序的处理流程和配置文件，我想知道第${n}个打印机驱动程序为什么失败`
      const { id } = insertItem(db, { text, project: 'shop', position: n })
      const vector = between(base, seededVector(200 + n), 0.1)
      vectorSql.putVector(db, { itemId: id, unit: 'item', model: 'test', vector, provenance: [], labels: [] })
    }
    tend(db)
    const [cell] = cellSql.listCells(db, { limit: 5 })
    expect(cell?.items).toBe(6)
    expect(cell?.name).toMatch(/^\p{Script=Han}{2,8}(?:, \p{Script=Han}{2,8}){2}$/u)
    expect(cell?.name).toMatch(/分析|处理|打印|驱动|程序|配置|文件|失败|流程/)
  })

  test('are told by what was done rather than by what something is', () => {
    const db = temporaryDb()
    speak(db, 'retry', 6, 0)
    const told = [
      'This is a retry webhook queue events review comment of a colleague.',
      'I fixed the retry queue so that no webhook events are dropped any more.',
    ]
    for (const [n, text] of told.entries()) {
      const { id } = insertItem(db, {
        text,
        kind: 'conclusion',
        project: 'shop',
        session: 'generic:retry',
        position: 50 + n,
      })
      const vector = between(seededVector(1), seededVector(300 + n), 0.2)
      vectorSql.putVector(db, { itemId: id, unit: 'item', model: 'test', vector, provenance: [], labels: [] })
    }
    tend(db)
    const [cell] = cellSql.listCells(db, { limit: 5 })
    expect(curatorSql.rungs(db, [cell?.id ?? '']).get(cell?.id ?? '')?.L1?.text).toBe(told[1])
  })

  test('take in a new item without touching the others', () => {
    const db = temporaryDb()
    const ids = speak(db, 'retry', 6, 1)
    speak(db, 'colour', 6, 101)
    tend(db)
    const before = db.all('SELECT item_id, cell_id FROM cell_items ORDER BY item_id')
    const [added = 0] = speak(db, 'retry', 1, 50)
    while (curate(db, { now: 1 }) > 0);
    while (meetNeighbours(db, { take: relateItem }) > 0);
    expect(cellOf(db, added)).toBe(cellOf(db, ids[0]))
    expect(
      db.all('SELECT item_id, cell_id FROM cell_items WHERE item_id <> ? ORDER BY item_id', [added]),
    ).toEqual(before)
  })

  test('keep their id and a given name when they are balanced', () => {
    const db = temporaryDb()
    const ids = speak(db, 'retry', 5, 1)
    tend(db)
    const cell = cellOf(db, ids[0]) ?? ''
    expect(cellSql.renameCell(db, cell, 'Lost events')).toBe(true)
    speak(db, 'retry', 20, 20)
    speak(db, 'colour', 20, 200)
    tend(db)
    expect(cellSql.cellById(db, cell)).toMatchObject({ name: 'Lost events', named: true })
    const members = db.all<{ text: string }>(
      'SELECT i.text FROM cell_items AS m JOIN items AS i ON i.id = m.item_id WHERE m.cell_id = ?',
      [cell],
    )
    expect(members.length).toBeGreaterThan(5)
    expect(members.every(({ text }) => text.includes('retry code'))).toBe(true)
    expect(balanceCells(db, { idle: true })).toBeNull()
    expect(cellSql.renameCell(db, 'cel_none', 'x')).toBe(false)
  })

  test('do not reach over projects, and steps stand with their goal', () => {
    const db = temporaryDb()
    const here = speak(db, 'retry', 4, 1)
    const there = speak(db, 'retry', 4, 300, { project: 'other', session: 'generic:o' })
    const goal = db.get<{ handle: string }>('SELECT handle FROM items WHERE id = ?', [here[0] ?? 0])?.handle
    const [step = 0] = speak(db, 'colour', 1, 400, {
      kind: 'command',
      goal: goal ?? null,
      session: 'generic:retry',
    })
    tend(db)
    expect(cellOf(db, here[0])).not.toBe(cellOf(db, there[0]))
    expect(cellOf(db, step)).toBe(cellOf(db, here[0]))
  })

  test('know the arcs they contain and the cells beside them', () => {
    const db = temporaryDb()
    const retry = speak(db, 'retry', 6, 1)
    db.run("INSERT INTO names (name) VALUES ('arc_one')")
    db.run("UPDATE item_rows SET arc = (SELECT n FROM names WHERE name = 'arc_one')")
    const colour = speak(db, 'colour', 6, 101)
    tend(db)
    const cell = cellOf(db, retry[0]) ?? ''
    expect(cellSql.edgesOf(db, cell, 'contains')).toEqual([{ other: 'arc_one', weight: 1 }])
    db.run('INSERT OR REPLACE INTO item_links VALUES (?, ?, 1)', [retry[0] ?? 0, colour[0] ?? 0])
    db.run('UPDATE cells SET changed = 1')
    tend(db)
    expect(cellSql.edgesOf(db, cell, 'adjacent')).toEqual([{ other: cellOf(db, colour[0]), weight: 1 }])
  })

  test('the work for one item does not grow with the journal', () => {
    const reads = (size: number): number => {
      const db = temporaryDb()
      speak(db, 'retry', size, 1)
      tend(db)
      const [added = 0] = speak(db, 'retry', 1, 5_000)
      while (curate(db, { now: 1 }) > 0);
      while (meetNeighbours(db, { take: relateItem }) > 0);
      return db.get<{ n: number }>('SELECT count(*) AS n FROM item_links WHERE item_id = ?', [added])?.n ?? 0
    }
    expect(reads(120)).toBe(reads(30))
    const db = temporaryDb()
    speak(db, 'retry', 3, 1)
    expect(noveltySql.countNeighbourQueue(db)).toBe(3)
  })

  test('hold what was said for one goal together, and its many steps follow a few at a time', () => {
    const db = temporaryDb()
    const [goal = 0] = speak(db, 'retry', 1, 1, { kind: 'goal' })
    const handle = db.get<{ handle: string }>('SELECT handle FROM items WHERE id = ?', [goal])?.handle ?? null
    const said = speak(db, 'retry', 3, 10, { goal: handle })
    const aside = speak(db, 'colour', 2, 20, { goal: handle, session: 'generic:retry' })
    const steps = speak(db, 'colour', 1_005, 100, { kind: 'command', goal: handle, session: 'generic:retry' })
    db.run('DELETE FROM vectors WHERE item_id IN (SELECT value FROM json_each(?))', [JSON.stringify(steps)])
    tend(db)
    const cell = cellOf(db, goal)
    expect(cell).toBeDefined()
    expect(new Set([...said, ...aside, ...steps].map((id) => cellOf(db, id)))).toEqual(new Set([cell]))
    // Moved elsewhere, they come along in two steps of the curator.
    cellSql.putCell(db, 'cel_other', 'shop')
    cellSql.joinCell(db, goal, 'cel_other', 1)
    cellSql.queueSteps(db, [goal])
    tendNeighbourhoods(db, { now: 1, version: 1 })
    const moved = (): number =>
      db.get<{ n: number }>("SELECT count(*) AS n FROM cell_items WHERE cell_id = 'cel_other'")?.n ?? 0
    expect(moved()).toBe(1_001)
    tendNeighbourhoods(db, { now: 1, version: 1 })
    expect(moved()).toBe(1_006)
  })
})
