import { defineConfig } from '@playwright/test'

// The built app in real Electron. One window at a time: they share a display and the processor.
export default defineConfig({
  testDir: 'test/e2e',
  testMatch: '**/*.e2e.ts',
  outputDir: 'test-results/e2e',
  workers: 1,
  fullyParallel: false,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  reporter: 'list',
  use: { actionTimeout: 15_000 },
})
