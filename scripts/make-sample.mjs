// Writes resources/sample anew from scripts/sample/story.mjs. The result is committed: the app needs no script.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { projectRoot } from './lib/paths.mjs'
import { sampleFiles } from './sample/story.mjs'

const out = join(projectRoot, 'resources/sample')
rmSync(out, { recursive: true, force: true })
for (const { path, text } of sampleFiles()) {
  mkdirSync(dirname(join(out, path)), { recursive: true })
  writeFileSync(join(out, path), text)
}
