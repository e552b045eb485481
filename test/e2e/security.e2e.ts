import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { callNames } from '@shared/channels'
import { chainOf, says, writeTranscripts } from '../built/fixtures'
import { enrolFolder, expect, go, test } from './support/app'

test('a page has no Node, no Electron, and only the two functions of the bridge', async ({ desk }) => {
  const { page } = await desk.start()
  const seen = await page.evaluate(() => ({
    globals: ['require', 'process', 'module', 'Buffer', 'global', 'electron', '__dirname'].filter(
      (name) => name in window,
    ),
    bridge: Object.keys(window.fovea).sort(),
    frozen: (() => {
      try {
        Object.assign(window.fovea, { call: () => 'mine' })
      } catch {}
      return String(window.fovea.call).includes('mine')
    })(),
  }))
  expect(seen).toEqual({ globals: [], bridge: ['call', 'on'], frozen: false })
})

test('every name of the contract is served, and no other is', async ({ desk }) => {
  const { page } = await desk.start()
  const codes = await page.evaluate(
    async (names) => {
      const answers: Record<string, string> = {}
      // An input of the wrong shape: a served call refuses it as data, and does nothing.
      for (const name of names) {
        const answer = await window.fovea.call(name as 'app.info', 'not an object')
        answers[name] = answer.ok ? 'ok' : answer.error.code
      }
      return answers
    },
    callNames.filter((name) => name !== 'app.pickFolder'),
  )
  expect(Object.entries(codes).filter(([, code]) => code !== 'bad-input')).toEqual([])
  const refused = await page.evaluate(() => window.fovea.call('shell.exec' as 'app.info', {}))
  expect(refused).toMatchObject({ ok: false, error: { code: 'forbidden' } })
})

test('the window is sandboxed and isolated', async ({ desk }) => {
  const { app } = await desk.start()
  const preferences = await app.evaluate(({ BrowserWindow }) => {
    const contents = BrowserWindow.getAllWindows()[0]?.webContents
    const { sandbox, contextIsolation, nodeIntegration, webviewTag, webSecurity } = (
      contents as unknown as { getLastWebPreferences(): Electron.WebPreferences }
    ).getLastWebPreferences()
    return { sandbox, contextIsolation, nodeIntegration, webviewTag, webSecurity }
  })
  expect(preferences).toMatchObject({
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    webSecurity: true,
  })
  expect(preferences.webviewTag ?? false).toBe(false)
})

test('inline scripts, evaluated text, foreign styles and requests are refused', async ({ desk }) => {
  // The refusals are told on the console; here they are the point.
  desk.allowComplaints(/^Refused to /)
  const { page, app } = await desk.start()
  const result = await page.evaluate(async () => {
    const refused: string[] = []
    document.addEventListener('securitypolicyviolation', (event) => refused.push(event.effectiveDirective))
    const script = document.createElement('script')
    script.textContent = 'window.owned = true'
    document.body.append(script)
    const style = document.createElement('style')
    style.textContent = 'body { display: none }'
    document.body.append(style)
    const image = new Image()
    image.src = 'https://example.com/x.png'
    // Text as code; not with eval, which a debugger's own evaluation is allowed.
    setTimeout('window.evaluated = true' as unknown as () => void, 0)
    const fetched = await fetch('https://example.com/').then(
      () => true,
      () => false,
    )
    await new Promise((done) => setTimeout(done, 50))
    return {
      owned: 'owned' in window,
      shown: getComputedStyle(document.body).display !== 'none',
      evaluated: 'evaluated' in window,
      fetched,
      refused,
    }
  })
  expect(result).toMatchObject({ owned: false, shown: true, evaluated: false, fetched: false })
  for (const directive of ['script-src-elem', 'style-src-elem', 'img-src', 'connect-src']) {
    expect(result.refused).toContain(directive)
  }
  expect(await app.windows()).toHaveLength(1)
})

