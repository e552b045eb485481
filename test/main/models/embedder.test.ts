import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { createEmbedder } from '../../../src/main/models'
import { temporaryFolder } from '../../support'

const modelsDir = process.env.FOVEA_MODELS ?? resolve(import.meta.dirname, '../../../resources/models')
const present = existsSync(join(modelsDir, 'all-MiniLM-L6-v2', 'onnx', 'model_quantized.onnx'))
const why = present ? '' : ' (skipped: no model, run "npm run setup")'

const dot = (a?: Float32Array, b?: Float32Array): number =>
  a && b ? a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0) : Number.NaN

describe.skipIf(!present)(`the embedder${why}`, () => {
  const embedder = createEmbedder({ modelsDir, threads: 1 })
  afterAll(() => embedder.close())

  test('says which model, how it is quantised and which weights', async () => {
    expect(await embedder.loaded()).toEqual({
      state: 'ready',
      model: expect.stringMatching(/^all-MiniLM-L6-v2\/q8@[0-9a-f]{8}$/),
      reason: null,
    })
  })

  test('puts what means the same nearer than what shares words only', async () => {
    const [query, same, words] = await embedder.embed([
      'How do I undo the last database change?',
      'Roll back the migration that was just applied.',
      'The last change of the menu colours was nice, how do you like it?',
    ])
    expect(dot(query, same)).toBeGreaterThan(dot(query, words) + 0.15)
  })

  test('gives unit vectors of 384 numbers for any text, empty and hostile ones too', async () => {
    const texts = ['', ' ', '\u0000', '\ud800 lone', '你好，世界', 'x'.repeat(300_000), '🙂'.repeat(3_000)]
    const vectors = await embedder.embed(texts)
    for (const vector of vectors) {
      expect(vector).toHaveLength(384)
      expect(dot(vector, vector)).toBeCloseTo(1, 4)
    }
  })

  test('gives a text the same vector alone, among others, and when asked again', async () => {
    const text = 'The index build timed out on production.'
    const fresh = createEmbedder({ modelsDir, threads: 1 })
    const [alone] = await fresh.embed([text])
    await fresh.close()
    const among = (await embedder.embedLater(['npm test', text, 'a much longer one '.repeat(60)]))[1]
    expect(among).toEqual(alone)
    expect((await embedder.embed([text]))[0]).toEqual(alone)
  })

  test('answers a question before the backlog that was there first', async () => {
    const order: string[] = []
    const backlog = embedder
      .embedLater(Array.from({ length: 30 }, (_, n) => `backlog item number ${n}`))
      .then(() => order.push('backlog'))
    const question = embedder.embed(['a question in a hurry']).then(() => order.push('question'))
    await Promise.all([backlog, question])
    expect(order).toEqual(['question', 'backlog'])
  })

  test('a broken weights file is a plain reason, not a crash', async () => {
    const folder = temporaryFolder()
    cpSync(join(modelsDir, 'all-MiniLM-L6-v2'), join(folder, 'all-MiniLM-L6-v2'), { recursive: true })
    writeFileSync(join(folder, 'all-MiniLM-L6-v2', 'onnx', 'model_quantized.onnx'), 'not a model')
    const broken = createEmbedder({ modelsDir: folder, threads: 1 })
    expect(await broken.loaded()).toMatchObject({
      state: 'failed',
      reason: expect.stringMatching(/cannot be loaded/),
    })
    await expect(broken.embed(['x'])).rejects.toMatchObject({ code: 'unavailable' })
  })
})

describe('without a model', () => {
  test('a missing folder is a status with the way out, and embed is unavailable', async () => {
    const none = createEmbedder({ modelsDir: temporaryFolder(), threads: 1 })
    expect(await none.loaded()).toMatchObject({
      state: 'missing',
      model: null,
      reason: expect.stringMatching(/npm run setup/),
    })
    await expect(none.embed(['x'])).rejects.toMatchObject({ code: 'unavailable', retryable: true })
  })

  test('a half fetched folder says what is missing', async () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'all-MiniLM-L6-v2'))
    writeFileSync(join(folder, 'all-MiniLM-L6-v2', 'config.json'), '{}')
    const none = createEmbedder({ modelsDir: folder, threads: 1 })
    expect((await none.loaded()).reason).toMatch(/incomplete \(tokenizer\.json/)
  })
})

/** A folder where the model's files are, without their content. */
function modelsFolder(): string {
  const folder = temporaryFolder()
  const own = join(folder, 'all-MiniLM-L6-v2')
  mkdirSync(join(own, 'onnx'), { recursive: true })
  for (const name of ['config.json', 'tokenizer.json', 'tokenizer_config.json', 'onnx/model_quantized.onnx'])
    writeFileSync(join(own, name), '')
  return folder
}

describe('closing', () => {
  test('waits for the text that is in the model and refuses those behind it, so the session is never gone under one', async () => {
    let inside = false
    let closedInside = false
    let closes = 0
    let finish = (): void => undefined
    const embedder = createEmbedder({
      modelsDir: modelsFolder(),
      threads: 1,
      load: async () => ({
        id: 'double',
        run: async () => {
          inside = true
          await new Promise<void>((resolve) => {
            finish = resolve
          })
          inside = false
          return new Float32Array(384)
        },
        close: async () => {
          closes += 1
          closedInside = inside
        },
      }),
    })
    const running = embedder.embed(['in the model'])
    const waiting = embedder.embed(['behind it'])
    const refused = expect(waiting).rejects.toMatchObject({ code: 'unavailable' })
    await expect.poll(() => inside).toBe(true)
    const closed = [embedder.close(), embedder.close()]
    finish()
    expect(await running).toHaveLength(1)
    await refused
    await Promise.all(closed)
    expect({ closes, closedInside }).toEqual({ closes: 1, closedInside: false })
    await expect(embedder.embed(['too late'])).rejects.toMatchObject({ code: 'unavailable' })
  })
})
