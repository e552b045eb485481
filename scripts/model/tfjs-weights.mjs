import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * @typedef {object} Weight
 * @property {number[]} shape
 * @property {Buffer} raw
 * @property {{ min: number, scale: number, dtype: string } | undefined} quantization value = raw * scale + min
 */

/**
 * Reads the weights of a TensorFlow.js graph model.
 * @param {string} folder holds model.json and the shards it names
 * @returns {(name: string) => Weight}
 */
export function readWeights(folder) {
  const [group] = JSON.parse(readFileSync(join(folder, 'model.json'), 'utf8')).weightsManifest
  const data = Buffer.concat(group.paths.map((path) => readFileSync(join(folder, path))))
  const weights = new Map()
  let offset = 0
  for (const { name, shape, quantization } of group.weights) {
    if (quantization && quantization.dtype !== 'uint8')
      throw new Error(`${name}: ${quantization.dtype} weights`)
    const length = shape.reduce((product, size) => product * size, 1) * (quantization ? 1 : 4)
    weights.set(name, { shape, quantization, raw: data.subarray(offset, offset + length) })
    offset += length
  }
  if (offset !== data.length)
    throw new Error(`The weights hold ${data.length} bytes, the manifest names ${offset}`)
  return (name) => {
    const weight = weights.get(name)
    if (!weight) throw new Error(`The model has no weight called ${name}`)
    return weight
  }
}

/** @param {Weight} weight */
export function toFloats({ raw, quantization }) {
  return Float32Array.from(raw, (value) => value * quantization.scale + quantization.min)
}

/**
 * ONNX writes the same line as (raw - zeroPoint) * scale, with a whole zero point.
 * @param {Weight} weight
 */
export function zeroPoint({ quantization: { min, scale } }) {
  const exact = -min / scale
  const whole = Math.round(exact)
  if (Math.abs(exact - whole) > 1e-3 || whole < 0 || whole > 255)
    throw new Error(`No whole zero point: ${exact}`)
  return whole
}
