// npm run screenshots: the three workspaces and the settings, light and dark, over the bundled sample, as pictures
// in docs/screenshots. The data folder is a fresh one and is removed afterwards.
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { _electron } from 'playwright'
import { withDisplay } from './lib/display.mjs'
import { electronLaunch } from './lib/electron-launch.mjs'
import { projectRoot } from './lib/paths.mjs'
import { say } from './lib/say.mjs'
import { runMain } from './lib/step-error.mjs'

const out = join(projectRoot, 'docs/screenshots')
const size = { width: 1280, height: 800 }
const goal = 'two invoices when the payment webhook is delivered twice'

const intent = 'The ledger is the only source of invoice truth by the end of the quarter.'

const draft = `# Move invoices to the new ledger table

## Goal

Invoices are read from \`ledger_entries\` within one release, without downtime.

## Steps

1. Create \`ledger_entries\` with the columns of the invoice view.
2. Copy all rows in one transaction.
3. Point the reader at the new table and remove the old view.

## Risks

Long locks on \`invoices\` while the copy runs.
`
const revised = draft
  .replace('Copy all rows in one transaction.', 'Copy rows in batches of 5,000, resumable by id.')
  .replace('and remove the old view.', 'behind a switch; the old view stays for one release.')
  .concat(
    '\n## Tests\n\n- Run the invoice suite against both tables.\n- Compare the totals of every month.\n',
  )

/** How each picture is arranged, in the order they are taken. */
const screens = {
  'gate-review': async (page) => {
    await page.keyboard.press('Control+1')
    await page
      .getByRole('button', { name: /Move invoices to the new ledger table/ })
      .first()
      .click()
    await page.getByText(/^sealed /).waitFor()
  },
  'gate-decided': async (page) => {
    await page
      .getByRole('button', { name: /Move invoices to the new ledger table.*corrected/s })
      .first()
      .click()
    await page.getByText('Before reading').waitFor()
  },
  timeline: async (page) => {
    await page.keyboard.press('Control+2')
    const arc = page.locator('.arc').filter({ hasText: 'payment webhook' }).first()
    await arc.waitFor()
    if ((await arc.getAttribute('aria-expanded')) === 'false') await arc.click()
    const decision = page
      .locator('.item')
      .filter({ hasText: /decision/ })
      .first()
    await decision.click()
    await arc.scrollIntoViewIfNeeded()
    await page.getByText('Where it lies').waitFor()
  },
  receipts: async (page) => {
    await page.keyboard.press('Control+3')
    await page.getByRole('textbox', { name: 'Goal' }).fill(goal)
    await page.getByRole('spinbutton', { name: 'Budget in tokens' }).fill('500')
    await page.getByRole('button', { name: 'Render', exact: true }).click()
    await page.getByText('How it was found').waitFor()
    await page.locator('.fact').first().click()
  },
  settings: async (page) => {
    await page.keyboard.press('Control+4')
    await page.getByRole('button', { name: 'Health' }).first().waitFor()
    await page.getByText('Data folder').waitFor()
  },
}

await runMain(async () => {
  mkdirSync(out, { recursive: true })
  const folder = mkdtempSync(join(tmpdir(), 'fovea-screenshots-'))
  try {
    await withDisplay(process.env, (env) => take(folder, env))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return 0
})

async function take(folder, env) {
  // The sample as an agent would have left it: the app proposes the folder, and paths begin with a tilde.
  cpSync(join(projectRoot, 'resources/sample'), join(folder, '.claude/projects'), {
    recursive: true,
  })
  const launch = electronLaunch({ env })
  const app = await _electron.launch({
    ...launch,
    args: [...launch.args, '--disable-gpu', '--force-device-scale-factor=1'],
    // A home of its own: no folder of the person's agents gets into a picture.
    env: {
      ...launch.env,
      HOME: folder,
      USERPROFILE: folder,
      FOVEA_HOME: join(folder, 'data'),
      FOVEA_CONFIG: join(folder, 'config'),
    },
  })
  try {
    const page = await app.firstWindow()
    await app.evaluate(({ BrowserWindow }, { width, height }) => {
      BrowserWindow.getAllWindows()[0]?.setContentSize(width, height)
    }, size)
    await prepare(page)
    for (const theme of ['light', 'dark']) {
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
      await page.locator(`html[data-theme="${theme}"]`).waitFor()
      for (const [name, arrange] of Object.entries(screens)) {
        await arrange(page)
        const file = `${name}-${theme}.png`
        await page.screenshot({ path: join(out, file) })
        say('screenshots', file)
      }
    }
  } finally {
    await app.close()
  }
}

/** The sample read and embedded, its gates imported, and a plan in its second round. */
async function prepare(page) {
  await page.locator('html[data-phase="welcome"]').waitFor()
  await page.getByRole('button', { name: /^Enrol/ }).click()
  await page.getByText(/[1-9]\d* items? remembered/).waitFor()
  await page.getByRole('button', { name: 'Open the memory' }).click()
  await ask(page, 'gates.import', {})
  const first = await ask(page, 'gates.add', {
    text: draft,
    origin: 'app',
    taskType: 'migration',
    project: 'harbor-invoices',
    upstream: [{ name: 'intent', text: intent }],
  })
  await ask(page, 'gates.predict', { id: first.id })
  await ask(page, 'gates.decide', {
    id: first.id,
    action: 'correct',
    notes: 'What happens to readers while both exist? I want a switch we can flip back.',
    via: 'app',
  })
  await ask(page, 'gates.add', {
    text: revised,
    origin: 'app',
    taskType: 'migration',
    project: 'harbor-invoices',
    upstream: [{ name: 'intent', text: intent }],
    lineage: first.lineage,
  })
  while ((await ask(page, 'index.status', {})).pending > 0) await page.waitForTimeout(200)
  await page.reload()
  await page.locator('html[data-phase="ready"]').waitFor()
}

async function ask(page, name, input) {
  const answer = await page.evaluate(([call, value]) => window.fovea.call(call, value), [name, input])
  if (!answer.ok) throw new Error(`${name}: ${answer.error.message}`)
  return answer.value
}
