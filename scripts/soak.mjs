// npm run soak [-- TIMES]: the long forms of the journal's tests of endurance, TIMES (10) times their short ones:
// killed while reading, damaged, shuffled and malformed transcripts, planted secrets (through each door of the built program too),
// hostile texts for each pattern, recall fed back; months of appends, broken lines and rotations read by two processes
// at once; a source forgotten while it is killed. FOVEA_SOAK says the same.
import { join } from 'node:path'
import { inForeground } from './lib/foreground.mjs'
import { insideEnv } from './lib/npm.mjs'
import { paths } from './lib/paths.mjs'
import { runMain, StepError } from './lib/step-error.mjs'
import { setUp } from './setup/index.mjs'

const TESTS = [
  'killed',
  'truth',
  'codex-truth',
  'bad-input',
  'malformed',
  'documents-truth',
  'redaction',
  'linear',
  'paths',
  'ten-rounds',
  'idle',
  'two-processes',
  'endurance',
]

await runMain(async () => {
  const times = process.argv[2] ?? process.env.FOVEA_SOAK ?? '10'
  if (!/^[1-9]\d{0,5}$/.test(times)) {
    throw new StepError('soak', `${times} is no number of times.`, {
      todo: 'For example: npm run soak -- 20',
    })
  }
  const { sqlite } = await setUp()
  const binding = sqlite.nativeBinding ? { FOVEA_SQLITE_BINDING: join(paths.root, sqlite.nativeBinding) } : {}
  const env = { ...insideEnv(), ...binding, FOVEA_SOAK: times }
  const files = [...TESTS.map((name) => `test/main/journal/${name}.test.ts`), 'test/built/secrets.test.ts']
  const vitest = join(paths.nodeModules, 'vitest/vitest.mjs')
  // No limit of time by test: that is what a soak is for.
  return inForeground(paths.node, [vitest, 'run', '--testTimeout=0', ...files], { cwd: paths.root, env })
})
