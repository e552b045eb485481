// How long the app takes from its process's start to a workspace that answers, at a journal of --size items.
// Baseline in the same run: the same app over an empty data folder (the welcome screen).
// npm run bench -- startup [--size 100000] [--runs 7]
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { _electron } from 'playwright'
import { withDisplay } from '../scripts/lib/display.mjs'
import { electronLaunch } from '../scripts/lib/electron-launch.mjs'
import { fillJournal } from './lib/fill.mjs'
import { machine, median, quantile } from './lib/report.mjs'

const { values } = parseArgs({
  options: { size: { type: 'string', default: '100000' }, runs: { type: 'string', default: '7' } },
})
const size = Number(values.size)
const runs = Number(values.runs)
const folders = { empty: fresh(), small: fresh(), full: fresh() }

try {
  const small = await fillJournal(folders.small, Math.round(size / 10))
  const full = await fillJournal(folders.full, size)
  const result = await withDisplay(process.env, async (env) => {
    const times = { empty: [], small: [], full: [] }
    // Interleaved, so that a busy moment of the machine falls on each of them alike.
    for (let run = 0; run <= runs; run++) {
      for (const name of Object.keys(times)) {
        const ms = await start(folders[name], env)
        // The first start warms the disk cache and is not counted.
        if (run > 0) times[name].push(ms)
      }
    }
    return times
  })
  const summary = (list) => ({
    p50: Math.round(median(list)),
    max: Math.round(quantile(list, 1)),
    runs: list.length,
  })
  console.log(
    JSON.stringify({
      bench: 'startup',
      ...machine(),
      unit: 'ms from process start to an interactive workspace',
      items: { small: small.items, full: full.items },
      full: summary(result.full),
      small: summary(result.small),
      baseline: { what: 'an empty data folder', ...summary(result.empty) },
      ratio: Number((median(result.full) / median(result.empty)).toFixed(2)),
    }),
  )
} finally {
  for (const folder of Object.values(folders)) rmSync(folder, { recursive: true, force: true })
}

function fresh() {
  return mkdtempSync(join(tmpdir(), 'fovea-startup-'))
}

async function start(home, env) {
  const launch = electronLaunch({ env })
  const began = performance.now()
  const app = await _electron.launch({
    ...launch,
    args: [...launch.args, '--disable-gpu'],
    env: { ...launch.env, FOVEA_HOME: home },
  })
  const page = await app.firstWindow()
  await page.locator('html[data-phase="ready"], html[data-phase="welcome"]').waitFor()
  await page.locator('main .pulse').waitFor({ state: 'detached' })
  const ms = performance.now() - began
  await app.close()
  return ms
}
