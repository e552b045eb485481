// What the app costs while nothing happens: processor time, memory and reads of all its processes over some minutes,
// with --files transcripts known and watched. Whether any content was read is told by the files' access times.
// Baseline in the same run: the same app over an empty data folder.
// npm run bench -- idle [--files 10000] [--seconds 300]
import { mkdirSync, mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { withDisplay } from '../scripts/lib/display.mjs'
import { launchApp } from './lib/launch.mjs'
import { bytesRead, cpuSeconds, family, residentBytes } from './lib/processes.mjs'
import { machine } from './lib/report.mjs'

const { values } = parseArgs({
  options: { files: { type: 'string', default: '10000' }, seconds: { type: 'string', default: '300' } },
})
const count = Number(values.files)
const seconds = Number(values.seconds)
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
    await quiet(page)
    // Older than the change of the file, so that the next read moves it, however the disk is mounted (relatime).
    for (const path of paths ?? []) utimesSync(path, 1, statSync(path).mtimeMs / 1000)
    const pids = family(app.process().pid)
    const before = { cpu: cpuSeconds(pids), memory: residentBytes(pids), read: bytesRead(pids) }
    const memory = [before.memory]
    const began = performance.now()
    while (performance.now() - began < seconds * 1000) {
      await page.waitForTimeout(Math.min(30_000, seconds * 1000))
      memory.push(residentBytes(family(app.process().pid)))
    }
    const wall = (performance.now() - began) / 1000
    const now = family(app.process().pid)
    return {
      cpuPercent: Number(((100 * (cpuSeconds(now) - before.cpu)) / wall).toFixed(3)),
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

/** Waits until vectors, rungs and cells are made. */
async function quiet(page) {
  for (let still = 0; still < 5; ) {
    await page.waitForTimeout(2_000)
    const status = await page.evaluate(() => window.fovea.call('index.status', {}))
    still = status.ok && status.value.pending === 0 ? still + 1 : 0
  }
}
