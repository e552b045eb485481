import { join } from 'node:path'
import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { writeTranscripts } from '../built/fixtures'
import { enrolFolder, expect, go, test } from './support/app'

/** No rule left out: what axe finds on a screen of ours is a fault of ours. */
async function clean(page: Page, screen: string): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze()
  const found = violations.map(({ id, nodes }) => `${screen}: ${id}: ${nodes[0]?.html.slice(0, 160)}`)
  expect(found).toEqual([])
}

test('axe finds nothing on any screen, light or dark', async ({ desk }) => {
  test.slow()
  writeTranscripts(join(desk.person, 'work'))
  const running = await desk.start()
  const { page } = running
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
    if (theme === 'light') {
      await clean(page, 'welcome')
      await enrolFolder(running, join(desk.person, 'work'))
      await clean(page, 'gates, empty')
      await page.getByRole('button', { name: 'Import history' }).click()
    }
    await expect(page.locator(`html[data-theme="${theme}"]`)).toBeAttached()
    await go(page, '1')
    await expect(page.locator('.artifact')).toBeVisible()
    await clean(page, `gates, ${theme}`)
    await go(page, '2')
    await page
      .getByRole('button', { name: /Make the payment webhook/ })
      .first()
      .click()
    await page
      .getByRole('button', { name: /no new queue/ })
      .first()
      .click()
    await clean(page, `timeline, ${theme}`)
    await go(page, '3')
    await page.getByRole('textbox', { name: 'Goal' }).fill('webhook retry')
    await page.keyboard.press('Enter')
    await expect(page.locator('.fact').first()).toBeVisible()
    await clean(page, `receipts, ${theme}`)
    await go(page, '5')
    await page.getByRole('textbox', { name: 'Goal in Prolog' }).fill('item(Item, goal, _, Project, _)')
    await page.keyboard.press('Enter')
    await expect(page.locator('.query-answers tbody tr').first()).toBeVisible()
    await clean(page, `query, ${theme}`)
    await go(page, '4')
    await page.getByRole('button', { name: 'Health' }).first().click()
    await expect(page.getByText('records read')).toBeVisible()
    await clean(page, `settings, ${theme}`)
    await page.getByRole('button', { name: 'Health' }).first().click()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('webhook')
    await clean(page, `palette, ${theme}`)
    await page.keyboard.press('Escape')
  }
})

test('the keyboard alone reaches every workspace, moves in lists and decides a gate', async ({ desk }) => {
  writeTranscripts(join(desk.person, 'work'))
  const running = await desk.start()
  const { page } = running
  await enrolFolder(running, join(desk.person, 'work'))
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keys' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()

  await page.keyboard.press('2')
  await expect(page.getByRole('button', { name: 'Timeline' })).toHaveAttribute('aria-current', 'page')
  await page.keyboard.press('3')
  await page.keyboard.press('g')
  await page.keyboard.type('webhook retry')
  await page.keyboard.press('Enter')
  await expect(page.locator('.fact.on')).toHaveCount(1)
  const first = await page.locator('.fact.on').getAttribute('data-fact')
  await page.keyboard.press('Escape')
  await page.keyboard.press('j')
  await expect(page.locator('.fact.on')).not.toHaveAttribute('data-fact', first ?? '')

  await page.keyboard.press('Control+k')
  await page.keyboard.type('add a plan')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  const field = page.getByRole('textbox', { name: 'Plan, as Markdown' })
  await field.focus()
  await page.keyboard.type('# A small plan\n\nChange one line and run the tests.')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Add the plan' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByText(/^sealed /)).toBeVisible()
  await page.keyboard.press('a')
  await expect(page.getByRole('heading', { name: 'After reading' })).toBeVisible()
})

test('two frames stand beside each other, and earlier attempts are asked for', async ({ desk }) => {
  writeTranscripts(join(desk.person, 'work'))
  const running = await desk.start()
  const { page } = running
  await enrolFolder(running, join(desk.person, 'work'))
  await go(page, '3')
  for (const goal of ['webhook retry', 'payment queue']) {
    await page.getByRole('textbox', { name: 'Goal' }).fill(goal)
    await page.getByRole('button', { name: 'Render' }).click()
    await expect(page.locator('.fact').first()).toBeVisible()
  }
  await page.getByRole('button', { name: 'Compare with…' }).click()
  await page.getByRole('button', { name: /webhook retry/ }).click()
  await expect(page.locator('.side').first()).toContainText('webhook retry')
  await expect(page.locator('.side').nth(1)).toContainText('payment queue')
  await page.locator('.compare-row').first().click()
  await expect(page.getByRole('heading', { name: 'Why do they differ?' })).toBeVisible()
  await clean(page, 'comparison')
  await page.keyboard.press('Escape')

  await page.getByRole('textbox', { name: 'Goal' }).fill('make the payment webhook retry')
  await page.getByRole('button', { name: 'Last try' }).click()
  await expect(page.locator('.attempt').first()).toContainText(/webhook/i)
  await clean(page, 'earlier attempts')
})
