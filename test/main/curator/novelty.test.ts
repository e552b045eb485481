import { describe, expect, test } from 'vitest'
import { curate, markEcho, markParaphrases, markRepeats, meetNeighbours } from '../../../src/main/curator'
import { noveltySql, receiptSql, vectorSql, type WriteDb } from '../../../src/main/store'
import { temporaryDb } from '../../support'
import { between, insertItem, seededVector } from '../models/journal-rows'

const told =
  'The login failed because the cookie was written before the session was saved, so the redirect lost it. The retry in src/auth/login.ts hides that.'

function say(
  db: WriteDb,
  text: string,
  position: number,
  more: Parameters<typeof insertItem>[1] = {},
): number {
  const { id, handle } = insertItem(db, { text, position, ...more })
  db.transaction(() => markRepeats(db, handle))
  return id
}

describe('repeats', () => {
  test('of the same words are linked to the first, whatever the case, marks and order of arrival', () => {
    const db = temporaryDb()
    const second = say(db, told, 2)
    const third = say(db, `  ${told.toUpperCase().replace('SRC/AUTH/LOGIN.TS', '`src/auth/login.ts`')}  `, 3)
    const first = say(db, told, 1)
    expect(noveltySql.repeatOf(db, first)).toBeUndefined()
    expect(noveltySql.repeatOf(db, second)).toMatchObject({ firstId: first, kind: 'exact', similarity: 1 })
    expect(noveltySql.repeatOf(db, third)).toMatchObject({ firstId: first, kind: 'exact' })
  })

  test('with a word more, a slip or other order are near', () => {
    const db = temporaryDb()
    const first = say(db, told, 1)
    const edited = say(
      db,
      `As discussed, the retry in src/auth/login.ts hides that. ${told.split('. ')[0]?.replace('redirect', 'redirct')}.`,
      2,
    )
    expect(noveltySql.repeatOf(db, edited)).toMatchObject({ firstId: first, kind: 'near' })
  })

  test('another name, another number and the opposite are no repeats', () => {
    const db = temporaryDb()
    say(db, told, 1)
    const others = [
      told.replace('src/auth/login.ts', 'src/auth/logout.ts'),
      told.replace('cookie', 'invoice'),
      told.replace('hides that', 'never hides that'),
      `${told} It happened 14 times.`,
    ]
    for (const [n, text] of others.entries())
      expect(noveltySql.repeatOf(db, say(db, text, n + 2)), text).toBeUndefined()
  })

  test('steps that are done again and answers of a word are no repeats', () => {
    const db = temporaryDb()
    for (const position of [1, 2]) {
      expect(
        noveltySql.repeatOf(db, say(db, 'npm test -- src/auth', position, { kind: 'command' })),
      ).toBeUndefined()
      say(db, '…', position + 10)
    }
    expect(noveltySql.countRepeats(db)).toEqual({ exact: 0, near: 0, paraphrase: 0, echo: 0 })
  })

  test('are forgotten when the item says something else, and go with the first', () => {
    const db = temporaryDb()
    const first = say(db, told, 1)
    const { id, handle } = insertItem(db, { text: told, position: 2 })
    while (curate(db, { now: 1 }) > 0);
    expect(noveltySql.repeatOf(db, id)?.firstId).toBe(first)
    db.run('UPDATE item_rows SET text = ? WHERE id = ?', [
      'The export of the ledger lost its last column on Friday.',
      id,
    ])
    while (curate(db, { now: 1 }) > 0);
    expect(noveltySql.repeatOf(db, id)).toBeUndefined()
    db.run('UPDATE item_rows SET text = ? WHERE id = ?', [told, id])
    while (curate(db, { now: 1 }) > 0);
    expect(noveltySql.repeatOf(db, id)?.firstId).toBe(first)
    db.run('DELETE FROM item_rows WHERE id = ?', [first])
    expect(noveltySql.repeatOf(db, id)).toBeUndefined()
    expect(handle).not.toBe('')
  })

  test('the work for one item does not grow with how often a text was said', () => {
    const compared = (size: number): number => {
      const db = temporaryDb()
      db.transaction(() => {
        for (let position = 1; position <= size; position++) say(db, told, position)
      })
      const { handle } = insertItem(db, { text: told, position: size + 1 })
      return db.transaction(() => markRepeats(db, handle))
    }
    expect(compared(200)).toBe(compared(40))
  })
})

