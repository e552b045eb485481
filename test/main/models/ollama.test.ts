import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { countTokens, isCloudModel, isLoopback, ModelFailure, ollamaModel } from '../../../src/main/models'
import { type Act, type DoubleOptions, type OllamaDouble, ollamaDouble } from '../../doubles/ollama'

const Shape = z.object({ verdict: z.enum(['yes', 'no']), why: z.string().max(200) })
const GOOD = '{"verdict":"yes","why":"It has a rollback."}'
const question = { model: 'local:1b', prompt: 'May it pass?', schema: Shape, answerTokens: 60 }

async function double(
  act: Act | DoubleOptions['answer'],
  more: Partial<DoubleOptions> = {},
): Promise<OllamaDouble> {
  const made = await ollamaDouble({ answer: typeof act === 'function' ? act : () => act, ...more })
  onTestFinished(() => made.close())
  return made
}

async function failure(work: Promise<unknown>): Promise<ModelFailure> {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(ModelFailure)
  return error as ModelFailure
}

describe('the probe for a local language model', () => {
  test('lists local models and refuses those that answer from the cloud, by name or by what the server says', async () => {
    const { host } = await double(
      { say: '' },
      {
        models: [
          { name: 'qwen3:8b' },
          { name: 'gpt-oss:120b-cloud' },
          { name: 'glm:cloud' },
          { name: 'mine', remote: true },
        ],
      },
    )
    expect(await ollamaModel({ host }).status()).toEqual({
      reachable: true,
      models: ['qwen3:8b'],
      refused: ['gpt-oss:120b-cloud', 'glm:cloud', 'mine'],
      reason: null,
    })
  })

  test('says so when only cloud models are there', async () => {
    const { host } = await double({ say: '' }, { models: [{ name: 'x-cloud' }] })
    expect((await ollamaModel({ host }).status()).reason).toMatch(/stays on this machine/)
  })

  test('a server that is down, silent, failing or talking nonsense is unreachable, with a sentence', async () => {
    const served = async (answer: string | null, status = 200): Promise<string> => {
      const server = createServer((_, response) => {
        if (answer !== null) response.writeHead(status, { 'content-type': 'application/json' }).end(answer)
      })
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      onTestFinished(() => {
        server.closeAllConnections()
        server.close()
      })
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    }
    const hosts = [
      'http://127.0.0.1:9',
      await served(null),
      await served('{"error":"x"}', 500),
      await served('[1'),
    ]
    for (const host of hosts) {
      const status = await ollamaModel({ host, timeoutMs: 150 }).status()
      expect(status).toMatchObject({ reachable: false, models: [], refused: [] })
      expect(status.reason).toContain(host)
    }
  })

  test('knows a cloud name by its ending only', () => {
    expect(['a-cloud', 'a:cloud', 'a:120b-Cloud'].map(isCloudModel)).toEqual([true, true, true])
    expect(['cloudy:7b', 'cloud-coder', 'llama3'].map(isCloudModel)).toEqual([false, false, false])
  })

  test('no address off this machine is ever called', async () => {
    expect(
      ['http://127.0.0.1:11434', 'http://localhost:1', 'http://[::1]:2', 'http://127.8.0.1'].every(
        isLoopback,
      ),
    ).toBe(true)
    const away = [
      'https://127.0.0.1',
      'http://10.0.0.4:11434',
      'http://127.0.0.1.example.com',
      'http://127.0.0.1@example.com',
      'http://localhost.example.com',
      'file:///etc/passwd',
      'nonsense',
    ]
    expect(away.filter(isLoopback)).toEqual([])
    for (const host of away) expect((await failure(ollamaModel({ host }).ask(question))).kind).toBe('refused')
  })
})

