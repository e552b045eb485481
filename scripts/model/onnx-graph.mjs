import { bytes, float, integer, message } from './protobuf.mjs'

// Field and type numbers: https://github.com/onnx/onnx/blob/main/onnx/onnx.proto

export const types = { float: 1, uint8: 2, int64: 7 }
const attributeKind = { float: 1, int: 2, ints: 7 }

/** Collects the nodes and constants of one ONNX graph. Tensors are named; an operation returns its outputs' names. */
export class OnnxGraph {
  #nodes = []
  #constants = []
  #outputs = 0

  /**
   * @param {string} name
   * @param {number} type one of `types`
   * @param {number[]} shape
   * @param {Float32Array | Uint8Array | BigInt64Array} values
   * @returns {string} the name
   */
  constant(name, type, shape, values) {
    const raw = Buffer.from(values.buffer, values.byteOffset, values.byteLength)
    const dims = shape.map((size) => integer(1, size))
    this.#constants.push(bytes(5, message(dims, integer(2, type), bytes(8, name), bytes(9, raw))))
    return name
  }

  scalar(name, value) {
    return this.constant(name, types.float, [], Float32Array.of(value))
  }

  /** A list of whole numbers, or a single one. @param {string} name @param {number[] | number} value */
  integers(name, value) {
    const list = [value].flat()
    const shape = Array.isArray(value) ? [list.length] : []
    return this.constant(name, types.int64, shape, BigInt64Array.from(list.map(BigInt)))
  }

  /**
   * @param {string} operator
   * @param {string[]} inputs
   * @param {Record<string, number | number[] | { float: number }>} [attributes]
   * @returns {string}
   */
  op(operator, inputs, attributes = {}) {
    return this.opWithOutputs(1, operator, inputs, attributes)[0]
  }

  /** @returns {string[]} */
  opWithOutputs(count, operator, inputs, attributes = {}) {
    const outputs = Array.from({ length: count }, () => `t${this.#outputs++}`)
    this.#addNode(operator, inputs, outputs, attributes)
    return outputs
  }

  /** Gives a tensor the name under which the graph hands it out. */
  name(tensor, output) {
    this.#addNode('Identity', [tensor], [output], {})
  }

  #addNode(operator, inputs, outputs, attributes) {
    const node = message(
      inputs.map((input) => bytes(1, input)),
      outputs.map((output) => bytes(2, output)),
      bytes(3, `n${this.#nodes.length}`),
      bytes(4, operator),
      Object.entries(attributes).map(([key, value]) => bytes(5, attribute(key, value))),
    )
    this.#nodes.push(bytes(1, node))
  }

  /**
   * @param {{ name: string, opset: number, inputs: Port[], outputs: Port[] }} options
   * @typedef {{ name: string, type: number, shape: (string | number)[] }} Port a string names a free dimension
   */
  toModel({ name, opset, inputs, outputs }) {
    const graph = message(
      this.#nodes,
      bytes(2, name),
      this.#constants,
      inputs.map((port) => bytes(11, portInfo(port))),
      outputs.map((port) => bytes(12, portInfo(port))),
    )
    const irVersion = integer(1, 8)
    const operators = bytes(8, message(bytes(1, ''), integer(2, opset)))
    return message(irVersion, bytes(2, 'fovea'), bytes(7, graph), operators)
  }
}

function attribute(name, value) {
  if (Array.isArray(value)) {
    return message(
      bytes(1, name),
      value.map((item) => integer(8, item)),
      integer(20, attributeKind.ints),
    )
  }
  if (typeof value === 'object')
    return message(bytes(1, name), float(2, value.float), integer(20, attributeKind.float))
  return message(bytes(1, name), integer(3, value), integer(20, attributeKind.int))
}

function portInfo({ name, type, shape }) {
  const dims = shape.map((size) => bytes(1, typeof size === 'number' ? integer(1, size) : bytes(2, size)))
  const tensor = message(integer(1, type), bytes(2, message(dims)))
  return message(bytes(1, name), bytes(2, bytes(1, tensor)))
}
