import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { isCloudModel, ollamaModel } from '../../../src/main/models'

async function served(answer: string | null, status = 200): Promise<string> {
  const server = createServer((_, response) => {
    if (answer === null) return
    response.writeHead(status, { 'content-type': 'application/json' }).end(answer)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('the probe for a local language model', () => {
  test('lists local models and refuses those that answer from the cloud', async () => {
    const host = await served(
      JSON.stringify({
        models: [{ name: 'qwen3:8b' }, { name: 'gpt-oss:120b-cloud' }, { name: 'glm:cloud' }],
      }),
    )
    expect(await ollamaModel({ host }).status()).toEqual({
      reachable: true,
      models: ['qwen3:8b'],
      refused: ['gpt-oss:120b-cloud', 'glm:cloud'],
      reason: null,
    })
  })

  test('says so when only cloud models are there', async () => {
    const host = await served(JSON.stringify({ models: [{ name: 'x-cloud' }] }))
    expect((await ollamaModel({ host }).status()).reason).toMatch(/stays on this machine/)
  })

  test('a server that is down, silent, failing or talking nonsense is unreachable, with a sentence', async () => {
    const hosts = [
      'http://127.0.0.1:9',
      await served(null),
      await served('{"error":"x"}', 500),
      await served('[1'),
    ]
    for (const host of hosts) {
      const status = await ollamaModel({ host, timeoutMs: 150 }).status()
      expect(status).toEqual({
        reachable: false,
        models: [],
        refused: [],
        reason: `No Ollama answers on ${host}.`,
      })
    }
  })

  test('knows a cloud name by its ending only', () => {
    expect(['a-cloud', 'a:cloud', 'a:120b-Cloud'].map(isCloudModel)).toEqual([true, true, true])
    expect(['cloudy:7b', 'cloud-coder', 'llama3'].map(isCloudModel)).toEqual([false, false, false])
  })
})
