// How smoothly the receipt explorer reads with --facts facts: the time between two pictures while the list of facts is
// scrolled from end to end, and while one fact after another is chosen by key, in the real app.
// Baselines in the same run: the same window at rest, and the same for a receipt with a tenth of the facts.
// npm run bench -- frame-view [--facts 1000]
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { withDisplay } from '../scripts/lib/display.mjs'
import { fillJournal } from './lib/fill.mjs'
import { launchApp } from './lib/launch.mjs'
import { machine, median, quantile } from './lib/report.mjs'

const { values } = parseArgs({ options: { facts: { type: 'string', default: '1000' } } })
const wanted = Number(values.facts)
const GOAL = 'make the invoice webhook of billing faster and keep the ledger'
const home = mkdtempSync(join(tmpdir(), 'fovea-frame-view-'))

try {
  await fillJournal(home, 20 * wanted)
  console.log(JSON.stringify(await withDisplay(process.env, measure)))
} finally {
  rmSync(home, { recursive: true, force: true })
}

async function measure(env) {
  const app = await launchApp(env, home)
  try {
    const page = await app.firstWindow()
    await page.locator('html[data-phase="ready"]').waitFor()
    const small = await reading(page, wanted / 10)
    const large = await reading(page, wanted)
    return {
      bench: 'frame-view',
      ...machine(),
      unit: 'ms between two pictures',
      rest: summary(await pictures(page, 'rest')),
      small,
      large,
    }
  } finally {
    await app.close()
  }
}

/** Renders a frame with about so many facts, opens its receipt and reads through it. */
async function reading(page, facts) {
  const asked = await page.evaluate(
    ([goal, budget]) => window.fovea.call('hydrate.run', { goal, plane: 'exploration', budget }),
    [GOAL, Math.round(facts * 60)],
  )
  if (!asked.ok) throw new Error(asked.error.message)
  const { id } = asked.value.receipt
  await page.reload()
  await page.locator('html[data-phase="ready"]').waitFor()
  await page.keyboard.press('Control+3')
  await page.locator('.receipt-row').first().click()
  await page.locator('[data-fact]').first().waitFor()
  await page.locator('svg.fovea .dot').first().waitFor()
  const shown = await page.locator('svg.fovea .dot:not(.on)').count()
  if (shown !== asked.value.receipt.facts.length) throw new Error(`another receipt than ${id} was opened`)
  return {
    facts: shown,
    scroll: summary(await pictures(page, 'scroll')),
    step: summary(await pictures(page, 'step')),
  }
}

/**
 * The times between pictures while something goes on: at rest; scrolled by three screens a second, as a person who
 * skims; or 150 facts chosen by key, one with every second picture.
 */
function pictures(page, doing) {
  return page.evaluate(
    (what) =>
      new Promise((resolve) => {
        const list = document.querySelector('.scroll.facts')
        if (what === 'step') {
          document.querySelector('[data-fact]')?.click()
          list.scrollTop = 0
        }
        /** Does its part for one picture; whether another is wanted. */
        const acts = {
          rest: (n) => n < 240,
          scroll: (n) => {
            const before = list.scrollTop
            list.scrollTop += list.clientHeight / 20
            return list.scrollTop > before && n < 1200
          },
          step: (n) => {
            if (n % 2 === 0)
              document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'j', bubbles: true }))
            return n < 300
          },
        }
        const gaps = []
        let last = performance.now()
        const tick = (now) => {
          gaps.push(now - last)
          last = now
          if (acts[what](gaps.length)) requestAnimationFrame(tick)
          else resolve(gaps.slice(1))
        }
        requestAnimationFrame(tick)
      }),
    doing,
  )
}

function summary(gaps) {
  const round = (value) => Math.round(value * 10) / 10
  return {
    pictures: gaps.length,
    p50: round(median(gaps)),
    p95: round(quantile(gaps, 0.95)),
    max: round(quantile(gaps, 1)),
    over32: gaps.filter((gap) => gap > 32).length,
  }
}
