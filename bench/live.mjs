// How long it takes from an agent's append to a transcript until the line stands in the app's window: --appends times,
// at odd moments, to a session on the open timeline.
// Baseline in the same run: how long the system itself takes to tell a plain watcher of such an append.
// npm run bench -- live [--appends 120]
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, watch, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { withDisplay } from '../scripts/lib/display.mjs'
import { randomFrom } from './lib/corpus.mjs'
import { launchApp } from './lib/launch.mjs'
import { machine, quantile } from './lib/report.mjs'

const { values } = parseArgs({ options: { appends: { type: 'string', default: '120' } } })
const appends = Number(values.appends)
const home = mkdtempSync(join(tmpdir(), 'fovea-live-'))
const data = mkdtempSync(join(tmpdir(), 'fovea-live-data-'))
const random = randomFrom(1)

try {
  const result = await withDisplay(process.env, measure)
  console.log(
    JSON.stringify({
      bench: 'live',
      ...machine(),
      unit: 'ms from the append to the item in the window',
      appends,
      ...result,
    }),
  )
} finally {
  for (const folder of [home, data]) rmSync(folder, { recursive: true, force: true })
}

function record(n) {
  return `${JSON.stringify({
    type: 'user',
    uuid: `u-${n}`,
    sessionId: 'live',
    cwd: '/srv/live',
    message: { role: 'user', content: `Live request number ${n} about the export` },
    timestamp: new Date().toISOString(),
  })}\n`
}

async function measure(env) {
  const path = join(data, '-srv-live', 'live.jsonl')
  mkdirSync(join(data, '-srv-live'))
  writeFileSync(path, record(0))
  const app = await launchApp(env, home)
  try {
    const page = await app.firstWindow()
    await page.locator('html[data-phase="welcome"]').waitFor()
    await page.evaluate((path) => window.fovea.call('ingest.run', { paths: [path], embed: false }), data)
    await page.reload()
    await page.locator('html[data-phase="ready"]').waitFor()
    await page.keyboard.press('2')
    await page.getByText('Live request number 0').first().waitFor()
    const told = plainWatcher(path)
    const visible = []
    const heard = []
    for (let n = 1; n <= appends; n++) {
      await page.waitForTimeout(300 + random() * 900)
      const seen = page.evaluate(seenAt, `Live request number ${n} about`)
      // The observer stands before the append.
      await page.evaluate(() => undefined)
      const hint = told()
      const at = Date.now()
      appendFileSync(path, record(n))
      visible.push((await seen) - at)
      heard.push((await hint) - at)
    }
    return {
      visible: summary(visible),
      baseline: { what: 'a plain watcher is told of the append', ...summary(heard) },
    }
  } finally {
    await app.close()
  }
}

function summary(list) {
  return {
    p50: Math.round(quantile(list, 0.5)),
    p95: Math.round(quantile(list, 0.95)),
    max: Math.round(quantile(list, 1)),
    n: list.length,
  }
}

/** Resolves with the moment at which a text is first in the page. */
function seenAt(text) {
  const isThere = () => document.body.innerText.includes(text)
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`"${text}" did not appear`)), 30_000)
    const look = () => {
      if (!isThere()) return
      clearTimeout(late)
      observer.disconnect()
      resolve(Date.now())
    }
    const observer = new MutationObserver(look)
    observer.observe(document.body, { subtree: true, childList: true, characterData: true })
    look()
  })
}

function plainWatcher(path) {
  let waiting = null
  watch(path, { persistent: false }, () => {
    waiting?.(Date.now())
    waiting = null
  })
  return () =>
    new Promise((resolve) => {
      waiting = resolve
    })
}
