import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeTranscripts } from '../built/fixtures'
import { enrolFolder, expect, go, test } from './support/app'

test('a source is paused, its health read, and removed with what it brought', async ({ desk }) => {
  const folder = join(desk.person, 'work')
  const files = writeTranscripts(folder)
  appendFileSync(files.csv, 'this line is no JSON\n')
  const running = await desk.start()
  const { page } = running
  await enrolFolder(running, folder)
  await go(page, '4')
  const source = page.locator('.source-row')
  await expect(source.getByText('watching')).toBeVisible()
  await expect(source.getByText('1 record skipped')).toBeVisible()

  await source.getByRole('button', { name: 'Health' }).click()
  const skipped = source.getByRole('row').filter({ hasText: '.jsonl' })
  await expect(skipped).toContainText('3')

  await source.getByRole('button', { name: 'Pause' }).click()
  await expect(source.getByText('paused')).toBeVisible()
  await source.getByRole('button', { name: 'Resume' }).click()
  await expect(source.getByText('watching')).toBeVisible()

  await source.getByRole('button', { name: 'Remove…' }).click()
  await expect(page.getByRole('dialog')).toContainText('Its files are not touched')
  await page.getByRole('button', { name: 'Remove and forget' }).click()
  await expect(page.getByText(/The source is removed and [1-9]\d* items forgotten/)).toBeVisible()
  await expect(source).toHaveCount(0)
  await expect(page.locator('footer')).toContainText('0 items')
  await go(page, '2')
  await expect(page.getByText('Nothing is remembered yet')).toBeVisible()
})
