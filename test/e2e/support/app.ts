import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { _electron, test as base, type ElectronApplication, expect, type Page } from '@playwright/test'
import { electronLaunch } from '../../../scripts/lib/electron-launch.mjs'

export interface Running {
  app: ElectronApplication
  page: Page
  close(): Promise<void>
}

export interface Desk {
  /** The person's home, where agents keep their folders; empty at first. */
  person: string
  /** Fovea's data folder. */
  home: string
  /** Console errors that a test provokes on purpose. */
  allowComplaints(pattern: RegExp): void
  /** Starts the app; a second start finds the same data folder. */
  start(): Promise<Running>
}

/** A person with an empty home and an app that can be started; fails on any console error of any window. */
export const test = base.extend<{ desk: Desk }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures a test needs from this pattern.
  desk: async ({}, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'fovea-e2e-'))
    const person = join(folder, 'person')
    const home = join(folder, 'data')
    mkdirSync(person)
    const complaints: string[] = []
    const allowed: RegExp[] = []
    const running = new Set<ElectronApplication>()
    const start = async (): Promise<Running> => {
      const app = await launch(person, home)
      running.add(app)
      const page = await app.firstWindow()
      page.on('console', (message) => {
        if (message.type() === 'error') complaints.push(message.text())
      })
      page.on('pageerror', (error) => complaints.push(error.message))
      await page.locator('html[data-phase="ready"], html[data-phase="welcome"]').waitFor()
      const close = async (): Promise<void> => {
        running.delete(app)
        await app.close()
      }
      return { app, page, close }
    }
    await use({ person, home, start, allowComplaints: (pattern) => allowed.push(pattern) })
    for (const app of running) await app.close()
    rmSync(folder, { recursive: true, force: true })
    expect(complaints.filter((text) => !allowed.some((pattern) => pattern.test(text)))).toEqual([])
  },
})

function launch(person: string, home: string): Promise<ElectronApplication> {
  const launch = electronLaunch()
  const env: Record<string, string> = {
    ...launch.env,
    HOME: person,
    USERPROFILE: person,
    FOVEA_HOME: home,
    FOVEA_CONFIG: join(home, '..', 'config'),
    FOVEA_NO_DIALOG: '1',
  }
  // A developer's own agent folders must not be found by a test.
  for (const name of ['CLAUDE_CONFIG_DIR', 'CODEX_HOME', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME']) delete env[name]
  return _electron.launch({ ...launch, args: [...launch.args, '--disable-gpu'], env })
}

/** The folder dialog answers with `path`; a dialog cannot be driven, so main's is replaced. */
export async function answerFolderDialog(app: ElectronApplication, path: string): Promise<void> {
  await app.evaluate(({ dialog }, chosen) => {
    dialog.showOpenDialog = async () => ({ canceled: false, filePaths: [chosen] })
  }, path)
}

export async function answerSaveDialog(app: ElectronApplication, path: string): Promise<void> {
  await app.evaluate(({ dialog }, chosen) => {
    dialog.showSaveDialog = async () => ({ canceled: false, filePath: chosen })
  }, path)
}

/** Goes to a workspace by its key, with the focus out of any field. */
export async function go(page: Page, key: '1' | '2' | '3' | '4' | '5'): Promise<void> {
  await page.keyboard.press(`Control+${key}`)
}

/** Enrols a folder through the welcome and waits until its items are there. */
export async function enrolFolder(running: Running, path: string): Promise<void> {
  const { app, page } = running
  await answerFolderDialog(app, path)
  await page.getByRole('button', { name: 'Choose another folder…' }).click()
  await expect(page.getByText(/[1-9]\d* items? remembered/)).toBeVisible()
  await page.getByRole('button', { name: 'Open the memory' }).click()
}

export { expect } from '@playwright/test'
