// Runs the index loop over the database given as the first argument, with a model that takes its time, and says each
// text it embeds. The test kills it in the middle.
import { resolve } from 'node:path'
import { createServer } from 'vite'

const server = await createServer({
  configFile: false,
  root: resolve(import.meta.dirname, '../../../..'),
  logLevel: 'error',
  appType: 'custom',
  server: { middlewareMode: true, watch: null, hmr: false, ws: false },
  optimizeDeps: { noDiscovery: true },
})
const { openWrite } = await server.ssrLoadModule('/src/main/store/index.ts')
const { curate } = await server.ssrLoadModule('/src/main/curator/index.ts')
const { IndexLoop } = await server.ssrLoadModule('/src/main/workers/index/index-loop.ts')

const status = { state: 'ready', model: 'fake/1', reason: null }
const embedLater = async ([text]) => {
  await new Promise((done) => setImmediate(done))
  process.stdout.write(`${text}\n`)
  return [new Float32Array(384).fill(1 / Math.sqrt(384))]
}
const db = openWrite(process.argv[2])
const loop = new IndexLoop({
  db,
  embedder: {
    status: async () => status,
    loaded: async () => status,
    embed: embedLater,
    embedLater,
    close: async () => {},
  },
  clock: Date.now,
  curate: () => curate(db, { now: 1, limit: 7 }),
  onProgress: () => {},
  onFailure: (error) => console.error(error),
})
await loop.idle()
db.close()
await server.close()
process.stdout.write('IDLE\n')
