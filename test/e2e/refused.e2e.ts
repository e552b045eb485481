import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { electronLaunch } from '../../scripts/lib/electron-launch.mjs'
import { expect, test } from './support/app'

test('where no data folder can be made the app says so in a sentence, and ends', async ({ desk }) => {
  const file = join(desk.person, 'notes.txt')
  writeFileSync(file, 'no folder')
  for (const home of [join(file, 'data'), ...(process.platform === 'linux' ? ['/proc/nowhere/data'] : [])]) {
    const { executablePath, args, env, cwd } = electronLaunch()
    const ended = spawnSync(executablePath, args, {
      cwd,
      env: { ...env, HOME: desk.person, FOVEA_HOME: home, FOVEA_CONFIG: desk.person, FOVEA_NO_DIALOG: '1' },
      encoding: 'utf8',
      timeout: 50_000,
    })
    expect(ended.status).toBe(1)
    expect(ended.stderr).toContain(`The data folder ${home} cannot be made or written.`)
    expect(ended.stderr).not.toMatch(/\n\s+at /)
  }
})
