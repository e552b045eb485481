import { expect, test, vi } from 'vitest'
import { queryRunner } from '../../../src/main/engine/run-query'
import type { Workers } from '../../../src/main/workers/start'
import { AppError } from '../../../src/shared/errors'

const input = { goal: 'true', limit: 1 }
const answer = { variables: [], answers: [{}], more: false, ms: 1, heapBytes: 20_000_000 }

/** Workers whose logic worker answers as told, one answer for each query. */
function workers(answers: (() => Promise<unknown>)[], loaded: () => Promise<unknown> = async () => ({})) {
  const seen: string[] = []
  const fake = {
    client: () => ({
      call: async (method: string) => {
        seen.push(method)
        if (method === 'loaded') return loaded()
        return method === 'ready' ? {} : answers.shift()?.()
      },
    }),
    end: async (name: string) => {
      seen.push(`end ${name}`)
    },
  }
  return { seen, fake: fake as unknown as Workers }
}

test('an answer comes back without what only the engine needs to know', async () => {
  const { fake, seen } = workers([async () => answer])
  expect(await queryRunner(fake).run(input)).toEqual({ variables: [], answers: [{}], more: false, ms: 1 })
  expect(seen).toEqual(['ready', 'query.run'])
})

test('a query that never ends is ended with its thread, and the next one is answered', async () => {
  const { fake, seen } = workers([() => new Promise(() => undefined), async () => answer])
  const { run } = queryRunner(fake, { longestMs: 5 })
  const first = run(input)
  const second = run(input)
  await expect(first).rejects.toMatchObject({ code: 'cancelled' })
  expect((await second).answers).toEqual([{}])
  expect(seen).toEqual(['ready', 'query.run', 'end logic', 'ready', 'query.run'])
})

test('what went over a limit takes its thread with it, an ordinary error does not', async () => {
  const fail = (code: 'cancelled' | 'bad-input') => async () => {
    throw new AppError(code, 'no')
  }
  const { fake, seen } = workers([fail('bad-input'), fail('cancelled')])
  const { run } = queryRunner(fake)
  await expect(run(input)).rejects.toMatchObject({ code: 'bad-input' })
  expect(seen).not.toContain('end logic')
  await expect(run(input)).rejects.toMatchObject({ code: 'cancelled' })
  expect(seen).toContain('end logic')
})

test('an engine that a large query has swollen is given up afterwards', async () => {
  const { fake, seen } = workers([async () => ({ ...answer, heapBytes: 400_000_000 })])
  await queryRunner(fake).run(input)
  expect(seen.at(-1)).toBe('end logic')
})

const byMeaning = { goal: 'nearest("the login page", 2, H, S)', limit: 1 }

test('a query by meaning begins when the model is there, however long it loads', async () => {
  let ready = (): void => undefined
  const { fake, seen } = workers(
    [async () => answer],
    () =>
      new Promise((resolve) => {
        ready = () => resolve({})
      }),
  )
  const answered = queryRunner(fake, { longestMs: 5 }).run(byMeaning)
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(seen).toEqual(['loaded'])
  ready()
  expect((await answered).answers).toEqual([{}])
})

test('a model that does not finish loading is told in a sentence, and the next query is answered', async () => {
  const { fake } = workers([async () => answer], () => new Promise(() => undefined))
  const { run } = queryRunner(fake, { loadingMs: 5 })
  await expect(run(byMeaning)).rejects.toMatchObject({
    code: 'unavailable',
    retryable: true,
    message: expect.stringMatching(/still loading: ask again/),
  })
  expect((await run(input)).answers).toEqual([{}])
})

test('a query that is stopped ends with its thread, and the next one is answered', async () => {
  const { fake, seen } = workers([() => new Promise(() => undefined), async () => answer])
  const { run, stop } = queryRunner(fake)
  expect(await stop()).toEqual({ stopped: false })
  const first = run(input)
  await vi.waitFor(() => expect(seen).toContain('query.run'))
  expect(await stop()).toEqual({ stopped: true })
  await expect(first).rejects.toMatchObject({ code: 'cancelled', message: 'The query was stopped.' })
  expect((await run(input)).answers).toEqual([{}])
  expect(seen).toEqual(['ready', 'query.run', 'end logic', 'ready', 'query.run'])
  expect(await stop()).toEqual({ stopped: false })
})
