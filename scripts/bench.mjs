// npm run bench -- NAME [arguments]: sets up what is missing, then runs bench/NAME.mjs on Node 24.
// The standard output holds the benchmark's one JSON object and nothing else.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { inForeground } from './lib/foreground.mjs'
import { insideEnv } from './lib/npm.mjs'
import { paths } from './lib/paths.mjs'
import { runMain, StepError } from './lib/step-error.mjs'
import { setUp } from './setup/index.mjs'

await runMain(async () => {
  const [name = '', ...rest] = process.argv.slice(2)
  const names = benchmarks()
  if (!names.includes(name)) {
    throw new StepError('bench', name ? `there is no benchmark called ${name}.` : 'which benchmark?', {
      todo: `One of: ${names.join(', ') || 'none yet'}.`,
    })
  }
  const { sqlite } = await setUp()
  const binding = sqlite.nativeBinding ? { FOVEA_SQLITE_BINDING: join(paths.root, sqlite.nativeBinding) } : {}
  const env = { ...insideEnv(), ...binding, FOVEA_CONFIG: join(paths.runtime, 'test-config') }
  return inForeground(paths.node, [join(paths.root, `bench/${name}.mjs`), ...rest], { cwd: paths.root, env })
})

function benchmarks() {
  const folder = join(paths.root, 'bench')
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((file) => file.endsWith('.mjs'))
    .map((file) => file.slice(0, -4))
}
