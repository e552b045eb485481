// node one-engine.mjs: runs each command of `fovea` that comes in as a line of JSON, `[…arguments]`, and answers with a
// line `{ code, out, err }`. The engine and its workers are started once for all of them; else each is as built.
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createEngine, runCli } from '../../out/main/library.js'

const resources = join(import.meta.dirname, '..', '..', 'resources')
let engine
const openEngine = (home) => {
  engine ??= createEngine({ home, watch: false, version: '0.0.0', resources })
  return { ...engine, close: async () => undefined }
}

for await (const line of createInterface({ input: process.stdin })) {
  const said = { out: '', err: '' }
  const hear = (where) => (text) => {
    said[where] += text
    return true
  }
  const code = await runCli(JSON.parse(line), {
    version: '0.0.0',
    openEngine,
    stdin: process.stdin,
    out: hear('out'),
    err: hear('err'),
  })
  process.stdout.write(`${JSON.stringify({ code, ...said })}\n`)
}
await engine?.close()