test('no navigation, no new window, no permission', async ({ desk }) => {
  const { page, app } = await desk.start()
  const home = page.url()
  const outcome = await page.evaluate(async () => {
    const opened = window.open('https://example.com/') !== null
    const link = document.createElement('a')
    link.href = 'https://example.com/'
    document.body.append(link)
    link.click()
    link.remove()
    location.href = 'https://example.com/'
    const states: string[] = []
    for (const name of ['geolocation', 'notifications', 'camera', 'microphone'] as const) {
      states.push((await navigator.permissions.query({ name: name as PermissionName })).state)
    }
    const camera = await navigator.mediaDevices?.getUserMedia({ video: true }).then(
      () => true,
      () => false,
    )
    return { opened, states, camera: camera ?? false }
  })
  expect(outcome).toEqual({ opened: false, states: ['denied', 'denied', 'denied', 'denied'], camera: false })
  expect(page.url()).toBe(home)
  expect(app.windows()).toHaveLength(1)
})

const payloads = [
  '<img src=x onerror="window.owned=1">',
  '<script>window.owned=1</script>',
  '[click](javascript:window.owned=1)',
  '<svg/onload=window.owned=1>',
  '<iframe srcdoc="<script>top.owned=1</script>"></iframe>',
  '![x](https://example.com/track.png)',
  '<a href="https://example.com" onclick="window.owned=1">x</a>',
  '<style>*{display:none}</style>',
]

test('what stands in a transcript or a plan runs nothing, fetches nothing, goes nowhere', async ({
  desk,
}) => {
  writeTranscripts(join(desk.person, 'work'))
  const folder = join(desk.person, 'work', 'projects', '-srv-evil')
  mkdirSync(folder, { recursive: true })
  const chain = chainOf('33333333-3333-4333-8333-333333333333', 900)
  writeFileSync(
    join(folder, `${chain.session}.jsonl`),
    `${payloads.map((text) => says(chain, `Please fix ${text} now`)).join('\n')}\n`,
  )
  const running = await desk.start()
  const { page, app } = running
  const requests: string[] = []
  page.on('request', (request) => {
    if (!/^(app|data|blob):/.test(request.url())) requests.push(request.url())
  })
  await enrolFolder(running, join(desk.person, 'work'))
  const home = page.url()

  await go(page, '2')
  for (const row of await page.getByRole('button', { name: /Please fix/ }).all()) await row.click()
  await page.getByRole('textbox', { name: 'Search memory' }).fill('Please fix')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: /hits?$/ })).toBeVisible()
  await go(page, '1')
  await page.getByRole('button', { name: 'Add a plan…' }).click()
  await page.getByRole('textbox', { name: 'Plan, as Markdown' }).fill(`# Plan\n\n${payloads.join('\n\n')}\n`)
  await page.getByRole('button', { name: 'Add the plan' }).click()
  await expect(page.locator('.artifact')).toContainText('[picture: x]')
  await page.getByText('click', { exact: true }).click()

  expect(await page.evaluate(() => 'owned' in window)).toBe(false)
  expect(await page.locator('.artifact :is(script, img, iframe, svg, style, a)').count()).toBe(0)
  expect(requests).toEqual([])
  expect(page.url()).toBe(home)
  expect(app.windows()).toHaveLength(1)
})

test('a plan hides nothing from the person who approves it', async ({ desk }) => {
  const { page } = await desk.start()
  await page.getByRole('button', { name: 'Go on without a source' }).click()
  await page.getByRole('button', { name: 'Add a plan…' }).click()
  const hidden = [
    '<details><summary>more</summary>rm -rf /one</details>',
    '<div>\nrm -rf /two\n</div>',
    '<!-- rm -rf /three -->',
    '<script>rm -rf /four</script>',
    'words <!-- rm -rf /five --> words',
    '[//]: # (rm -rf /six)',
  ]
  await page
    .getByRole('textbox', { name: 'Plan, as Markdown' })
    .fill(`# Plan\n\n${hidden.join('\n\n')}\n\nrun \u202efdp.exe\u202c and\u200b more\n`)
  await page.getByRole('button', { name: 'Add the plan' }).click()
  const artifact = page.locator('.artifact')
  for (const number of ['one', 'two', 'three', 'four', 'five', 'six']) {
    await expect(artifact.getByText(`rm -rf /${number}`)).toBeVisible()
  }
  await expect(artifact.getByText('raw HTML', { exact: true }).first()).toBeVisible()
  for (const code of ['U+202E', 'U+202C', 'U+200B']) await expect(artifact.getByText(code)).toBeVisible()
  await page.getByRole('radio', { name: 'source' }).click()
  await expect(page.locator('.source').getByText('U+202E')).toBeVisible()
})
