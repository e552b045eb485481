import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import {
  hydrate,
  listReceipts,
  nearest,
  newReceiptId,
  openReceipt,
  replay,
  search,
} from '../../../src/main/hydration'
import { ReceiptId } from '../../../src/shared/domain'
import { HydrateRequest, Receipt, SearchRequest, SearchResult } from '../../../src/shared/recall'
import { changeReceipts } from '../../packed'
import { embedAll, memory, NOW, type Remembered, remember, wordEmbedder } from './memory'

const DAY = 86_400_000
const find = (text: string, more: Partial<Query> = {}) => SearchRequest.parse({ text, ...more })
type Query = z.output<typeof SearchRequest>

const items: Remembered[] = [
  {
    kind: 'goal',
    text: 'Make the payments webhook retry',
    session: 'a',
    project: 'shop',
    ts: NOW - 40 * DAY,
  },
  { kind: 'error', text: 'webhook delivered twice', session: 'a', project: 'shop', ts: NOW - 40 * DAY },
  {
    kind: 'goal',
    text: 'Describe the webhook on the landing page',
    session: 'b',
    project: 'site',
    ts: NOW - 2 * DAY,
  },
  { kind: 'note', text: 'The page is green.', session: 'c', project: 'site' },
]

describe('search', () => {
  test('finds by words, other forms of a word too, best first, each hit with a snippet and its source', async () => {
    const { db, ports } = memory()
    const handles = remember(db, items)
    const result = await search(ports, find('retrying webhooks'))
    expect(SearchResult.parse(result)).toEqual(result)
    expect(result.hits[0]).toMatchObject({
      handle: handles[0],
      score: 1,
      snippet: 'Make the payments webhook retry',
      pointer: { file: '/transcripts/a.jsonl', line: 1 },
    })
    expect(result).toMatchObject({
      path: 'lexical',
      reason: 'no embedding model: The model is not installed.',
    })
  })

  test('shows the place in a long text where the words stand', async () => {
    const { db, ports } = memory()
    const padding = 'Nothing of interest is said in this sentence. '.repeat(50)
    remember(db, [{ text: `${padding}Here the webhook meets its retry budget at last. ${padding}` }])
    const { hits } = await search(ports, find('webhook retry'))
    expect(hits[0]?.snippet).toMatch(/^….*the webhook meets its retry budget.*…$/)
    expect(hits[0]?.snippet.length).toBeLessThan(200)
  })

  test('keeps to the project, kind and time asked for', async () => {
    const { db, ports } = memory({ embedder: wordEmbedder })
    const [goal, error, page] = remember(db, items)
    embedAll(db)
    const found = async (more: Partial<Query>) =>
      (await search(ports, find('webhook', more))).hits.map((hit) => hit.handle).sort()
    expect(await found({ project: 'shop' })).toEqual([goal, error].sort())
    expect(await found({ kind: 'error' })).toEqual([error])
    expect(await found({ project: 'site', since: NOW - 3 * DAY })).toContain(page)
    expect(await found({ project: 'shop', since: NOW - 3 * DAY })).toEqual([])
    expect(await found({ until: NOW - 30 * DAY })).toEqual([goal, error].sort())
    expect(await found({ limit: 1 })).toHaveLength(1)
  })

  test('leaves out, and counts, what has nothing but a frequent word or its place in common with the question', async () => {
    const { db, ports } = memory()
    const noise = Array.from({ length: 60 }, (_, n) => ({
      text: `Ran the build, step ${n}.`,
      session: `s${n % 7}`,
    }))
    const [meant] = remember(db, [{ text: 'The ledger build broke.', session: 's1' }, ...noise])
    const { hits, leftOut } = await search(ports, find('ledger build'))
    expect(hits.map((hit) => hit.handle)).toEqual([meant])
    expect(leftOut).toBeGreaterThan(40)
    // When it is the only word, it is what was asked for.
    const common = await search(ports, find('build'))
    expect(common).toMatchObject({ leftOut: 0 })
    expect(common.hits).toHaveLength(20)
  })

  test('leaves out what is hardly near in meaning', async () => {
    const { db, ports } = memory({ embedder: wordEmbedder })
    const [near, far] = remember(db, [
      { text: 'green page', session: 'a' },
      { text: 'a parser reads old numbers while nobody listens to the green radio in town', session: 'b' },
    ])
    embedAll(db)
    // Neither says the words as the index knows them, so that meaning alone decides.
    db.run('DELETE FROM items_fts')
    const { hits } = await search(ports, find('green page'))
    expect(hits.map((hit) => hit.handle)).toContain(near)
    expect(hits.map((hit) => hit.handle)).not.toContain(far)
  })

  test('leaves a receipt', async () => {
    const { db, ports } = memory()
    remember(db, items)
    const { receipt, hits } = await search(ports, find('webhook'))
    const stored = openReceipt(db, receipt ?? '')
    expect(stored.kind).toBe('search')
    expect(stored.receipt.facts.map((fact) => fact.handle)).toEqual(hits.map((hit) => hit.handle))
  })

  test.each(['"', '*', 'NOT', 'a OR', 'col:x', '(((', '\u0000', '-', 'x" OR "y'])(
    'takes %j as text, not as syntax',
    async (text) => {
      const { db, ports } = memory()
      remember(db, items)
      await expect(search(ports, find(text))).resolves.toMatchObject({ hits: expect.any(Array) })
    },
  )

  test('for nothing but blanks asks for words', async () => {
    await expect(search(memory().ports, find('  '))).rejects.toMatchObject({ code: 'bad-input' })
  })
})