describe('a structured call', () => {
  test('sends the schema twice, the window always, no thinking, and loads the model first', async () => {
    const server = await double({ say: GOOD, promptTokens: 150, answerTokens: 12 })
    const answer = await ollamaModel({ host: server.host, window: 8192 }).ask(question)

    expect(answer).toMatchObject({ value: { verdict: 'yes' }, model: 'local:1b' })
    expect(answer.usage).toMatchObject({ promptTokens: 150, answerTokens: 12, tries: 1 })
    const [sent] = server.asked
    expect(sent).toMatchObject({ think: false, stream: true, keep_alive: '5m' })
    expect(sent?.options).toMatchObject({ num_ctx: 8192, num_predict: 60 })
    expect(sent?.format).toMatchObject({ type: 'object', required: ['verdict', 'why'] })
    expect(sent?.messages[0]?.content).toContain('"enum":["yes","no"]')
    expect(sent?.messages.at(-1)).toEqual({ role: 'user', content: 'May it pass?' })
    expect(server.loads).toEqual([expect.objectContaining({ options: { num_ctx: 8192 } })])
  })

  test('the window is never more than the model was trained for, and the same for every call', async () => {
    const server = await double({ say: GOOD }, { models: [{ name: 'local:1b', trained: 2048 }] })
    const model = ollamaModel({ host: server.host, window: 8192 })
    await model.ask(question)
    await model.ask({ ...question, answerTokens: 600 })
    expect([...server.loads, ...server.asked].map(({ options }) => options?.num_ctx)).toEqual([
      2048, 2048, 2048,
    ])
  })

  test.each([
    ['in a fence', `Here it is:\n\`\`\`json\n${GOOD}\n\`\`\`\nAnything else?`],
    ['with doubled braces', `{${GOOD}}`],
    ['behind its thoughts', `<think>Maybe {"verdict":"no"}?</think>\n${GOOD}`],
    ['in prose', `I would say ${GOOD} because it is so.`],
  ])('an answer %s is taken', async (_, say) => {
    const server = await double({ say })
    expect((await ollamaModel({ host: server.host }).ask(question)).value.verdict).toBe('yes')
    expect(server.asked).toHaveLength(1)
  })

  test.each([
    ['another shape', { say: '{"verdict":"perhaps","why":1}' }, 'wrong-shape'],
    ['nonsense', { say: 'lorem ipsum {{{ dolor' }, 'not-json'],
    ['nothing', { say: '  ' }, 'empty'],
    ['half of it', { say: GOOD.slice(0, 20), ended: 'length' as const }, 'cut'],
  ])('%s is asked for once more, then it is a failure that says what it cost', async (_, act, kind) => {
    const server = await double({ promptTokens: 140, answerTokens: 7, ...act })
    const failed = await failure(ollamaModel({ host: server.host }).ask(question))
    expect(failed.kind).toBe(kind)
    expect(failed.usage).toMatchObject({ promptTokens: 280, answerTokens: 14, tries: 2 })
    expect(server.asked).toHaveLength(2)
    // The failed answer does not go back: it may hold whatever the text made the model say.
    expect(server.asked[1]?.messages.map(({ role }) => role)).toEqual(['system', 'user'])
    expect(server.asked[1]?.messages[1]?.content).toBe(question.prompt)
    expect(failed.message).toMatch(/^[A-Z].*\.$/)
  })

  test('what the second try gets right counts', async () => {
    const server = await double((_, call) => ({
      say: call === 1 ? 'no idea' : GOOD,
      promptTokens: 10,
      answerTokens: 5,
    }))
    const answer = await ollamaModel({ host: server.host }).ask(question)
    expect(answer.usage).toMatchObject({ promptTokens: 20, answerTokens: 10, tries: 2 })
  })

  test('after a cut the second try has twice the room', async () => {
    const server = await double((_, call) => (call === 1 ? { say: '{"ver', ended: 'length' } : { say: GOOD }))
    await ollamaModel({ host: server.host }).ask(question)
    expect(server.asked.map(({ options }) => options?.num_predict)).toEqual([60, 120])
  })

  test.each([
    ['dies in the middle', { say: GOOD.slice(0, 10), after: 'die' as const }, 'broke-off'],
    ['ends without saying so', { say: GOOD, after: 'no-done' as const }, 'broke-off'],
    ['fails in the middle', { say: GOOD.slice(0, 10), after: 'error' as const }, 'server'],
    ['answers 500', { status: 500, error: 'llama runner process has terminated' }, 'server'],
    [
      'has too much to do',
      { status: 503, error: 'server busy, please try again.  maximum pending requests exceeded' },
      'busy',
    ],
    ['is a login page', { page: '<html>Sign in</html>' }, 'protocol'],
  ])(
    'a server that %s is a failure of its own kind, and is not asked again at once',
    async (_, act, kind) => {
      const server = await double(act)
      const failed = await failure(ollamaModel({ host: server.host }).ask(question))
      expect(failed.kind).toBe(kind)
      expect(server.asked).toHaveLength(1)
      expect(failed.message).not.toContain('llama runner')
    },
  )

  test('a model that is not installed, and a server that is not there', async () => {
    const { host } = await double({ say: GOOD })
    expect((await failure(ollamaModel({ host }).ask({ ...question, model: 'gone:7b' }))).kind).toBe('missing')
    expect((await failure(ollamaModel({ host: 'http://127.0.0.1:9' }).ask(question))).kind).toBe(
      'unreachable',
    )
  })

  test('a model that sends text out is refused before anything is sent, unless it is allowed by its name', async () => {
    const models = [
      { name: 'gpt-oss:120b-cloud', remote: true },
      { name: 'mine', remote: true },
    ]
    const server = await double({ say: GOOD }, { models })
    for (const { name } of models) {
      const failed = await failure(
        ollamaModel({ host: server.host, allowed: ['other'] }).ask({ ...question, model: name }),
      )
      expect(failed.kind).toBe('refused')
    }
    expect([...server.asked, ...server.loads]).toEqual([])
    const allowed = ollamaModel({ host: server.host, allowed: ['mine'] })
    expect((await allowed.ask({ ...question, model: 'mine' })).value.verdict).toBe('yes')
    expect((await failure(allowed.ask({ ...question, model: 'gpt-oss:120b-cloud' }))).kind).toBe('refused')
  })

  test('a slow answer ends at its deadline, and at once when the caller ends it', async () => {
    const server = await double({ say: GOOD.slice(0, 8), after: 'hang' })
    const late = await failure(ollamaModel({ host: server.host }).ask({ ...question, deadlineMs: 80 }))
    expect(late.kind).toBe('timeout')
    expect(late.usage.promptTokens).toBeGreaterThan(0)
    const end = new AbortController()
    const asked = ollamaModel({ host: server.host }).ask({ ...question, signal: end.signal })
    await expect.poll(() => server.asked.length).toBe(2)
    end.abort()
    expect((await failure(asked)).kind).toBe('aborted')
  })
})

