// What the app costs while nothing happens: processor time, memory and reads of all its processes over some minutes,
// with --files transcripts known and watched. Whether any content was read is told by the files' access times.
// Baseline in the same run: the same app over an empty data folder.
// It is measured when nothing waits any more: no rung, no vector, no neighbours. Where that is not reached within
// --patience seconds, `settled` says what is left, and the figure is one of an app at work.
// npm run bench -- idle [--files 10000] [--seconds 300] [--patience 1800]
import { mkdirSync, mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { withDisplay } from '../scripts/lib/display.mjs'
import { launchApp } from './lib/launch.mjs'
import { bytesRead, cpuSeconds, family, kindOf, residentBytes, threadSeconds } from './lib/processes.mjs'
import { machine } from './lib/report.mjs'

const { values } = parseArgs({
  options: {
    files: { type: 'string', default: '10000' },
    seconds: { type: 'string', default: '300' },
    patience: { type: 'string', default: '1800' },
  },
})
const count = Number(values.files)
const seconds = Number(values.seconds)
const patience = Number(values.patience)
const folders = { empty: fresh(), full: fresh(), data: fresh() }

try {
  const paths = writeFiles(folders.data)
  const result = await withDisplay(process.env, async (env) => ({
    baseline: await measure(folders.empty, env, null),
    full: await measure(folders.full, env, paths),
  }))
  console.log(
    JSON.stringify({
      bench: 'idle',
      ...machine(),
      unit: 'per cent of one core, all processes of the app together',
      files: count,
      seconds,
      ...result.full,
      baseline: { what: 'an empty data folder', ...result.baseline },
    }),
  )
} finally {
  for (const folder of Object.values(folders)) rmSync(folder, { recursive: true, force: true })
}

function fresh() {
  return mkdtempSync(join(tmpdir(), 'fovea-idle-'))
}

function writeFiles(folder) {
  const paths = []
  for (let n = 0; n < count; n++) {
    const project = join(folder, `-srv-project-${n % 100}`)
    mkdirSync(project, { recursive: true })
    const path = join(project, `session-${n}.jsonl`)
    const record = { type: 'user', uuid: `u-${n}`, sessionId: `s-${n}`, cwd: `/srv/project-${n % 100}` }
    const message = { role: 'user', content: `Look into matter number ${n} of the export` }
    const timestamp = new Date(Date.UTC(2026, 1, 1) + n * 60_000).toISOString()
    writeFileSync(path, `${JSON.stringify({ ...record, message, timestamp })}\n`)
    paths.push(path)
  }
  return paths
}

async function measure(home, env, paths) {
  const app = await launchApp(env, home)
  try {
    const page = await app.firstWindow()
    await page.locator('html[data-phase="ready"], html[data-phase="welcome"]').waitFor()
    const recheckMs = paths ? await read(page) : null
    const settled = await settle(page)
    // Older than the change of the file, so that the next read moves it, however the disk is mounted (relatime).
    for (const path of paths ?? []) utimesSync(path, 1, statSync(path).mtimeMs / 1000)
    const pids = family(app.process().pid)
    const before = {
      cpu: cpuSeconds(pids),
      memory: residentBytes(pids),
      read: bytesRead(pids),
      threads: threadSeconds(pids),
    }
    const memory = [before.memory]
    const began = performance.now()
    while (performance.now() - began < seconds * 1000) {
      await page.waitForTimeout(Math.min(30_000, seconds * 1000))
      memory.push(residentBytes(family(app.process().pid)))
    }
    const wall = (performance.now() - began) / 1000
    const now = family(app.process().pid)
    return {
      settled,
      cpuPercent: Number(((100 * (cpuSeconds(now) - before.cpu)) / wall).toFixed(3)),
      cpuPercentOf: shares(before.threads, threadSeconds(now), wall),
      memoryMb: memory.map((bytes) => Math.round(bytes / 2 ** 20)),
      bytesReadPerSecond: Math.round((bytesRead(now) - before.read) / wall),
      contentReads: (paths ?? []).filter((path) => statSync(path).atimeMs > 60_000).length,
      ...(recheckMs === null ? {} : { recheckMs }),
    }
  } finally {
    await app.close()
  }
}

/** Reads everything once; answers how long a second look took. */
async function read(page) {
  const run = (path) => window.fovea.call('ingest.run', { paths: [path], embed: false })
  await page.evaluate(run, folders.data)
  const again = await page.evaluate(run, folders.data)
  if (!again.ok) throw new Error(again.error.message)
  return again.value.ms
}

/** Waits until all that is made in the background is made, and tells how long it took, or what is left of it. */
async function settle(page) {
  const began = performance.now()
  const passed = () => (performance.now() - began) / 1000
  for (;;) {
    const work = page.evaluate(() => window.fovea.call('curate.run', { untilIdle: true }))
    const late = page.waitForTimeout(Math.max(0, patience - passed()) * 1000)
    const answer = await Promise.race([work, late])
    const left = answer?.ok ? answer.value.left : null
    if (left && Object.values(left).every((n) => n === 0)) {
      // What was just made is drawn, and what closes after a rest is closed.
      await page.waitForTimeout(10_000)
      return { settled: true, afterSeconds: Math.round(passed()) }
    }
    if (passed() < patience) continue
    console.error(`Not settled after ${patience} s: what follows is an app at work.`)
    return { settled: false, left }
  }
}

/** What each kind of process and its busiest threads took, in per cent of one core, from a hundredth of one on. */
function shares(before, after, wall) {
  const sums = {}
  for (const [key, { pid, name, cpu }] of after) {
    const share = (100 * (cpu - (before.get(key)?.cpu ?? 0))) / wall
    const label = `${kindOf(pid)}/${name}`
    sums[label] = (sums[label] ?? 0) + share
  }
  return Object.fromEntries(
    Object.entries(sums)
      .filter(([, share]) => share >= 0.01)
      .sort(([, a], [, b]) => b - a)
      .map(([label, share]) => [label, Number(share.toFixed(3))]),
  )
}
