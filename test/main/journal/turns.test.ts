import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { sharedTurn, turns } from '../../../src/main/journal'

test('a turn is given back when it ends, also by an error, and lasts as long as the outermost work', () => {
  const taken = sharedTurn()
  const turn = turns(taken)
  expect(turn(() => turn(() => 'inner') + taken[0])).toBe('inner1')
  expect(taken[0]).toBe(0)
  expect(() =>
    turn(() => {
      throw new Error('the disk is full')
    }),
  ).toThrow('the disk is full')
  expect(taken[0]).toBe(0)
})

test('who comes second waits until the first thread is done', async () => {
  const taken = sharedTurn()
  const log = new Int32Array(new SharedArrayBuffer(8))
  // The other thread holds the turn before this one asks, works for a while, and leaves what it did.
  const worker = new Worker(
    `const { workerData: { taken, log }, parentPort } = require('node:worker_threads')
     Atomics.store(taken, 0, 1)
     parentPort.postMessage('mine')
     Atomics.wait(log, 1, 0, 100)
     Atomics.store(log, 0, 7)
     Atomics.store(taken, 0, 0)
     Atomics.notify(taken, 0, 1)`,
    { eval: true, workerData: { taken, log } },
  )
  await new Promise((resolve) => worker.once('message', resolve))
  expect(turns(taken)(() => Atomics.load(log, 0))).toBe(7)
  await worker.terminate()
})

test('a thread that ended in the middle of its turn does not hold up the other for ever', () => {
  const taken = sharedTurn()
  taken[0] = 1
  expect(turns(taken, 20)(() => 'written')).toBe('written')
  expect(taken[0]).toBe(0)
})
