import { OnnxGraph, types } from './onnx-graph.mjs'
import { toFloats, zeroPoint } from './tfjs-weights.mjs'

// all-MiniLM-L6-v2 is BERT (https://arxiv.org/abs/1810.04805) with these sizes.
const hidden = 384
const layers = 6
const heads = 12
const headSize = hidden / heads

const bert = 'StatefulPartitionedCall/model/tf_bert_model/bert/'
// The TF.js exporter lost the names of the embedding tables and numbered them.
const tables = { words: 'unknown', positions: 'unknown_0', segments: 'unknown_1' }

/**
 * Writes the network as a quantised ONNX model: the large matrices stay the uint8 values they are in the
 * TF.js file, inputs are quantised as they come (dynamic quantisation), the rest is float32.
 *
 * @param {(name: string) => import('./tfjs-weights.mjs').Weight} weight
 * @returns {Buffer}
 */
export function minilmToOnnx(weight) {
  const graph = new OnnxGraph()
  const build = { graph, weight, common: commonConstants(graph), quantised: new Map() }
  let state = embeddings(build)
  const mask = attentionMask(build)
  for (let layer = 0; layer < layers; layer++) state = encoderLayer(build, layer, state, mask)
  graph.name(state, 'last_hidden_state')
  const free = ['batch', 'sequence']
  return graph.toModel({
    name: 'all-MiniLM-L6-v2',
    opset: 17,
    inputs: ['input_ids', 'attention_mask', 'token_type_ids'].map((name) => ({
      name,
      type: types.int64,
      shape: free,
    })),
    outputs: [{ name: 'last_hidden_state', type: types.float, shape: [...free, hidden] }],
  })
}

function commonConstants(graph) {
  return {
    zero: graph.integers('zero', 0),
    one: graph.integers('one', 1),
    oneFloat: graph.scalar('one_float', 1),
    half: graph.scalar('half', 0.5),
    inverseRootTwo: graph.scalar('inverse_root_two', Math.SQRT1_2),
    attentionScale: graph.scalar('attention_scale', 1 / Math.sqrt(headSize)),
    masked: graph.scalar('masked', -10_000),
    // 0 keeps the size of that dimension.
    splitHeads: graph.integers('split_heads', [0, 0, heads, headSize]),
    joinHeads: graph.integers('join_heads', [0, 0, hidden]),
    headAndQuery: graph.integers('head_and_query', [1, 2]),
  }
}

function embeddings(build) {
  const { graph, weight, common } = build
  const table = weight(tables.words)
  const words = graph.op('Gather', [
    graph.constant('words', types.uint8, table.shape, table.raw),
    'input_ids',
  ])
  const scale = graph.scalar('words.scale', table.quantization.scale)
  const wordVectors = graph.op('DequantizeLinear', [words, scale, zeroPointOf(graph, 'words', table)])

  const length = graph.op('Gather', [graph.op('Shape', ['input_ids']), common.one])
  const positions = graph.op('Range', [common.zero, length, common.one])
  const positionVectors = graph.op('Gather', [floats(build, 'positions', tables.positions), positions])
  const segmentVectors = graph.op('Gather', [floats(build, 'segments', tables.segments), 'token_type_ids'])
  const sum = graph.op('Add', [graph.op('Add', [wordVectors, positionVectors]), segmentVectors])
  return normalise(build, 'embeddings', `${bert}embeddings/LayerNorm`, sum)
}

/** 0 where a token counts, -10,000 where it is padding; shaped to be added to [batch, head, query, key]. */
function attentionMask({ graph, common }) {
  const counts = graph.op('Cast', [graph.op('Unsqueeze', ['attention_mask', common.headAndQuery])], {
    to: types.float,
  })
  return graph.op('Mul', [graph.op('Sub', [common.oneFloat, counts]), common.masked])
}

function encoderLayer(build, layer, input, mask) {
  const { graph } = build
  const from = `${bert}encoder/layer_._${layer}/`
  const name = `layer${layer}`
  const attended = linear(
    build,
    `${name}.attention`,
    `${from}attention/output/dense`,
    attention(build, { name, from, input, mask }),
  )
  const middle = normalise(
    build,
    `${name}.middle`,
    `${from}attention/output/LayerNorm`,
    graph.op('Add', [attended, input]),
  )
  const wide = gelu(build, linear(build, `${name}.widen`, `${from}intermediate/dense`, middle))
  const narrow = linear(build, `${name}.narrow`, `${from}output/dense`, wide)
  return normalise(build, `${name}.output`, `${from}output/LayerNorm`, graph.op('Add', [narrow, middle]))
}

function attention(build, { name, from, input, mask }) {
  const { graph, common } = build
  const project = (part, order) => {
    const projected = linear(build, `${name}.${part}`, `${from}attention/self/${part}`, input)
    return graph.op('Transpose', [graph.op('Reshape', [projected, common.splitHeads])], { perm: order })
  }
  const query = project('query', [0, 2, 1, 3])
  const key = project('key', [0, 2, 3, 1])
  const value = project('value', [0, 2, 1, 3])
  const scores = graph.op('Mul', [graph.op('MatMul', [query, key]), common.attentionScale])
  const weights = graph.op('Softmax', [graph.op('Add', [scores, mask])], { axis: -1 })
  const context = graph.op('Transpose', [graph.op('MatMul', [weights, value])], { perm: [0, 2, 1, 3] })
  return graph.op('Reshape', [context, common.joinHeads])
}

/** x · W + b on whole numbers: both sides are uint8, the product is scaled back. */
function linear(build, name, from, input) {
  const { graph, weight } = build
  const matrix = weight(`${from}/Tensordot/ReadVariableOp`)
  const [values, scale, zero] = quantise(build, input)
  const matrixName = graph.constant(`${name}.weight`, types.uint8, matrix.shape, matrix.raw)
  const product = graph.op('MatMulInteger', [values, matrixName, zero, zeroPointOf(graph, name, matrix)])
  const rescale = graph.op('Mul', [scale, graph.scalar(`${name}.scale`, matrix.quantization.scale)])
  const scaled = graph.op('Mul', [graph.op('Cast', [product], { to: types.float }), rescale])
  return graph.op('Add', [scaled, floats(build, `${name}.bias`, `${from}/BiasAdd/ReadVariableOp`)])
}

/** Query, key and value read the same tensor: it is quantised once. */
function quantise({ graph, quantised }, input) {
  if (!quantised.has(input)) quantised.set(input, graph.opWithOutputs(3, 'DynamicQuantizeLinear', [input]))
  return quantised.get(input)
}

function gelu({ graph, common }, input) {
  const erf = graph.op('Erf', [graph.op('Mul', [input, common.inverseRootTwo])])
  return graph.op('Mul', [graph.op('Mul', [input, graph.op('Add', [erf, common.oneFloat])]), common.half])
}

function normalise(build, name, from, input) {
  const gain = floats(build, `${name}.gain`, `${from}/batchnorm/mul/ReadVariableOp`)
  const shift = floats(build, `${name}.shift`, `${from}/batchnorm/ReadVariableOp`)
  return build.graph.op('LayerNormalization', [input, gain, shift], { axis: -1, epsilon: { float: 1e-12 } })
}

function floats({ graph, weight }, name, from) {
  const source = weight(from)
  return graph.constant(name, types.float, source.shape, toFloats(source))
}

function zeroPointOf(graph, name, source) {
  return graph.constant(`${name}.zero_point`, types.uint8, [], Uint8Array.of(zeroPoint(source)))
}
