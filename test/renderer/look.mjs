// Every screen as a picture, over invented data, in a plain Chromium under the app's own CSP:
//   node test/renderer/look.mjs [out folder] [name filter]
// Also runs axe on each screen and prints console errors; exits 1 when there is either.

import { mkdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { extname, join, resolve } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import react from '@vitejs/plugin-react'
import { chromium } from 'playwright'
import { build } from 'vite'
import { shots } from './look-shots.mjs'

const repo = resolve(import.meta.dirname, '../..')
const out = resolve(process.argv[2] ?? join(tmpdir(), 'fovea-look'))
const filter = process.argv[3] ?? ''
const dist = join(out, '.site')
mkdirSync(out, { recursive: true })

await build({
  configFile: false,
  logLevel: 'warn',
  root: join(repo, 'test/renderer/preview'),
  resolve: { alias: { '@shared': join(repo, 'src/shared') } },
  plugins: [react()],
  build: { outDir: dist, emptyOutDir: true, target: 'chrome130', modulePreload: { polyfill: false } },
})

const csp =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'"
const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' }
const server = createServer((request, response) => {
  const path = new URL(request.url ?? '/', 'http://x').pathname
  try {
    const body = readFileSync(join(dist, path === '/' ? 'index.html' : path))
    response.writeHead(200, {
      'content-type': types[extname(path)] ?? 'text/html',
      'content-security-policy': csp,
    })
    response.end(body)
  } catch {
    response.writeHead(404).end()
  }
}).listen(0)
const origin = `http://127.0.0.1:${server.address().port}`

const chosen = shots.filter((shot) => shot.name.includes(filter))
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
})
let problems = 0
const complain = (text) => {
  problems += 1
  console.error(text)
}
for (const theme of ['light', 'dark']) {
  for (const [width, height] of [
    [1280, 800],
    [900, 600],
  ]) {
    const context = await browser.newContext({
      viewport: { width, height },
      colorScheme: theme,
      reducedMotion: 'reduce',
    })
    for (const shot of chosen) {
      const page = await context.newPage()
      page.setDefaultTimeout(20_000)
      const name = `${shot.name}-${theme}-${width}`
      page.on(
        'console',
        (message) => message.type() === 'error' && complain(`${name}: console: ${message.text()}`),
      )
      page.on('pageerror', (error) => complain(`${name}: ${error.message}`))
      await page.clock.setFixedTime(new Date(2026, 10, 26, 16, 20))
      await page.goto(`${origin}/?scenario=${shot.scenario ?? 'full'}`)
      await page.locator('nav').waitFor()
      if (shot.scenario !== 'first-run')
        await page.waitForFunction(
          () =>
            !document.body.textContent.includes('Opening your memory') || location.search.includes('loading'),
        )
      try {
        await shot.steps(page)
      } catch (error) {
        complain(`${name}: ${error.message.split('\n')[0]}`)
      }
      await page.waitForTimeout(150)
      await page.screenshot({ path: join(out, `${name}.png`) })
      const { violations } = await new AxeBuilder({ page }).analyze()
      for (const violation of violations) {
        for (const node of violation.nodes.slice(0, 3))
          complain(
            `${name}: axe ${violation.id}: ${node.html.slice(0, 140)} | ${(node.any[0] ?? node.all[0] ?? node.none[0])?.message ?? ''}`,
          )
      }
      await page.close()
    }
    await context.close()
  }
}
await browser.close()
server.close()
console.log(`${shots.length * 4} pictures in ${out}, ${problems} problems`)
process.exit(problems > 0 ? 1 : 0)
