import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { answers, chainOf, says, writeTranscripts } from '../built/fixtures'
import { answerSaveDialog, expect, go, test } from './support/app'

const plan = `# Keep the ledger in step

## Steps

1. Copy invoices into the ledger in batches.
2. Remove the old view.

## Tests

Run the invoice suite.
`

test('from the first start to everything still there after a restart', async ({ desk }) => {
  const files = writeTranscripts(join(desk.person, '.claude'))
  const first = await desk.start()
  const { page, app } = first

  await test.step('the welcome proposes the folder it found and has read nothing', async () => {
    await expect(page.getByRole('heading', { name: 'What should Fovea remember?' })).toBeVisible()
    await expect(page.getByText('Claude Code')).toBeVisible()
    await expect(page.getByText('2 files')).toBeVisible()
    await expect(page.getByText('0 items')).toBeVisible()
  })

  await test.step('enrolling it brings its items', async () => {
    await page.getByRole('button', { name: /^Enrol/ }).click()
    await expect(page.getByText(/[1-9]\d* items remembered/)).toBeVisible()
    await page.getByRole('button', { name: 'Open the memory' }).click()
    await go(page, '2')
    await page.getByRole('button', { name: /Make the payment webhook retry safely/ }).click()
    const decision = page.getByRole('button', { name: /no new queue, use what we have/ })
    await decision.click()
    await expect(page.getByText('source unchanged')).toBeVisible()
    await expect(page.getByText(/line \d+ · byte/)).toBeVisible()
  })

  await test.step('a secret in a transcript is not on screen', async () => {
    await page.getByRole('button', { name: /CSV export of invoices/ }).click()
    await expect(page.getByText(/\[secret:/).first()).toBeVisible()
    expect(await page.content()).not.toContain('ghp_abcdefghijklmnopqrstuvwxyz0123456789')
  })

  await test.step('what is appended to a watched file appears', async () => {
    const chain = chainOf('22222222-2222-4222-8222-222222222222', 400)
    appendFileSync(files.csv, `${says(chain, 'Round the totals half to even everywhere')}\n`)
    await expect(page.getByRole('button', { name: /Round the totals half to even/ }).first()).toBeVisible()
    appendFileSync(files.csv, `${answers(chain, 'Totals are rounded half to even in table and PDF.')}\n`)
    await page
      .getByRole('button', { name: /Round the totals half to even/ })
      .first()
      .click()
    await expect(page.getByText('Totals are rounded half to even in table and PDF.').first()).toBeVisible()
  })

  await test.step('searching finds it', async () => {
    await page.keyboard.press('Control+k')
    await page.keyboard.type('idempotency key webhook')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: /[1-9]\d* hits?/ })).toBeVisible()
  })

  await test.step('a frame is rendered within its budget, and its receipt can be opened', async () => {
    await go(page, '3')
    await page.getByRole('textbox', { name: 'Goal' }).fill('retry of the payment webhook')
    await page.getByRole('spinbutton', { name: 'Budget in tokens' }).fill('600')
    await page.getByRole('button', { name: 'Render', exact: true }).click()
    await expect(page.getByRole('heading', { name: 'Why is this here?' })).toBeVisible()
    await expect(page.locator('.fact').first()).toBeVisible()
    await expect(page.getByText(/[\d,]+ \/ 600 tokens/)).toBeVisible()
    await page.getByRole('button', { name: /All receipts/ }).click()
    await page
      .getByRole('button', { name: /retry of the payment webhook/ })
      .first()
      .click()
    await expect(page.getByRole('heading', { name: 'How it was found' })).toBeVisible()
    await page.getByRole('button', { name: 'Replay today' }).click()
    await expect(page.getByText('The same frame: nothing came, nothing went.')).toBeVisible()
  })

  await test.step('history brings the gates of the transcripts with their true decisions', async () => {
    await go(page, '1')
    await page.getByRole('button', { name: 'Import history' }).first().click()
    await expect(page.getByText('2 gates found, 2 new: 1 approved, 1 corrected')).toBeVisible()
  })

  await test.step('a plan is reviewed: sealed before, revealed after', async () => {
    await page.getByRole('button', { name: 'Add a plan' }).click()
    await page.getByRole('textbox', { name: 'Plan, as Markdown' }).fill(plan)
    await page.getByRole('button', { name: 'Add the plan' }).click()
    await expect(page.getByRole('heading', { name: 'Keep the ledger in step' }).first()).toBeVisible()
    await expect(page.getByText(/^sealed /)).toBeVisible()
    await expect(page.getByText('Before reading')).toBeHidden()
    await page.locator('.decide').getByRole('button', { name: 'Correct' }).click()
    await expect(page.getByRole('alert').getByText('Say what is wrong')).toBeVisible()
    await expect(page.getByRole('textbox', { name: /Notes/ })).toBeFocused()
    await page.keyboard.type('Keep the old view for one release.')
    await page.getByRole('button', { name: 'Send correction' }).click()
    await expect(page.getByRole('heading', { name: 'Before reading' })).toBeVisible()
    await expect(page.getByRole('heading', { name: 'After reading' })).toBeVisible()
    await expect(page.locator('.decide').getByText('Keep the old view for one release.')).toBeVisible()
  })

  await test.step('memory is exported under its ceiling', async () => {
    const out = join(desk.home, '..', 'bundle.json')
    await answerSaveDialog(app, out)
    await go(page, '4')
    await page.getByRole('button', { name: 'Export…' }).click()
    await expect(page.getByText(/items written at L2 to/)).toBeVisible()
    expect(existsSync(out)).toBe(true)
    expect(readFileSync(out, 'utf8')).not.toContain('"L0"')
    await page.getByRole('radio', { name: 'dark' }).click()
  })

  await first.close()
  await test.step('after a restart everything is still there', async () => {
    const second = await desk.start()
    const { page: again } = second
    await expect(again.locator('html[data-theme="dark"][data-phase="ready"]')).toBeAttached()
    await expect(again.getByText('Decided')).toBeVisible()
    await again.getByRole('button', { name: /Keep the ledger in step/ }).click()
    await expect(again.getByRole('heading', { name: 'Before reading' })).toBeVisible()
    await go(again, '2')
    await expect(
      again.getByRole('button', { name: /Make the payment webhook retry safely/ }).first(),
    ).toBeVisible()
    await go(again, '3')
    await again
      .getByRole('button', { name: /retry of the payment webhook/ })
      .first()
      .click()
    await expect(again.locator('.fact').first()).toBeVisible()
    await second.close()
  })
})