describe('nearest', () => {
  test('gives cosines, best first', async () => {
    const { db, ports } = memory({ embedder: wordEmbedder })
    const handles = remember(db, items)
    embedAll(db)
    const result = await nearest(ports, { text: 'The page is green', k: 2 })
    expect(result).toMatchObject({ path: 'semantic', reason: null })
    expect(result.hits).toHaveLength(2)
    expect(result.hits[0]).toEqual({ handle: handles[3], score: 1 })
  })

  test('without a model goes by words, and says so', async () => {
    const { db, ports } = memory()
    const handles = remember(db, items)
    const result = await nearest(ports, { text: 'green', k: 5 })
    expect(result).toEqual({
      path: 'lexical',
      reason: 'no embedding model: The model is not installed.',
      hits: [{ handle: handles[3], score: 1 }],
    })
    expect(listReceipts(db, { limit: 5 })).toMatchObject([{ kind: 'nearest', facts: 1, path: 'lexical' }])
  })
})

describe('a receipt', () => {
  const ask = HydrateRequest.parse({ goal: 'webhook', asOf: NOW })

  test('is listed newest first, opened again as it was, with its frame', async () => {
    const { db, ports } = memory()
    remember(db, items)
    const first = await hydrate({ ...ports, clock: () => NOW - 10 }, ask)
    const second = await hydrate(ports, ask)
    expect(listReceipts(db, { limit: 10 }).map((line) => line.id)).toEqual([
      second.receipt.id,
      first.receipt.id,
    ])
    expect(listReceipts(db, { limit: 10, before: NOW }).map((line) => line.id)).toEqual([first.receipt.id])
    const opened = openReceipt(db, first.receipt.id)
    expect(opened).toEqual({ kind: 'hydrate', ...first })
    expect(Receipt.parse(opened.receipt)).toEqual(first.receipt)
  })

  test('ties its facts to their items, with the labels of all', async () => {
    const { db, ports } = memory()
    const [goal = '', error = ''] = remember(db, items.slice(0, 2))
    db.run(`UPDATE item_rows SET labels = '["team"]' WHERE handle = ?`, [goal])
    db.run(`UPDATE item_rows SET labels = '["private","team"]' WHERE handle = ?`, [error])
    const { receipt } = await hydrate(ports, ask)
    expect(
      db.all('SELECT handle, level FROM receipt_facts WHERE receipt_id = ? ORDER BY handle', [receipt.id]),
    ).toEqual([goal, error].sort().map((handle) => ({ handle, level: 'L0' })))
    expect(db.get('SELECT labels FROM receipts')).toEqual({ labels: '["private","team"]' })
  })

  test('that does not exist, or is no longer readable, is said plainly', async () => {
    const { db, ports } = memory()
    remember(db, items)
    expect(() => openReceipt(db, 'rcp_nothing')).toThrow(expect.objectContaining({ code: 'not-found' }))
    const { receipt } = await hydrate(ports, ask)
    changeReceipts(db, () => '{"broken')
    expect(() => openReceipt(db, receipt.id)).toThrow(expect.objectContaining({ code: 'corrupt' }))
  })

  test('has an id of its own every time', () => {
    const ids = Array.from({ length: 1000 }, () => newReceiptId())
    expect(new Set(ids).size).toBe(1000)
    for (const id of ids) expect(ReceiptId.safeParse(id).success).toBe(true)
    expect(newReceiptId(() => new Uint8Array(16))).toBe('rcp_aaaaaaaaaaaaaaaa')
  })
})

describe('replay', () => {
  const ask = HydrateRequest.parse({ goal: 'webhook retry', asOf: NOW })

  test('of an unchanged memory is the same', async () => {
    const { db, ports } = memory({ embedder: wordEmbedder })
    remember(db, items)
    embedAll(db)
    const { receipt } = await hydrate(ports, ask)
    expect(await replay({ ...ports, clock: () => NOW + 5 * DAY }, receipt.id)).toMatchObject({
      same: true,
      added: [],
      removed: [],
      changed: [],
    })
  })

  test('names what came and what went', async () => {
    const { db, ports } = memory()
    const [goal = '', error = ''] = remember(db, items)
    const { receipt } = await hydrate(ports, ask)
    const [late] = remember(db, [
      { text: 'the webhook retry is capped at three', session: 'late', ts: NOW - DAY },
    ])
    db.run('DELETE FROM items_fts WHERE rowid = (SELECT id FROM items WHERE handle = ?)', [error])
    db.run('DELETE FROM item_rows WHERE handle = ?', [error])
    const result = await replay(ports, receipt.id)
    expect(result).toMatchObject({ same: false, added: [late], removed: [error] })
    expect(result.receipt.facts.map((fact) => fact.handle)).toContain(goal)
  })

  test('of a search is refused', async () => {
    const { db, ports } = memory()
    remember(db, items)
    const { receipt } = await search(ports, find('webhook'))
    await expect(replay(ports, receipt ?? '')).rejects.toMatchObject({ code: 'unsupported' })
  })
})
