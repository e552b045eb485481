// Follows the rules of retention in the database given as the first argument, at the moment given as the second, and
// kills itself with the write whose number is the third: in the middle of a transaction, as a power cut would.
import { resolve } from 'node:path'
import { createServer } from 'vite'

const server = await createServer({
  configFile: false,
  root: resolve(import.meta.dirname, '../../..'),
  logLevel: 'error',
  appType: 'custom',
  server: { middlewareMode: true, watch: null, hmr: false, ws: false },
  optimizeDeps: { noDiscovery: true },
})
const { openWrite } = await server.ssrLoadModule('/src/main/store/index.ts')
const { applyRetention } = await server.ssrLoadModule('/src/main/curator/index.ts')

const [, , path, now, last] = process.argv
const db = openWrite(path)
let writes = 0
const counted = new Proxy(db, {
  get: (of, name) => {
    if (name !== 'run') return typeof of[name] === 'function' ? of[name].bind(of) : of[name]
    return (...args) => {
      if (++writes === Number(last)) process.kill(process.pid, 'SIGKILL')
      return of.run(...args)
    }
  },
})
await applyRetention(counted, { now: Number(now), compact: false, rest: async () => undefined })
db.close()
await server.close()
process.stdout.write(`DONE ${writes}\n`)