describe('tokens', () => {
  const long = 'The retry policy of the webhook was changed to five tries with backoff. '.repeat(60)

  test('a prompt that does not fit is not sent', async () => {
    const server = await double({ say: GOOD }, { models: [{ name: 'local:1b', trained: 512 }] })
    const failed = await failure(ollamaModel({ host: server.host }).ask({ ...question, prompt: long }))
    expect(failed.kind).toBe('too-long')
    expect(server.asked).toEqual([])
  })

  test('what fits into the room that is named is sent', async () => {
    const server = await double({ say: GOOD }, { models: [{ name: 'local:1b', trained: 1024 }] })
    const model = ollamaModel({ host: server.host })
    const room = await model.room(question)
    let prompt = ''
    while (model.tokens('local:1b', `${prompt} word`) <= room) prompt += ' word'
    expect(prompt.length).toBeGreaterThan(1_000)
    expect((await model.ask({ ...question, prompt })).value.verdict).toBe('yes')
  })

  test("the count follows the server's own, model by model", async () => {
    const double_ = (text: string): number => countTokens(text, 'o200k') * 2
    const server = await double({ say: GOOD }, { models: [{ name: 'a' }, { name: 'b' }], tokensOf: double_ })
    const model = ollamaModel({ host: server.host })
    const before = model.tokens('a', long)
    for (let n = 0; n < 3; n++) await model.ask({ ...question, model: 'a', prompt: long })
    const exact = double_(long)
    expect(before).toBeLessThan(exact)
    expect(model.tokens('a', long)).toBeGreaterThanOrEqual(exact)
    expect(model.tokens('a', long)).toBeLessThan(exact * 1.1)
    expect(model.tokens('b', long)).toBe(before)
  })

  test('a server that loads a smaller window than it is asked for is believed', async () => {
    const server = await double({ say: GOOD }, { models: [{ name: 'local:1b', loads: 400 }] })
    const model = ollamaModel({ host: server.host })
    expect(await model.room(question)).toBeLessThan(300)
    expect((await failure(model.ask({ ...question, prompt: long }))).kind).toBe('too-long')
    expect(server.asked).toEqual([])
    // It is asked for the same window all the same: another one would make it load the model anew.
    await model.ask(question)
    expect([...server.loads, ...server.asked].map(({ options }) => options?.num_ctx)).toEqual([8192, 8192])
  })

  test('one that does not say so and reads only part is found out by its count, and nothing is learned from it', async () => {
    const server = await double({ say: GOOD }, { models: [{ name: 'local:1b', loads: 200, silent: true }] })
    const model = ollamaModel({ host: server.host })
    const before = model.tokens('local:1b', long)
    expect((await failure(model.ask({ ...question, prompt: long }))).kind).toBe('too-long')
    expect(model.tokens('local:1b', long)).toBe(before)
  })
})
