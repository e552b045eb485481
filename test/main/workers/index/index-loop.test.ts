import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { curate } from '../../../../src/main/curator'
import type { BacklogEmbedder, EmbedderStatus } from '../../../../src/main/models'
import { indexSql, vectorSql, type WriteDb } from '../../../../src/main/store'
import { IndexLoop, type IndexLoopOptions } from '../../../../src/main/workers/index/index-loop'
import { AppError } from '../../../../src/shared/errors'
import type { IndexStatus } from '../../../../src/shared/journal'
import { temporaryDb } from '../../../support'
import { insertItem, seededVector } from '../../models/journal-rows'

/** The model at the edge: a vector that follows from the text, and a list of what was asked. */
function fakeEmbedder(model: string | null = 'fake/1') {
  const asked: string[] = []
  const bad = new Set<string>()
  const hooks = { before: (): void | Promise<void> => undefined }
  const status: EmbedderStatus = model
    ? { state: 'ready', model, reason: null }
    : { state: 'missing', model: null, reason: 'There is no model.' }
  const embed = async (texts: readonly string[]): Promise<Float32Array[]> => {
    await hooks.before()
    return texts.map((text) => {
      if (!model || bad.has(text)) throw new AppError('unavailable', 'Cannot be embedded.')
      asked.push(text)
      return seededVector(createHash('sha256').update(text).digest().readUInt32LE(0))
    })
  }
  const embedder: BacklogEmbedder = {
    status: async () => status,
    loaded: async () => status,
    embed,
    embedLater: embed,
    close: async () => undefined,
  }
  return { embedder, asked, bad, hooks }
}

function loopOver(db: WriteDb, embedder: BacklogEmbedder, options: Partial<IndexLoopOptions> = {}) {
  const told: IndexStatus[] = []
  const failures: unknown[] = []
  const loop = new IndexLoop({
    db,
    embedder,
    clock: () => 0,
    curate: () => curate(db, { now: 1 }),
    onProgress: (status) => told.push(status),
    onFailure: (error) => failures.push(error),
    ...options,
  })
  return { loop, told, failures }
}

const vectorRows = (db: WriteDb): string[] =>
  db
    .all<{ row: string }>("SELECT item_id || '/' || unit AS row FROM vectors ORDER BY item_id, unit")
    .map(({ row }) => row)

