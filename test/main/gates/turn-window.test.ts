import { expect, test } from 'vitest'
import { takeTurn } from '../../../src/main/gates'
import type { Embedder } from '../../../src/main/models'
import { vectorSql } from '../../../src/main/store'
import type { BidSource, TraceRow } from '../../../src/shared/attention'
import { TurnRequest } from '../../../src/shared/turn'
import { busy, liveRoom } from './turn-support'

const from = (rows: readonly TraceRow[], source: BidSource): TraceRow[] =>
  rows.filter((row) => row.source === source)

test('beside a prompt the prompt itself is not told again, nor what an earlier turn told whole', async () => {
  const room = liveRoom()
  const { old, pinned } = busy(room)
  const ask = { inWindow: true, given: 'prompt' as const, goal: 'Is the webhook retry in a queue?' }
  const first = await room.turn(ask)
  expect(first.frame).not.toContain('Asked now')
  expect(first.frame).toContain('The webhook retry was moved into a queue.')
  expect(first.frame).toContain('Never retry a payment twice.')
  room.wait(60_000)
  const second = await room.turn(ask)
  expect(second.frame).not.toContain('The webhook retry was moved into a queue.')
  const { rows } = room.traceOf(second)
  const told = rows.filter(({ detail }) => detail === 'an earlier turn told it')
  expect(told.flatMap(({ handles }) => handles)).toEqual(expect.arrayContaining([old, pinned]))
  expect(told.every(({ verdict, rendered }) => verdict === 'dropped' && !rendered)).toBe(true)
})

test('after the window was emptied everything is told anew, and what it told counts from there', async () => {
  const room = liveRoom()
  busy(room)
  const goal = 'Is the webhook retry in a queue?'
  const fact = 'The webhook retry was moved into a queue.'
  const beside = async (): Promise<string> => {
    room.wait(60_000)
    return (await room.turn({ inWindow: true, given: 'prompt', goal })).frame
  }
  expect(await beside()).toContain(fact)
  room.wait(60_000)
  const anew = await room.turn({ given: 'anew', goal })
  expect(anew.frame).toContain(fact)
  expect(anew.frame).toContain('Asked now')
  expect(await beside()).not.toContain(fact)
})

test('a turn that only the person looked at told the agent nothing', async () => {
  const room = liveRoom()
  busy(room)
  const goal = 'Is the webhook retry in a queue?'
  await room.turn({ goal })
  room.wait(60_000)
  const { frame } = await room.turn({ inWindow: true, given: 'prompt', goal })
  expect(frame).toContain('The webhook retry was moved into a queue.')
})

test('a session that memory has not met yet is not told twice either', async () => {
  const room = liveRoom()
  busy(room)
  const ask = { session: 'never-met', inWindow: true, given: 'prompt' as const, goal: 'webhook retry queue' }
  expect((await room.turn(ask)).frame).toContain('moved into a queue')
  room.wait(60_000)
  expect((await room.turn(ask)).frame).not.toContain('moved into a queue')
  room.wait(60_000)
  expect((await room.turn({ ...ask, session: 'another' })).frame).toContain('moved into a queue')
})

test('for a goal that nothing comes near nothing is recalled where that was asked, and each bid says why', async () => {
  const room = liveRoom()
  busy(room)
  const goal = 'banana bread with walnuts, and the retry'
  const plain = await room.turn({ session: 'never-met', goal })
  expect(plain.receipt.match?.weak).toBe(true)
  expect(plain.receipt.facts.length).toBeGreaterThan(0)
  const near = await room.turn({ session: 'never-met', goal, onlyNear: true })
  const rows = from(room.traceOf(near).rows, 'recall')
  expect(rows.length).toBeGreaterThan(0)
  expect(
    rows.every(
      ({ reason, detail }) => reason === 'floor' && detail === 'nothing in memory comes near what is asked',
    ),
  ).toBe(true)
})

test('a folder stands for its project only where memory knows it and not the session', async () => {
  const room = liveRoom()
  busy(room)
  const goal = 'webhook retry'
  const project = async (folder: string, session: string) =>
    (await room.turn({ session, goal, folder })).receipt.request.project
  expect(await project('/nowhere/shop', 'never-met')).toBe('shop')
  expect(await project('/nowhere/else', 'never-met')).toBe(null)
  expect(await project('/nowhere/else', 'aaaaaaaa-1111')).toBe('shop')
})

test('where the goal’s vector takes longer than there is patience, recall goes on by words and says why', async () => {
  const room = liveRoom()
  busy(room)
  const vector = new Float32Array(384).fill(1 / Math.sqrt(384))
  const { id } = room.db.get<{ id: number }>('SELECT min(id) AS id FROM items') ?? { id: 0 }
  vectorSql.putVector(room.db, { itemId: id, unit: 'item', model: 'm', vector, provenance: [], labels: [] })
  let ready = (): void => undefined
  const never: Embedder = {
    status: async () => ({ state: 'loading', model: null, reason: null }),
    embed: () =>
      new Promise((resolve) => {
        ready = () => resolve([vector])
      }),
  }
  const ports = { ...room.ports, embedder: never }
  const ask = { session: 'never-met', goal: 'webhook retry queue' }
  const late = await takeTurn(ports, TurnRequest.parse({ ...ask, patience: 20 }))
  // This journal was written without its index of words, so that what is newest stands in for them.
  expect(late.receipt.path).toBe('recency')
  expect(late.receipt.paths.recall?.reason).toMatch(/not ready within 20 milliseconds/)
  expect(late.frame).toContain('moved into a queue')
  const patient = takeTurn(ports, TurnRequest.parse({ ...ask, patience: 60_000 }))
  setTimeout(() => ready(), 30)
  expect((await patient).receipt.path).toBe('semantic')
})
