import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { enrolFolder, expect, go, test } from './support/app'

/** So many things said about one webhook, one a minute. */
function writeTalk(folder: string, items: number): void {
  mkdirSync(folder, { recursive: true })
  const line = (n: number) => ({
    id: `r${n}`,
    session: 's1',
    ts: Date.UTC(2026, 0, 5, 9) + n * 60_000,
    role: n % 10 === 0 ? 'user' : 'assistant',
    project: 'shop',
    text: `The retry of the payments webhook in step ${n} waits ${n} seconds and then asks the ledger of part ${n} once more.`,
  })
  const lines = Array.from({ length: items }, (_, n) => JSON.stringify(line(n)))
  writeFileSync(join(folder, 'talk.jsonl'), `${lines.join('\n')}\n`)
}

/** Pixels of the chosen fact that lie outside the list, above or below. */
function hidden(page: Page): Promise<number> {
  return page.locator('.fact.on').evaluate((fact) => {
    const list = fact.closest('.scroll')
    if (!list) throw new Error('the fact stands in no list')
    const [outer, inner] = [list.getBoundingClientRect(), fact.getBoundingClientRect()]
    return Math.max(0, outer.top - inner.top, inner.bottom - outer.bottom)
  })
}

test('a fact chosen by key is wholly in sight, on the way down and on the way up', async ({ desk }) => {
  writeTalk(join(desk.person, 'work'), 80)
  const running = await desk.start()
  const { app, page } = running
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setContentSize(900, 600))
  await enrolFolder(running, join(desk.person, 'work'))
  await go(page, '3')
  await page.getByRole('textbox', { name: 'Goal' }).fill('retry of the payments webhook')
  await page.keyboard.press('Enter')
  await expect(page.locator('.fact.on')).toHaveCount(1)
  await page.keyboard.press('Escape')
  for (const [key, times] of [
    ['j', 12],
    ['k', 12],
  ] as const) {
    for (let n = 0; n < times; n++) {
      await page.keyboard.press(key)
      await expect.poll(() => hidden(page)).toBeLessThan(2)
    }
  }
})
