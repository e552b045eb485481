// The screens that look.mjs takes pictures of, and how each is arranged. scenario: which invented data it stands on.

const go = (n) => async (page) => page.keyboard.press(String(n))
export const shots = [
  { name: 'gates', steps: go(1) },
  {
    name: 'gates-source',
    steps: async (page) => {
      await go(1)(page)
      await page.getByRole('radio', { name: 'source' }).click()
    },
  },
  {
    name: 'gates-diff',
    steps: async (page) => {
      await go(1)(page)
      await page.getByRole('radio', { name: /^diff/ }).click()
    },
  },
  {
    name: 'gates-decided',
    steps: async (page) => {
      await go(1)(page)
      await page.getByRole('textbox', { name: /Notes/ }).fill('Keep the old view for one release.')
      await page.getByRole('button', { name: 'Send correction' }).click()
      await page.getByText('Before reading').waitFor()
    },
  },
  {
    name: 'gates-wordless',
    steps: async (page) => {
      await go(1)(page)
      await page.locator('.decide').getByRole('button', { name: 'Correct' }).click()
      await page.getByText('Say what is wrong').waitFor()
      await page.getByText('and drop the archive').scrollIntoViewIfNeeded()
    },
  },
  {
    name: 'gates-add',
    steps: async (page) => {
      await go(1)(page)
      await page.getByRole('button', { name: 'Add a plan' }).click()
    },
  },
  {
    name: 'timeline',
    steps: async (page) => {
      await go(2)(page)
      await page
        .getByRole('button', { name: /Make the payment webhook/ })
        .first()
        .click()
      await page.getByText('Corrected:').first().click()
    },
  },
  {
    name: 'timeline-by-rules',
    steps: async (page) => {
      await go(2)(page)
      await page
        .getByRole('button', { name: /Make the payment webhook/ })
        .first()
        .click()
      await page
        .getByText(/Corrected: /)
        .first()
        .click()
      await page.getByRole('radio', { name: 'L1' }).click()
      await page.getByText(/^By rules, not by/).waitFor()
    },
  },
  {
    name: 'timeline-search',
    steps: async (page) => {
      await go(2)(page)
      await page.getByRole('textbox', { name: 'Search memory' }).fill('retry policy')
      await page.keyboard.press('Enter')
      await page.getByText(/hits$/).waitFor()
    },
  },
  { name: 'receipts-list', steps: go(3) },
  {
    name: 'receipts',
    steps: async (page) => {
      await go(3)(page)
      await page.getByRole('textbox', { name: 'Goal' }).fill('the retry decision from the payments work')
      await page.getByRole('button', { name: 'Render' }).click()
      await page.getByText('Why is this here?').waitFor()
      await page.getByRole('button', { name: 'Replay today' }).click()
    },
  },
  {
    name: 'receipts-choose',
    steps: async (page) => {
      await go(3)(page)
      await page.locator('.receipt-row').first().click()
      await page.getByRole('button', { name: 'Compare with…' }).click()
      await page.getByText('choose a receipt below').waitFor()
    },
  },
  {
    name: 'receipts-compare',
    steps: async (page) => {
      await go(3)(page)
      await page.locator('.receipt-row').first().click()
      await page.getByRole('button', { name: 'Compare with…' }).click()
      await page.locator('.receipt-row').first().click()
      await page.locator('.compare-row').first().click()
      await page.getByText('Why do they differ?').waitFor()
    },
  },
  {
    name: 'receipts-last-try',
    steps: async (page) => {
      await go(3)(page)
      await page.getByRole('textbox', { name: 'Goal' }).fill('retry the payment webhook')
      await page.getByRole('button', { name: 'Last try' }).click()
      await page.locator('.attempt').first().waitFor()
    },
  },
  {
    name: 'receipts-attention',
    steps: async (page) => {
      await go(3)(page)
      await page.getByRole('button', { name: /May the payment webhook/ }).click()
      await page.getByRole('button', { name: 'Another session edits webhooks/keys.ts' }).click()
      await page.getByText('Why not this?').waitFor()
    },
  },
  {
    name: 'receipts-prompts',
    steps: async (page) => {
      await go(3)(page)
      await page.getByRole('radio', { name: 'prompts to the model' }).click()
    },
  },
  {
    name: 'receipts-prompt-trace',
    steps: async (page) => {
      await go(3)(page)
      await page.getByRole('radio', { name: 'prompts to the model' }).click()
      await page
        .getByRole('button', { name: /Summaries of 3 texts/ })
        .first()
        .click()
      await page.getByRole('button', { name: /^session:/ }).click()
    },
  },
  {
    name: 'receipts-traces',
    steps: async (page) => {
      await go(3)(page)
      await page.getByRole('button', { name: /Make the webhook retry idempotent/ }).click()
      await page.getByRole('button', { name: 'Compare with…' }).click()
      await page.getByRole('button', { name: /Now run the tests again/ }).click()
      await page.getByRole('button', { name: /Another session edits webhooks/ }).click()
      await page.getByText('Why here and not there?').waitFor()
    },
  },
  {
    name: 'settings-attention',
    steps: async (page) => {
      await go(4)(page)
      await page.getByRole('heading', { name: 'Attention' }).scrollIntoViewIfNeeded()
    },
  },
  ...['full', 'model-none', 'model-paused', 'model-budget', 'model-failing'].map((scenario) => ({
    name: `settings-model-${scenario.replace('model-', '')}`,
    scenario,
    steps: async (page) => {
      await go(4)(page)
      await page.getByRole('heading', { name: 'Language model' }).scrollIntoViewIfNeeded()
      await page.getByRole('heading', { name: 'Language model' }).evaluate((node) => node.scrollIntoView())
      await page.getByLabel('Summaries by').waitFor()
    },
  })),
  {
    name: 'settings-model-wrong',
    steps: async (page) => {
      await go(4)(page)
      await page.getByLabel(/^Budget for a day/).fill('lots')
      await page.getByText(/^A whole number/).waitFor()
    },
  },
  {
    name: 'query',
    steps: async (page) => {
      await go(5)(page)
      await page.getByRole('button', { name: 'By meaning, inside a rule' }).click()
      await page.getByText('24 answers').waitFor()
    },
  },
  {
    name: 'query-running',
    steps: async (page) => {
      await go(5)(page)
      await page.getByRole('button', { name: 'By meaning, inside a rule' }).click()
      await page.getByText('24 answers').waitFor()
      await page.getByRole('textbox', { name: 'Goal in Prolog' }).fill('forever(X)')
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: 'Stop' }).waitFor()
    },
  },
  {
    name: 'query-none',
    steps: async (page) => {
      await go(5)(page)
      await page.getByRole('textbox', { name: 'Goal in Prolog' }).fill('nothing(X)')
      await page.keyboard.press('Enter')
      await page.getByText('No answer').waitFor()
    },
  },
  {
    name: 'query-failing',
    scenario: 'failing',
    steps: async (page) => {
      await go(5)(page)
      await page.getByRole('button', { name: 'What failed most often' }).click()
      await page.getByRole('alert').waitFor()
    },
  },
  { name: 'query-empty', steps: go(5) },
  {
    name: 'settings',
    steps: async (page) => {
      await go(4)(page)
      await page.getByRole('button', { name: 'Health' }).first().click()
      await page.getByText('Skipped records').first().waitFor()
    },
  },
  {
    name: 'settings-attention',
    steps: async (page) => {
      await go(4)(page)
      await page.getByRole('heading', { name: 'Attention' }).scrollIntoViewIfNeeded()
    },
  },
  {
    name: 'settings-hooks',
    steps: async (page) => {
      await go(4)(page)
      await page.getByRole('button', { name: 'Install', exact: true }).click()
      await page.getByRole('button', { name: 'Choose a folder…' }).click()
      await page.getByText('another copy of Fovea').waitFor()
      await page.getByLabel('Only when asked').scrollIntoViewIfNeeded()
    },
  },
  {
    name: 'settings-retention',
    steps: async (page) => {
      await go(4)(page)
      await page.getByText('What is due goes once a day').waitFor()
      await page.getByRole('button', { name: 'Let go now' }).scrollIntoViewIfNeeded()
    },
  },
  {
    name: 'settings-projects',
    steps: async (page) => {
      await go(4)(page)
      const projects = page
        .locator('section', { has: page.getByRole('heading', { name: 'Projects' }) })
        .last()
      await projects.getByLabel('Old name').selectOption({ index: 1 })
      await projects.getByLabel('Merged names').scrollIntoViewIfNeeded()
    },
  },
  {
    name: 'settings-export',
    steps: async (page) => {
      await go(4)(page)
      await page.getByRole('button', { name: 'Export…' }).click()
      await page.locator('.done').scrollIntoViewIfNeeded()
    },
  },
  {
    name: 'palette',
    steps: async (page) => {
      await page.keyboard.press('Control+k')
      await page.keyboard.type('retry')
    },
  },
  {
    name: 'palette-long',
    steps: async (page) => {
      await page.keyboard.press('Control+k')
      await page.keyboard.type('https://example.org/' + 'a-very-long-word-without-a-space'.repeat(5))
    },
  },
  { name: 'keys', steps: async (page) => page.keyboard.press('?') },
  { name: 'first-run', scenario: 'first-run', steps: async () => {} },
  {
    name: 'first-run-reading',
    scenario: 'first-run',
    steps: async (page) =>
      page
        .getByRole('button', { name: /^Enrol/ })
        .first()
        .click(),
  },
  ...['empty', 'failing', 'loading'].flatMap((scenario) => [
    { name: `gates-${scenario}`, scenario, steps: go(1) },
    { name: `timeline-${scenario}`, scenario, steps: go(2) },
    { name: `receipts-${scenario}`, scenario, steps: go(3) },
    { name: `settings-${scenario}`, scenario, steps: go(4) },
  ]),
]
