// npm run setup [-- --retry-electron]: installs, fetches and builds whatever is missing.
import { runMain } from './lib/step-error.mjs'
import { setUp } from './setup/index.mjs'

await runMain(async () => {
  await setUp({ retryElectron: process.argv.includes('--retry-electron') })
  return 0
})