describe('the index in the background', () => {
  test('gives what waits its vectors, alone and with what was said before, and its rungs', async () => {
    const db = temporaryDb()
    const first = insertItem(db, { kind: 'goal', text: 'Fix the login page', labels: ['team'] })
    const second = insertItem(db, { kind: 'command', text: 'npm test', data: { command: 'npm test' } })
    const third = insertItem(db, {
      kind: 'conclusion',
      text: 'The login page works again.',
      labels: ['mine'],
    })
    const { embedder, asked } = fakeEmbedder()
    await loopOver(db, embedder).loop.idle()
    expect(vectorRows(db)).toEqual([
      `${first.id}/item`,
      `${second.id}/item`,
      `${third.id}/context`,
      `${third.id}/item`,
    ])
    expect(asked).toContain('Fix the login page\nThe login page works again.')
    expect(db.get("SELECT provenance, labels, model FROM vectors WHERE unit = 'context'")).toEqual({
      provenance: JSON.stringify([first.handle, third.handle]),
      labels: '["mine","team"]',
      model: 'fake/1',
    })
    expect(indexSql.countPending(db)).toBe(0)
    expect(db.get<{ n: number }>('SELECT count(DISTINCT subject) AS n FROM rungs')?.n).toBe(3)
  })

  test('takes goals and their outcomes before single steps', async () => {
    const db = temporaryDb()
    insertItem(db, { kind: 'file_op', text: 'src/a.ts', data: { path: 'src/a.ts', op: 'read' } })
    insertItem(db, { kind: 'note', text: 'A note about it' })
    insertItem(db, { kind: 'goal', text: 'The goal of it' })
    const { embedder, asked } = fakeEmbedder()
    await loopOver(db, embedder).loop.idle()
    expect(asked.filter((text) => !text.includes('\n'))).toEqual([
      'The goal of it',
      'A note about it',
      'read src/a.ts',
    ])
  })

  test('leaves out what is over the budget of its session and what has no words', async () => {
    const db = temporaryDb()
    insertItem(db, { text: 'Beyond the budget', indexed: false })
    insertItem(db, { text: '?!' })
    const { embedder, asked } = fakeEmbedder()
    await loopOver(db, embedder).loop.idle()
    expect(asked).toEqual([])
    expect(indexSql.countPending(db)).toBe(0)
  })

  test('goes on where another run was cut off, and embeds nothing twice', async () => {
    const db = temporaryDb()
    for (let n = 0; n < 40; n++) insertItem(db, { kind: 'command', data: { command: `run ${n} now` } })
    const cut = fakeEmbedder()
    const first = loopOver(db, cut.embedder)
    // Pausing from inside the second batch: that one is finished, the third is never begun.
    let calls = 0
    cut.hooks.before = () => {
      if (++calls === 20) first.loop.pause()
    }
    await first.loop.idle()
    const done = vectorSql.countVectors(db)
    expect(done).toBe(32)
    const again = fakeEmbedder()
    await loopOver(db, again.embedder).loop.idle()
    expect(vectorSql.countVectors(db)).toBe(40)
    expect(again.asked).toHaveLength(8)
    expect(new Set([...cut.asked, ...again.asked]).size).toBe(40)
  })

  test('what was not written when the process died is still queued', async () => {
    const db = temporaryDb()
    insertItem(db, { text: 'To be embedded' })
    const { embedder, hooks } = fakeEmbedder()
    hooks.before = () => {
      throw new Error('killed')
    }
    const { loop, failures } = loopOver(db, embedder)
    await loop.idle()
    expect(failures).toHaveLength(3)
    expect(vectorSql.countVectors(db)).toBe(0)
    expect(indexSql.countPending(db)).toBe(1)
    hooks.before = () => undefined
    await loop.idle()
    expect(vectorSql.countVectors(db)).toBe(1)
  })

  test('an item that changes while it is embedded stays queued and gets the vector of its new text', async () => {
    const db = temporaryDb()
    const { id } = insertItem(db, { text: 'The old text' })
    const { embedder, asked, hooks } = fakeEmbedder()
    hooks.before = () => {
      hooks.before = () => undefined
      db.run("UPDATE item_rows SET text = 'The new text', record_hash = CAST('new' AS BLOB) WHERE id = ?", [
        id,
      ])
    }
    await loopOver(db, embedder).loop.idle()
    expect(asked).toEqual(['The old text', 'The new text'])
    expect(vectorRows(db)).toEqual([`${id}/item`])
  })

  test('one text the model cannot read costs its own vector and holds up nothing', async () => {
    const db = temporaryDb()
    insertItem(db, { session: 'generic:a', text: 'A good text' })
    insertItem(db, { session: 'generic:b', text: 'A bad text' })
    const { embedder, bad } = fakeEmbedder()
    bad.add('A bad text')
    await loopOver(db, embedder).loop.idle()
    expect(vectorSql.countVectors(db)).toBe(1)
    expect(indexSql.countPending(db)).toBe(0)
  })

  test('without a model the rungs are made, the queue stays, and the status says why', async () => {
    const db = temporaryDb()
    insertItem(db, { text: 'A text that waits' })
    const { loop } = loopOver(db, fakeEmbedder(null).embedder)
    await loop.idle()
    expect(await loop.status()).toEqual({
      vectors: 0,
      pending: 1,
      model: null,
      state: 'missing',
      reason: 'There is no model.',
    })
    expect(db.all('SELECT 1 FROM rungs').length).toBeGreaterThan(0)
  })

  test('another model makes every vector anew', async () => {
    const db = temporaryDb()
    insertItem(db, { text: 'A text to embed' })
    await loopOver(db, fakeEmbedder('fake/1').embedder).loop.idle()
    const same = fakeEmbedder('fake/1')
    await loopOver(db, same.embedder).loop.idle()
    expect(same.asked).toEqual([])
    const other = fakeEmbedder('fake/2')
    await loopOver(db, other.embedder).loop.idle()
    expect(other.asked).toEqual(['A text to embed'])
    expect(db.all('SELECT model FROM vectors')).toEqual([{ model: 'fake/2' }])
  })

  test('paused it does nothing and says so; resumed it goes on', async () => {
    const db = temporaryDb()
    insertItem(db, { text: 'A text to embed' })
    const { loop } = loopOver(db, fakeEmbedder().embedder)
    loop.pause()
    await loop.idle()
    expect(await loop.status()).toMatchObject({ state: 'paused', pending: 1, vectors: 0 })
    loop.resume()
    await loop.idle()
    expect(await loop.status()).toMatchObject({ state: 'ready', pending: 0, vectors: 1 })
  })

  test('tells its progress at most four times a second, and at the end', async () => {
    const db = temporaryDb()
    for (let n = 0; n < 160; n++) insertItem(db, { kind: 'command', data: { command: `run ${n} now` } })
    let now = 0
    const { embedder, hooks } = fakeEmbedder()
    // 160 texts, 5 ms each: 800 ms of work.
    hooks.before = () => {
      now += 5
    }
    const { loop, told } = loopOver(db, embedder, { clock: () => now })
    await loop.idle()
    expect(told.length).toBeGreaterThanOrEqual(3)
    expect(told.length).toBeLessThanOrEqual(6)
    expect(told.at(-1)).toMatchObject({ pending: 0, vectors: 160 })
  })
})
