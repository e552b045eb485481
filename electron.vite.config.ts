import { resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'electron-vite'

const at = (path: string): string => resolve(import.meta.dirname, path)
const alias = { '@shared': at('src/shared') }

// Targets are pinned to the oldest runtime Fovea ships on (Electron 33): the
// defaults would follow the installed `electron` package and break there.
export default defineConfig({
  main: {
    resolve: { alias },
    build: {
      target: 'node20.18',
      outDir: 'out/main',
      rolldownOptions: {
        input: {
          index: at('src/main/index.ts'),
          cli: at('src/main/cli.ts'),
          hook: at('src/main/hook.ts'),
          library: at('src/main/library.ts'),
        },
      },
    },
  },
  preload: {
    resolve: { alias },
    build: {
      target: 'node20.18',
      outDir: 'out/preload',
      // A sandboxed preload must be one CommonJS file with nothing to import.
      externalizeDeps: false,
      rolldownOptions: {
        input: { index: at('src/preload/index.ts') },
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: at('src/renderer'),
    resolve: { alias },
    plugins: [react()],
    build: {
      target: 'chrome130',
      // electron-vite leaves it off; a smaller script is a quicker start.
      minify: true,
      outDir: at('out/renderer'),
      rolldownOptions: { input: { index: at('src/renderer/index.html') } },
    },
  },
})
