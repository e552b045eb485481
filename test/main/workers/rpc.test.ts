import { MessageChannel } from 'node:worker_threads'
import { describe, expect, onTestFinished, test } from 'vitest'
import { connect, type Methods, notify, serve } from '../../../src/main/workers/rpc'
import { AppError } from '../../../src/shared/errors'

function pair(methods: Methods) {
  const { port1, port2 } = new MessageChannel()
  const thrown: string[] = []
  const events: unknown[] = []
  serve(port2, methods, (_error, method) => thrown.push(method))
  const client = connect<Methods>(port1, {
    name: 'test',
    onEvent: (event, payload) => events.push([event, payload]),
  })
  onTestFinished(() => port1.close())
  return { client, thrown, events, near: port1, far: port2 }
}

describe('calls between threads', () => {
  test('answer the one who asked, in whatever order they finish', async () => {
    let release = (): void => undefined
    const slow = new Promise<void>((done) => {
      release = done
    })
    const { client } = pair({ slow: async () => slow.then(() => 'slow'), fast: () => 'fast' })
    const first = client.call('slow', {})
    expect(await client.call('fast', {})).toBe('fast')
    release()
    expect(await first).toBe('slow')
  })

  test('an error keeps its code and sentence', async () => {
    const { client, thrown } = pair({
      fail: () => {
        throw new AppError('busy', 'Another program is writing.')
      },
    })
    await expect(client.call('fail', {})).rejects.toMatchObject({
      code: 'busy',
      message: 'Another program is writing.',
      retryable: true,
    })
    expect(thrown).toEqual([])
  })

  test('an unexpected error says nothing of itself, and is reported where it happened', async () => {
    const { client, thrown } = pair({
      fail: () => {
        throw new TypeError('undefined is not the password hunter2')
      },
    })
    const error = await client.call('fail', {}).catch((caught: unknown) => caught)
    expect(error).toMatchObject({ code: 'internal' })
    expect(String(error)).not.toContain('hunter2')
    expect(thrown).toEqual(['fail'])
  })

  test.each(['missing', 'constructor', '__proto__', 'toString'])(
    'a method %s that nobody serves is refused',
    async (name) => {
      const { client } = pair({ known: () => 1 })
      await expect(client.call(name, {})).rejects.toMatchObject({ code: 'unsupported' })
    },
  )

  test('open calls fail when the other side ends, and later ones at once', async () => {
    const { client, far } = pair({ never: () => new Promise(() => undefined) })
    const open = client.call('never', {})
    far.close()
    await expect(open).rejects.toMatchObject({ code: 'unavailable' })
    await expect(client.call('never', {})).rejects.toMatchObject({ code: 'unavailable' })
  })

  test('a port moves with the call that carries it', async () => {
    const carried = new MessageChannel()
    onTestFinished(() => carried.port1.close())
    const { client } = pair({
      connect: ({ port }) => {
        serve(port, { ping: () => 'pong' })
        return true
      },
    })
    await client.call('connect', { port: carried.port2 }, [carried.port2])
    expect(await connect<Methods>(carried.port1, { name: 'carried' }).call('ping', {})).toBe('pong')
  })

  test('an event reaches the listener beside the answers', async () => {
    const { client, far, events } = pair({ ping: () => 'pong' })
    notify(far, 'index.progress', { pending: 3 })
    await client.call('ping', {})
    expect(events).toEqual([['index.progress', { pending: 3 }]])
  })
})
