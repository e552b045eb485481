import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { checkIntegrity } from '../../../../src/main/store'
import { ollamaDouble } from '../../../doubles/ollama'
import { faithful, say, textsOf } from '../../../doubles/summariser'
import { temporaryDb } from '../../../support'
import { choose, conclusion, curateAll } from '../../curator/model-support'

const child = join(import.meta.dirname, 'model-child.mjs')
const KILLS = Number(process.env.FOVEA_KILLS ?? 2)

/** Runs until `calls` calls are kept and, if so wished, the next one is under way; then kills. True: it came to its end. */
async function runFor(
  dbPath: string,
  host: string,
  kill: { after: number; within: (() => Promise<void>) | null },
): Promise<boolean> {
  const running = spawn(process.execPath, [child, dbPath, host], { stdio: ['ignore', 'pipe', 'inherit'] })
  let kept = 0
  for await (const line of createInterface({ input: running.stdout })) {
    if (line === 'IDLE') return true
    if (line !== 'KEPT') continue
    kept += 1
    if (kept < kill.after) continue
    await kill.within?.()
    running.kill('SIGKILL')
  }
  return false
}

test(`killed ${KILLS} times, no answer that was kept is paid for again`, async () => {
  const answers = { hold: false }
  const server = await ollamaDouble({
    answer: (request) =>
      answers.hold ? { say: '{"summaries":', after: 'hang' } : { say: say(faithful(request)) },
    slowness: 20,
  })
  onTestFinished(() => server.close())
  const db = temporaryDb()
  choose(db, { curator: 'local:1b', dailyTokens: 100_000_000 })
  const items = (KILLS + 2) * 16
  for (let n = 0; n < items; n++) conclusion(db, `pool${n}`)
  curateAll(db)

  for (let n = 0; n < KILLS; n++) {
    // Every second time in the middle of an answer, else right after one was kept.
    const within =
      n % 2 === 0
        ? null
        : async () => {
            answers.hold = true
            const before = server.asked.length
            await expect.poll(() => server.asked.length > before, { timeout: 10_000 }).toBe(true)
          }
    expect(await runFor(db.path, server.host, { after: 1, within })).toBe(false)
    answers.hold = false
  }
  expect(await runFor(db.path, server.host, { after: Number.POSITIVE_INFINITY, within: null })).toBe(true)

  const seen = new Set(server.answered.flatMap(textsOf).map(({ text }) => text))
  expect(seen.size).toBe(items)
  const count = (sql: string): number => db.get<{ n: number }>(sql)?.n ?? -1
  expect(count(`SELECT count(*) AS n FROM rungs WHERE level = 'L1' AND method = 'model'`)).toBe(items)
  // Each subject stands in one call that was answered and kept; what was cut off was asked again, and only that.
  expect(count(`SELECT sum(subjects) AS n FROM model_calls WHERE outcome = 'answered'`)).toBe(items)
  expect(count(`SELECT count(*) AS n FROM model_calls WHERE outcome = 'interrupted'`)).toBeLessThanOrEqual(
    KILLS,
  )
  expect(count('SELECT count(*) AS n FROM model_queue')).toBe(0)
  expect(count(`SELECT count(*) AS n FROM model_calls WHERE outcome = 'open'`)).toBe(0)
  expect(checkIntegrity(db, 'full')).toEqual({ ok: true, problems: [] })
}, 600_000)