describe('paraphrases', () => {
  const other =
    'Signing in broke: the cookie went out before the session got stored, the redirect forgot it, and the retry of src/auth/login.ts conceals that.'
  const hit = (itemId: number, cosine: number): vectorSql.VectorHit => ({ itemId, unit: 'item', cosine })

  test('are linked by meaning when they name the same and are as long', () => {
    const db = temporaryDb()
    const first = say(db, `${told.replace('. The retry in', ', and the retry in')}`, 1)
    const again = say(db, other, 2)
    const short = say(db, 'Signing in broke in src/auth/login.ts because of cookies again.', 3)
    const elsewhere = say(db, other.replace('login', 'token'), 4)
    for (const id of [again, short, elsewhere]) markParaphrases(db, id, [hit(id, 1), hit(first, 0.9)])
    expect(noveltySql.repeatOf(db, again)).toMatchObject({
      firstId: first,
      kind: 'paraphrase',
      similarity: 0.9,
    })
    expect(noveltySql.repeatOf(db, short)).toBeUndefined()
    expect(noveltySql.repeatOf(db, elsewhere)).toBeUndefined()
  })

  test('are found for what was embedded, once, and not again', () => {
    const db = temporaryDb()
    const base = seededVector(1)
    const first = say(db, `${told.replace('. The retry in', ', and the retry in')}`, 1)
    const again = say(db, other, 2)
    db.transaction(() => {
      for (const [itemId, vector] of [
        [first, base],
        [again, between(base, seededVector(2), 0.1)],
      ] as const)
        vectorSql.putVector(db, { itemId, unit: 'item', model: 'test', vector, provenance: [], labels: [] })
    })
    expect(meetNeighbours(db)).toBe(2)
    expect(meetNeighbours(db)).toBe(0)
    expect(noveltySql.repeatOf(db, again)?.kind).toBe('paraphrase')
  })
})

describe('echoes', () => {
  const frame = (db: WriteDb, createdAt: number, facts: object[]): void =>
    receiptSql.insertReceipt(db, {
      id: `rcp_${createdAt}`,
      kind: 'hydrate',
      goal: 'login',
      plane: 'execution',
      path: 'lexical',
      budget: 100,
      spent: 10,
      viewer: 'agent',
      createdAt,
      body: JSON.stringify({ facts }),
      frame: '',
      facts: [],
      labels: [],
    })
  const now = 1_700_000_000_000

  test('of a frame are marked when they add nothing to it, in its project and soon after it', () => {
    const db = temporaryDb()
    const first = insertItem(db, { text: told, position: 1, ts: now, project: 'shop', name: 'first' })
    frame(db, now + 1_000, [{ handle: first.handle, text: told, project: 'shop', session: 'generic:s1' }])
    const echo = (text: string, more: Parameters<typeof insertItem>[1]): noveltySql.Repeat | undefined => {
      const { id } = insertItem(db, {
        text,
        project: 'shop',
        ts: now + 5_000,
        session: 'generic:s2',
        ...more,
      })
      markEcho(db, id)
      return noveltySql.repeatOf(db, id)
    }
    const shortened = 'From memory: login failed because the cookie was written before the session was saved.'
    expect(echo(shortened, {})).toMatchObject({
      firstId: first.id,
      kind: 'echo',
      receiptId: `rcp_${now + 1_000}`,
    })
    expect(echo(shortened, { kind: 'goal' })).toBeUndefined()
    expect(echo(shortened, { project: 'other' })).toBeUndefined()
    expect(echo(shortened, { ts: now + 30 * 3_600_000 })).toBeUndefined()
    expect(echo(shortened, { ts: now - 1 })).toBeUndefined()
    expect(echo(`${shortened} Fixed in src/new.ts now.`, {})).toBeUndefined()
    expect(
      echo('The cookie now waits for the store, and a new check in the pipeline watches over the order.', {}),
    ).toBeUndefined()
  })
})
