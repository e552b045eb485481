import { createHash } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '../../shared/errors'
import { DIMENSIONS } from './embedder'

// The one place that knows transformers.js.

const NAME = 'all-MiniLM-L6-v2'
const FILES = ['config.json', 'tokenizer.json', 'tokenizer_config.json', 'onnx/model_quantized.onnx']

/** Word pieces of a text that are read; what is behind them is not in its vector. */
const MAX_TOKENS = 256
/** More characters than that cannot matter for 256 word pieces of prose, and tokenizing them takes time. */
const MAX_CHARS = 4_000

/** A loaded model: one text in, one unit vector of 384 float32 out. */
export interface TextModel {
  /** For example `all-MiniLM-L6-v2/q8@1f0b88a2`: name, quantisation, head of the weights' sha256. */
  id: string
  run(text: string): Promise<Float32Array>
  close(): Promise<void>
}

/** The sentence that says what is missing under `modelsDir`, or null when the model's files are all there. */
export function missingModel(modelsDir: string): string | null {
  const folder = join(modelsDir, NAME)
  const missing = FILES.filter((file) => !existsSync(join(folder, file)))
  if (missing.length === 0) return null
  return missing.length === FILES.length
    ? `The embedding model is not in ${folder}. Run "npm run setup" to put it there.`
    : `The embedding model in ${folder} is incomplete (${missing.join(', ')}). Run "npm run setup" again.`
}

/**
 * Loads MiniLM, quantised to 8 bits, from `<modelsDir>/all-MiniLM-L6-v2`; nothing is ever fetched.
 * Texts run one at a time: the 8-bit ranges are taken over a whole batch, so a text's vector would depend on its
 * neighbours (cosine down to 0.98 between two batches), and above 50 word pieces a batch is not quicker on 2 cores.
 * @throws AppError `unavailable` with a plain reason when the files cannot be loaded
 */
export async function loadMiniLm(options: { modelsDir: string; threads: number }): Promise<TextModel> {
  try {
    const { AutoModel, AutoTokenizer, env } = await import('@xenova/transformers')
    env.allowRemoteModels = false
    env.localModelPath = options.modelsDir
    const tokenizer = await AutoTokenizer.from_pretrained(NAME)
    const model = await AutoModel.from_pretrained(NAME, {
      dtype: 'q8',
      session_options: { intraOpNumThreads: options.threads, interOpNumThreads: 1 },
    })
    const hash = await fileHash(join(options.modelsDir, NAME, 'onnx/model_quantized.onnx'))
    const run = async (text: string): Promise<Float32Array> => {
      const inputs = tokenizer([readable(text)], { padding: true, truncation: true, max_length: MAX_TOKENS })
      const output = (await model(inputs)) as { last_hidden_state: { data: Float32Array; dims: number[] } }
      return meanPooled(output.last_hidden_state)
    }
    return { id: `${NAME}/q8@${hash.slice(0, 8)}`, run, close: async () => void (await model.dispose()) }
  } catch (cause) {
    throw new AppError(
      'unavailable',
      `The embedding model in ${join(options.modelsDir, NAME)} cannot be loaded. Run "npm run setup" to replace it.`,
      { cause },
    )
  }
}

/** The mean over the word pieces, unit length. One text has no padding, so every position counts. */
function meanPooled(hidden: { data: Float32Array; dims: number[] }): Float32Array {
  // A tensor answers each of its fields through a proxy: asked for once, not for every number.
  const { data, dims } = hidden
  const [, tokens = 0, width = 0] = dims
  if (width !== DIMENSIONS) throw new AppError('unavailable', wrong(`has ${width} dimensions`))
  const vector = new Float32Array(DIMENSIONS)
  for (let t = 0; t < tokens; t++) {
    const at = t * DIMENSIONS
    for (let i = 0; i < DIMENSIONS; i++) vector[i] = (vector[i] as number) + (data[at + i] as number)
  }
  let squares = 0
  for (const value of vector) squares += value * value
  const length = Math.sqrt(squares)
  // NaN would be stored and compared as if it were a number.
  if (!Number.isFinite(length) || length === 0)
    throw new AppError('unavailable', wrong('gives no usable numbers'))
  for (let i = 0; i < DIMENSIONS; i++) vector[i] = (vector[i] ?? 0) / length
  return vector
}

const wrong = (what: string): string =>
  `The embedding model ${what}. Run "npm run setup" to put the right one in place.`

/** Cut and well-formed: a lone surrogate would upset the tokenizer. */
function readable(text: string): string {
  return text
    .slice(0, MAX_CHARS)
    .replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, ' ')
}

function fileHash(path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const hash = createHash('sha256')
    createReadStream(path)
      .on('data', (chunk) => hash.update(chunk))
      .on('error', reject)
      .on('end', () => resolve(hash.digest('hex')))
  })
}
