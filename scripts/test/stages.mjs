import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { withDisplay } from '../lib/display.mjs'
import { readRuntime } from '../lib/electron-launch.mjs'
import { readJson } from '../lib/files.mjs'
import { inForeground } from '../lib/foreground.mjs'
import { insideEnv } from '../lib/npm.mjs'
import { paths } from '../lib/paths.mjs'
import { say } from '../lib/say.mjs'
import { describe } from '../lib/step-error.mjs'
import { prepareBuild } from '../setup/build.mjs'
import { countPlaywright, countVitest, oneCheck } from './counts.mjs'

/** @typedef {() => Promise<import('./counts.mjs').Counts>} Stage */

/** In the order they run. @type {Record<string, Stage>} */
export const stages = {
  build: () => check(() => prepareBuild({ paths })),
  types: () => tool('typescript/bin/tsc', ['--noEmit']),
  lint: () => tool('@biomejs/biome/bin/biome', ['check', '.']),
  arrows: () => script(join(paths.root, 'scripts/check-arrows.mjs')),
  unit,
  e2e,
}

async function unit() {
  const report = join(paths.runtime, 'test-results/unit.json')
  const args = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  rmSync(report, { force: true })
  const code = await node([join(paths.nodeModules, 'vitest/vitest.mjs'), ...args])
  return countVitest(readJson(report), code === 0)
}

async function e2e() {
  const report = join(paths.runtime, 'test-results/e2e.json')
  rmSync(report, { force: true })
  const ok = await check(async () => {
    readRuntime()
    // Without its configuration Playwright would take every file of tests for its own.
    if (!existsSync(join(paths.root, 'playwright.config.ts')))
      throw new Error('playwright.config.ts is missing')
    const args = [join(paths.nodeModules, '@playwright/test/cli.js'), 'test', '--reporter=list,json']
    const code = await withDisplay(
      { ...insideEnv(), PLAYWRIGHT_JSON_OUTPUT_NAME: report },
      (env) => node(args, env),
      {
        onVirtual: () => say('e2e', 'there is no display here; the app is driven on a virtual one'),
      },
    )
    if (code !== 0) throw new Error(`Playwright ended with ${code}`)
  })
  return countPlaywright(readJson(report), ok.failed === 0)
}

/** @param {() => Promise<unknown>} work */
export async function check(work) {
  try {
    await work()
    return oneCheck(true)
  } catch (error) {
    console.error(describe(error))
    if (process.env.FOVEA_DEBUG) console.error(error)
    return oneCheck(false)
  }
}

const tool = (file, args) => script(join(paths.nodeModules, file), args)
const script = async (file, args = []) => oneCheck((await node([file, ...args])) === 0)

/** Node 24 from node_modules, whatever Node started this. */
function node(args, env = insideEnv()) {
  return inForeground(paths.node, args, { cwd: paths.root, env })
}
