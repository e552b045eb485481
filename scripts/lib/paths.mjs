import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of the checkout these scripts belong to. */
export const projectRoot = resolve(dirname(fileURLToPath(import.meta.url)), '..', '..')

/**
 * Where the setup puts things. Everything under `runtime` can be deleted: the next setup brings it back.
 * @param {string} root
 */
export function pathsIn(root) {
  const at = (...parts) => resolve(root, ...parts)
  return {
    root,
    nodeModules: at('node_modules'),
    node: at('node_modules/node/bin', process.platform === 'win32' ? 'node.exe' : 'node'),
    runtime: at('.runtime'),
    stamps: at('.runtime/stamps'),
    logs: at('.runtime/logs'),
    downloads: at('.runtime/downloads'),
    record: at('.runtime/runtime.json'),
    model: at('resources/models/all-MiniLM-L6-v2'),
    out: at('out'),
  }
}

export const paths = pathsIn(projectRoot)
