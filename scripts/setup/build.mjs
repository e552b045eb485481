import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { readJson, sha256, writeJson } from '../lib/files.mjs'
import { insideEnv } from '../lib/npm.mjs'
import { run } from '../lib/run.mjs'
import { say, secondsSince } from '../lib/say.mjs'

const inputs = ['src', 'electron.vite.config.ts', 'tsconfig.json', 'package.json', 'package-lock.json']
const results = ['main/index.js', 'main/cli.js', 'preload/index.cjs', 'renderer/index.html']

/**
 * Builds the app when a source changed since the last build.
 *
 * @param {{ paths: ReturnType<typeof import('../lib/paths.mjs').pathsIn>, build?: typeof electronViteBuild }} options
 * @returns {Promise<'ready' | 'built'>}
 */
export async function prepareBuild({ paths, build = electronViteBuild }) {
  const stamp = join(paths.stamps, 'build.json')
  const before = readJson(stamp)
  const files = inputs.flatMap((input) => filesBelow(paths.root, input))
  const times = sha256(files.map((file) => fingerprint(paths.root, file)).join('\n'))
  const isBuilt = before && results.every((file) => existsSync(join(paths.out, file)))
  if (isBuilt && before.times === times) return 'ready'

  // A checkout touches files without changing them: their content has the last word.
  const content = sha256(
    files.map((file) => `${file} ${sha256(readFileSync(join(paths.root, file)))}`).join('\n'),
  )
  if (!isBuilt || before.content !== content) {
    const started = Date.now()
    say('build', 'building the app')
    // Without the stamp an interrupted build counts as none.
    rmSync(stamp, { force: true })
    await build(paths)
    say('build', `built in ${secondsSince(started)}`)
  }
  writeJson(stamp, { times, content })
  return isBuilt && before.content === content ? 'ready' : 'built'
}

function filesBelow(root, name) {
  const path = join(root, name)
  if (!existsSync(path)) return []
  if (!statSync(path).isDirectory()) return [name]
  return readdirSync(path)
    .sort()
    .flatMap((entry) => filesBelow(root, join(name, entry)))
}

function fingerprint(root, file) {
  const { size, mtimeMs } = statSync(join(root, file))
  return `${file} ${size} ${mtimeMs}`
}

async function electronViteBuild(paths) {
  const cli = join(paths.nodeModules, 'electron-vite/bin/electron-vite.js')
  await run('build', paths.node, [cli, 'build'], { env: insideEnv(), doing: 'still building' })
}
