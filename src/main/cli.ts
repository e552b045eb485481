import { join } from 'node:path'
import { version } from '../../package.json'
import { createEngine } from './engine'
import { runCli } from './surfaces'

// `fovea`: the same engine without a window.

process.exitCode = await runCli(process.argv.slice(2), {
  version,
  openEngine: (home, watch) =>
    createEngine({ home, watch, version, resources: join(import.meta.dirname, '..', '..', 'resources') }),
  stdin: process.stdin,
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
})
