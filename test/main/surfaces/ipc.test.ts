import { describe, expect, test } from 'vitest'
import { registerIpc } from '../../../src/main/surfaces/ipc'
import { callChannel, callNames, eventNames } from '../../../src/shared/channels'
import { type CallName, calls, events } from '../../../src/shared/contract'
import { AppError, type Result } from '../../../src/shared/errors'

type Listener = (event: { trusted: boolean }, input: unknown) => Promise<Result<unknown>>

function surface(call: (name: CallName, input: unknown) => Promise<unknown>) {
  const channels = new Map<string, Listener>()
  const thrown: unknown[] = []
  registerIpc(
    { handle: (channel, listener: Listener) => void channels.set(channel, listener) },
    { call },
    {
      isTrusted: (event) => event.trusted,
      onThrown: (error) => thrown.push(error),
    },
  )
  const send = (name: CallName, trusted: boolean, input: unknown = {}) => {
    const listener = channels.get(callChannel(name))
    if (!listener) throw new Error(`no channel for ${name}`)
    return listener({ trusted }, input)
  }
  return { channels, send, thrown }
}

describe('the window’s channels', () => {
  test('are exactly the calls of the contract, and the preload’s lists name them all', () => {
    const { channels } = surface(async () => ({}))
    expect([...channels.keys()].sort()).toEqual(
      Object.keys(calls)
        .map((name) => `fovea:call:${name}`)
        .sort(),
    )
    expect([...callNames].sort()).toEqual(Object.keys(calls).sort())
    expect([...eventNames].sort()).toEqual(Object.keys(events).sort())
  })

  test.each(callNames)(
    '%s refuses a sender that is not the window, before the engine hears of it',
    async (name) => {
      let heard = false
      const { send } = surface(async () => {
        heard = true
        return {}
      })
      expect(await send(name, false)).toMatchObject({ ok: false, error: { code: 'forbidden' } })
      expect(heard).toBe(false)
    },
  )

  test('an expected failure comes back as data with its sentence', async () => {
    const { send, thrown } = surface(async () => {
      throw new AppError('not-found', 'There is no item like that.')
    })
    expect(await send('items.get', true)).toEqual({
      ok: false,
      error: { code: 'not-found', message: 'There is no item like that.', retryable: false },
    })
    expect(thrown).toEqual([])
  })

  test('an unexpected failure shows nothing of itself, and is handed to the log', async () => {
    const { send, thrown } = surface(async () => {
      throw new Error('SELECT secret FROM /home/ann/fovea.db')
    })
    const answer = await send('stats.get', true)
    expect(JSON.stringify(answer)).not.toContain('ann')
    expect(answer).toMatchObject({ ok: false, error: { code: 'internal' } })
    expect(thrown).toHaveLength(1)
  })
})
