import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'

type Imports = Record<string, Record<string, unknown>>
type Receive = (instance: WebAssembly.Instance, module: WebAssembly.Module) => void

/** The engine's code, and how it is started with a limit on its memory, which it does not have of itself. */
export function limitedWasm(most: number): {
  instantiate: (imports: Imports, receive: Receive) => object
  /** Bytes of memory the running engine holds. */
  bytes: () => number
} {
  let memory: WebAssembly.Memory | undefined
  return {
    bytes: () => memory?.buffer.byteLength ?? 0,
    instantiate: (imports, receive) => {
      limitGrowth(imports, most)
      void compiled().then(async (module) => {
        const instance = await WebAssembly.instantiate(module, imports as WebAssembly.Imports)
        memory = Object.values(instance.exports).find((one) => one instanceof WebAssembly.Memory)
        receive(instance, module)
      })
      return {}
    },
  }
}

/** Asked for more than the limit, the engine is told that there is none: it ends the query with an error. */
function limitGrowth(imports: Imports, most: number): void {
  for (const group of Object.values(imports)) {
    for (const [name, grow] of Object.entries(group)) {
      if (typeof grow !== 'function' || grow.name !== '_emscripten_resize_heap') continue
      group[name] = (size: number) => (size >>> 0 > most ? 0 : grow(size))
    }
  }
}

let module: Promise<WebAssembly.Module> | undefined

/** Compiled once in a thread. The file lies beside the package's code, wherever that is installed. */
function compiled(): Promise<WebAssembly.Module> {
  module ??= (async () => {
    const file = createRequire(import.meta.url).resolve('swipl-wasm/dist/swipl/swipl-web.wasm')
    return WebAssembly.compile(await readFile(file))
  })()
  return module
}
