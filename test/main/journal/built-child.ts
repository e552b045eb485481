import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { build } from 'vite'
import { onTestFinished } from 'vitest'

const root = resolve(import.meta.dirname, '../../..')

/** Builds a script, of this folder unless told another, for plain Node. It lies under node_modules, so that packages are found from it. */
export async function builtChild(name: string, folder = import.meta.dirname): Promise<string> {
  const cache = join(root, 'node_modules/.cache')
  mkdirSync(cache, { recursive: true })
  const outDir = mkdtempSync(join(cache, 'fovea-child-'))
  onTestFinished(() => rmSync(outDir, { recursive: true, force: true }))
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    build: {
      ssr: join(folder, `${name}.ts`),
      outDir,
      emptyOutDir: false,
      target: 'node20',
      rolldownOptions: { output: { entryFileNames: `${name}.mjs` } },
    },
  })
  return join(outDir, `${name}.mjs`)
}
