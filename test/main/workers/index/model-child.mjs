// Runs the work with a language model over the database given as the first argument, against the server given as the
// second, and says after each call that was kept. The test kills it.
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
const { ollamaModel } = await server.ssrLoadModule('/src/main/models/index.ts')
const { ModelLoop } = await server.ssrLoadModule('/src/main/workers/index/model-loop.ts')

const db = openWrite(process.argv[2])
const model = ollamaModel({ host: process.argv[3] })
const loop = new ModelLoop({
  db,
  ports: {
    model: () => model,
    clock: Date.now,
    mask: (text) => text,
    onBattery: () => null,
    gateOpen: () => false,
    owner: `child:${process.pid}`,
  },
  onMade: () => process.stdout.write('KEPT\n'),
  onStatus: () => {},
  onFailure: (error) => console.error(error),
})
const status = await loop.settled()
process.stdout.write(`REST ${status.state}\n`)
await loop.close()
db.close()
await server.close()
process.stdout.write('IDLE\n')
process.exit(0)
