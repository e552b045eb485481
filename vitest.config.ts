import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  resolve: { alias: { '@shared': resolve(import.meta.dirname, 'src/shared') } },
  test: {
    include: ['test/**/*.test.{ts,tsx}'],
    exclude: ['test/e2e/**'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // The person's own key is never touched, also by processes that tests start.
    env: { FOVEA_CONFIG: resolve(import.meta.dirname, '.runtime/test-config') },
    // Native addons and worker threads: one process per file, two at a time.
    pool: 'forks',
    maxWorkers: 2,
  },
})
