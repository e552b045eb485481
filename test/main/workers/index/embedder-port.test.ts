import { MessageChannel } from 'node:worker_threads'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Embedder, noEmbedder } from '../../../../src/main/models'
import { embedderOverPort, serveEmbedder } from '../../../../src/main/workers/index/embedder-port'
import { seededVector } from '../../models/journal-rows'

function across(embedder: Embedder) {
  const { port1, port2 } = new MessageChannel()
  serveEmbedder(port2, embedder)
  onTestFinished(() => port1.close())
  return { far: embedderOverPort(port1), server: port2 }
}

const ready: Embedder = {
  status: async () => ({ state: 'ready', model: 'fake/1', reason: null }),
  embed: async (texts) => texts.map((text) => seededVector(text.length)),
}

describe('an embedder in another thread', () => {
  test('gives the vectors and the status it gives at home', async () => {
    const { far } = across(ready)
    expect(await far.status()).toEqual(await ready.status())
    expect(await far.embed(['a', 'bcd'])).toEqual([seededVector(1), seededVector(3)])
  })

  test('without a model is unavailable there too, with its reason', async () => {
    const { far } = across(noEmbedder('Run "npm run setup".'))
    expect(await far.status()).toMatchObject({ state: 'missing', reason: 'Run "npm run setup".' })
    await expect(far.embed(['a'])).rejects.toMatchObject({
      code: 'unavailable',
      message: 'Run "npm run setup".',
    })
  })

  test('has failed, and says so, once its thread has ended', async () => {
    const { far, server } = across(ready)
    await far.embed(['a'])
    server.close()
    await expect(far.embed(['a'])).rejects.toMatchObject({ code: 'unavailable' })
    expect(await far.status()).toMatchObject({ state: 'failed' })
  })

  test('refuses what is no list of texts', async () => {
    const { far } = across(ready)
    await expect(far.embed([7 as unknown as string])).rejects.toMatchObject({ code: 'bad-input' })
  })
})
