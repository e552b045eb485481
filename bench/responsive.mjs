// How free the app's main process stays while a backfill of --size megabytes runs: the delay of its event loop, in the
// real app, with a call of the window answered every quarter second meanwhile.
// Baseline in the same run: the same app doing nothing for as long as five seconds.
// npm run bench -- responsive [--size 200]
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { withDisplay } from '../scripts/lib/display.mjs'
import { writeCorpus } from './lib/corpus.mjs'
import { launchApp } from './lib/launch.mjs'
import { machine, quantile } from './lib/report.mjs'

const { values } = parseArgs({ options: { size: { type: 'string', default: '200' } } })
const megabytes = Number(values.size)
const home = mkdtempSync(join(tmpdir(), 'fovea-responsive-'))
const data = mkdtempSync(join(tmpdir(), 'fovea-responsive-data-'))

try {
  writeCorpus(data, megabytes * 1e6)
  console.log(JSON.stringify(await withDisplay(process.env, measure)))
} finally {
  rmSync(home, { recursive: true, force: true })
  rmSync(data, { recursive: true, force: true })
}

async function measure(env) {
  const app = await launchApp(env, home)
  try {
    const page = await app.firstWindow()
    await page.locator('html[data-phase="welcome"]').waitFor()
    const idle = await delays(app, () => page.waitForTimeout(5_000))
    const calls = []
    let report
    const busy = await delays(app, async () => {
      const run = page.evaluate(
        (path) => window.fovea.call('ingest.run', { paths: [path], embed: false }),
        data,
      )
      let done = false
      void run.finally(() => {
        done = true
      })
      while (!done) {
        calls.push(await page.evaluate(timedCall))
        await page.waitForTimeout(250)
      }
      report = await run
    })
    if (!report.ok) throw new Error(report.error.message)
    return {
      bench: 'responsive',
      ...machine(),
      unit: 'ms of delay of the main event loop, as monitorEventLoopDelay tells it at a resolution of 10 ms',
      megabytes,
      items: report.value.new,
      seconds: Math.round(report.value.ms / 100) / 10,
      backfill: busy,
      baseline: { what: 'the app idle', ...idle },
      windowCallMs: { p50: quantile(calls, 0.5), p99: quantile(calls, 0.99), n: calls.length },
    }
  } finally {
    await app.close()
  }
}

async function delays(app, work) {
  await app.evaluate(() => {
    const { monitorEventLoopDelay } = process.getBuiltinModule('node:perf_hooks')
    globalThis.loopDelay = monitorEventLoopDelay({ resolution: 10 })
    globalThis.loopDelay.enable()
  })
  await work()
  return app.evaluate(() => {
    const histogram = globalThis.loopDelay
    histogram.disable()
    const ms = (nanoseconds) => Math.round(nanoseconds / 1e4) / 100
    return { p50: ms(histogram.percentile(50)), p99: ms(histogram.percentile(99)), max: ms(histogram.max) }
  })
}

async function timedCall() {
  const began = performance.now()
  await window.fovea.call('ingest.status', {})
  return Math.round((performance.now() - began) * 10) / 10
}
