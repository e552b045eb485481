import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { bytes, float, integer } from '../../scripts/model/protobuf.mjs'
import { readWeights, toFloats, zeroPoint } from '../../scripts/model/tfjs-weights.mjs'
import { temporaryFolder } from './temporary'

describe('protobuf', () => {
  it('writes the examples of the encoding guide', () => {
    expect(integer(1, 150).toString('hex')).toBe('089601')
    expect(bytes(2, 'testing').toString('hex')).toBe('120774657374696e67')
    expect(integer(1, -2n).toString('hex')).toBe('08feffffffffffffffff01')
    expect(float(1, 1).toString('hex')).toBe('0d0000803f')
  })
})

describe('TensorFlow.js weights', () => {
  const quantization = { dtype: 'uint8', min: -1, scale: 0.5 }
  const model = (weights: object[], data: number[]) =>
    temporaryFolder({
      'model.json': JSON.stringify({ weightsManifest: [{ paths: ['shard.bin'], weights }] }),
      'shard.bin': Buffer.from(data),
    })

  it('are read by name and turned into numbers', () => {
    const weight = readWeights(
      model(
        [
          { name: 'a', shape: [1, 3], quantization },
          { name: 'b', shape: [1] },
        ],
        [0, 2, 4, 9, 9, 9, 9],
      ),
    )
    expect([...toFloats(weight('a'))]).toEqual([-1, 0, 1])
    expect(zeroPoint(weight('a'))).toBe(2)
    expect(weight('b').raw).toHaveLength(4)
    expect(() => weight('c')).toThrow('no weight called c')
  })

  it('are refused when the shard is cut, or when no whole zero point stands for the minimum', () => {
    expect(() => readWeights(model([{ name: 'a', shape: [4], quantization }], [1, 2, 3]))).toThrow('names 4')
    const shape = [1]
    expect(() =>
      zeroPoint({ shape, raw: Buffer.of(1), quantization: { ...quantization, min: -0.7 } }),
    ).toThrow('zero point')
  })
})

describe('the model the setup put in place', () => {
  it('finds two sentences about the same thing closer than two that are not', async () => {
    const { env, pipeline } = await import('@xenova/transformers')
    env.allowRemoteModels = false
    env.localModelPath = join(import.meta.dirname, '../../resources/models')
    const embed = await pipeline('feature-extraction', 'all-MiniLM-L6-v2', { dtype: 'q8' })
    const texts = ['I have a dentist appointment.', 'The dental visit is tomorrow.', 'The compiler is slow.']
    const vectors: number[][] = (await embed(texts, { pooling: 'mean', normalize: true })).tolist()
    const cosine = (a: number, b: number) => vectors[a]!.reduce((sum, x, i) => sum + x * vectors[b]![i]!, 0)
    expect(vectors[0]).toHaveLength(384)
    expect(cosine(0, 1)).toBeGreaterThan(0.6)
    expect(cosine(0, 2)).toBeLessThan(0.3)
  })
})
