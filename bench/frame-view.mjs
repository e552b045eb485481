// How smoothly the receipt explorer reads with --facts facts, in the real app: while the list of facts is scrolled by
// three screens a second, and while one fact after another is chosen by key. For each the time between two pictures, and
// the processor time each picture took: of the page's own thread, of raster, of putting the picture together. On a machine
// that does other things as well only the second says something of the app.
// Baselines in the same run: the window at rest; bare divs with the same texts in a scroller of the same size and place,
// which is what this machine needs for drawing alone; and all of it for a receipt with a tenth of the facts.
// npm run bench -- frame-view [--facts 1000]
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { withDisplay } from '../scripts/lib/display.mjs'
import { fillJournal } from './lib/fill.mjs'
import { launchApp } from './lib/launch.mjs'
import { drawingThreads, drawnBetween } from './lib/processes.mjs'
import { machine, median, quantile } from './lib/report.mjs'

const { values } = parseArgs({ options: { facts: { type: 'string', default: '1000' } } })
const wanted = Number(values.facts)
const GOAL = 'make the invoice webhook of billing faster and keep the ledger'
const LIST = '.scroll.facts'
const BARE = 'bare-list'
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
    const open = { page, pid: app.process().pid }
    const small = await reading(open, wanted / 10)
    const large = await reading(open, wanted)
    if (large.facts < wanted) throw new Error(`only ${large.facts} facts came into the frame`)
    return {
      bench: 'frame-view',
      ...machine(),
      units: {
        gap: 'ms between two pictures',
        cpu: 'ms of processor time a picture, of each kind of thread',
        ended: 'drawing threads that ended meanwhile, whose share is missing from cpu',
      },
      rest: await pictures(open, 'rest', LIST),
      small,
      large,
    }
  } finally {
    await app.close()
  }
}

/** Renders a frame with about so many facts, opens its receipt and reads through it, then through the same bare. */
async function reading(open, facts) {
  const { page } = open
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
  const scroll = await pictures(open, 'scroll', LIST)
  const step = await pictures(open, 'step', LIST)
  await showBare(page, asked.value.receipt.facts)
  const bare = await pictures(open, 'scroll', `#${BARE}`)
  return { facts: shown, scroll, step, bare }
}

/** The texts of the facts alone, where the list was; the app's own elements are out of the way. */
function showBare(page, facts) {
  return page.evaluate(
    ([list, id, texts]) => {
      const { left, top, width, height } = document.querySelector(list).getBoundingClientRect()
      const bare = document.createElement('div')
      bare.id = id
      Object.assign(bare.style, {
        position: 'fixed',
        left: `${left}px`,
        top: `${top}px`,
        width: `${width}px`,
        height: `${height}px`,
        overflow: 'auto',
      })
      for (const text of texts) bare.appendChild(document.createElement('div')).textContent = text
      document.getElementById('root').style.display = 'none'
      document.body.append(bare)
    },
    [LIST, BARE, facts.map((fact) => fact.text)],
  )
}

/**
 * What the pictures cost while something goes on: at rest; scrolled by three screens a second, as a person who skims;
 * or 150 facts chosen by key, one with every second picture.
 */
async function pictures({ page, pid }, doing, list) {
  const before = drawingThreads(pid)
  const gaps = await page.evaluate(watchPictures, [doing, list])
  const { spent, ended } = drawnBetween(before, drawingThreads(pid))
  const cpu = Object.entries(spent).map(([part, seconds]) => [part, round((1000 * seconds) / gaps.length)])
  return { ...summary(gaps), cpu: Object.fromEntries(cpu), ended }
}

/** Runs in the page: does its part for each picture, and returns the times between them. */
function watchPictures([doing, selector]) {
  return new Promise((resolve) => {
    const list = document.querySelector(selector)
    if (doing === 'step') {
      document.querySelector('[data-fact]')?.click()
      list.scrollTop = 0
    }
    /** Does its part for one picture; whether another is wanted. */
    const acts = {
      rest: (n) => n < 240,
      scroll: (n) => {
        const before = list.scrollTop
        list.scrollTop += list.clientHeight / 20
        return list.scrollTop > before && n < 600
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
      if (acts[doing](gaps.length)) requestAnimationFrame(tick)
      else resolve(gaps.slice(1))
    }
    requestAnimationFrame(tick)
  })
}

function round(value) {
  return Math.round(value * 10) / 10
}

function summary(gaps) {
  return {
    pictures: gaps.length,
    p50: round(median(gaps)),
    p95: round(quantile(gaps, 0.95)),
    max: round(quantile(gaps, 1)),
    over32: gaps.filter((gap) => gap > 32).length,
  }
}
