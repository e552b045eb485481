import type { ErrorData } from '@shared/errors'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { useApp } from '../../src/renderer/state/app'
import { useQuery } from '../../src/renderer/state/query'

describe('notices', () => {
  const texts = (): string[] => useApp.getState().toasts.map((toast) => toast.text)
  beforeEach(() => useApp.setState({ toasts: [] }))

  test('what is said later of the same thing takes the place of what was said before', () => {
    const { say } = useApp.getState()
    say('What it brought is kept.', 'plain', 'src_1')
    say('Something else.')
    say('250 items forgotten.', 'plain', 'src_1')
    expect(texts()).toEqual(['Something else.', '250 items forgotten.'])
  })

  test('notices about nothing in particular stand side by side, the last three', () => {
    for (const text of ['a', 'b', 'c', 'd']) useApp.getState().say(text)
    expect(texts()).toEqual(['b', 'c', 'd'])
  })
})

describe('a query that runs', () => {
  let end: (error: ErrorData) => void = () => undefined
  const cancelled = (message: string): ErrorData => ({ code: 'cancelled', message, retryable: true })
  const answer = { variables: ['X'], answers: [{ X: '1' }], more: true, ms: 1 }

  beforeEach(() => {
    let asked = 0
    const call = async (name: string) => {
      if (name === 'query.stop') {
        end(cancelled('The query was stopped.'))
        return { ok: true, value: { stopped: true } }
      }
      asked += 1
      if (asked === 1) return { ok: true, value: answer }
      return new Promise((done) => {
        end = (error) => done({ ok: false, error })
      })
    }
    vi.stubGlobal('window', { fovea: { call } })
    useQuery.setState({
      goal: 'p(X)',
      asked: null,
      running: false,
      result: null,
      error: null,
      stopped: false,
    })
  })
  afterEach(() => vi.unstubAllGlobals())

  test('is no failure when the person stops it, and earlier answers to the same stay', async () => {
    await useQuery.getState().run()
    const more = useQuery.getState().all()
    await useQuery.getState().stop()
    await more
    expect(useQuery.getState()).toMatchObject({ running: false, error: null, stopped: true, result: answer })

    useQuery.getState().edit('q(X)')
    const other = useQuery.getState().run()
    await useQuery.getState().stop()
    await other
    expect(useQuery.getState()).toMatchObject({ running: false, error: null, stopped: true, result: null })
  })

  test('says why when it was stopped for taking too long', async () => {
    await useQuery.getState().run()
    const more = useQuery.getState().all()
    end(cancelled('The query took too long and was stopped.'))
    await more
    expect(useQuery.getState()).toMatchObject({
      running: false,
      stopped: false,
      error: { message: 'The query took too long and was stopped.' },
    })
  })
})
