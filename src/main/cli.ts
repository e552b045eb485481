import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { version } from '../../package.json'
import { createEngine } from './engine'
import { placesFor } from './home'
import { fileLog } from './log'
import { runCli } from './surfaces'

// `fovea`: the same engine without a window.

// `fovea dump | head` closes the pipe early: that is how a reader says it has enough.
let read = true
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', () => {
    read = false
  })
}

process.exitCode = await runCli(process.argv.slice(2), {
  version,
  log: (home, event, fields) => {
    const places = placesFor(home, process.env)
    if (existsSync(places.db)) fileLog(places.log)(event, fields)
  },
  openEngine: (home, use) =>
    createEngine({ home, ...use, version, resources: join(import.meta.dirname, '..', '..', 'resources') }),
  stdin: process.stdin,
  out: (text) => {
    if (read) process.stdout.write(text)
    return read
  },
  err: (text) => process.stderr.write(text),
})