test('the bundled sample is there to look around', async ({ desk }) => {
  const { page } = await desk.start()
  await page.getByRole('button', { name: 'Use the bundled sample' }).click()
  await expect(page.getByText(/[1-9]\d* items remembered/)).toBeVisible()
  await page.getByRole('button', { name: 'Open the memory' }).click()
  await page.getByRole('button', { name: 'Import history' }).click()
  await expect(page.getByText(/[1-9]\d* gates found/)).toBeVisible()
})

test('a draft of notes survives a crash of the app', async ({ desk }) => {
  const first = await desk.start()
  await first.page.getByRole('button', { name: 'Go on without a source' }).click()
  await first.page.getByRole('button', { name: 'Add a plan…' }).click()
  await first.page.getByRole('textbox', { name: 'Plan, as Markdown' }).fill(plan)
  await first.page.getByRole('button', { name: 'Add the plan' }).click()
  await first.page.getByRole('textbox', { name: /Notes/ }).fill('What happens to readers?')
  await expect
    .poll(() => first.page.evaluate(async () => JSON.stringify(await window.fovea.call('gates.list', {}))))
    .toContain('gat_')
  await expect
    .poll(async () =>
      first.page.evaluate(async () => {
        const list = (await window.fovea.call('gates.list', {})) as { value: { gates: { id: string }[] } }
        return JSON.stringify(await window.fovea.call('gates.show', { id: list.value.gates[0]?.id }))
      }),
    )
    .toContain('"draft":"What happens to readers?"')
  first.app.process().kill('SIGKILL')
  await first.app.waitForEvent('close').catch(() => undefined)

  const second = await desk.start()
  await second.page.getByRole('button', { name: 'Go on without a source' }).click()
  await second.page.getByRole('button', { name: /Keep the ledger in step/ }).click()
  await expect(second.page.getByRole('textbox', { name: /Notes/ })).toHaveValue('What happens to readers?')
})
