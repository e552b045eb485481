import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { underLock } from '../../scripts/lib/lock.mjs'
import { run } from '../../scripts/lib/run.mjs'
import { temporaryFolder } from './temporary'

const quickly = { everyMs: 5 }
/** The id of a process that has ended. */
const deadProcess = () => spawnSync(process.execPath, ['-e', '']).pid

describe('the setup lock', () => {
  it('lets one in at a time, and the next when that one is done', async () => {
    const file = join(temporaryFolder(), 'lock')
    const events: string[] = []
    let finish = () => {}
    const first = underLock(file, () => new Promise<void>((done) => (finish = done)), quickly)
    const second = underLock(file, async () => void events.push('second'), {
      ...quickly,
      onWait: () => {
        events.push('waits')
        finish()
      },
    })
    await Promise.all([first, second])
    expect(events).toEqual(['waits', 'second'])
    expect(existsSync(file)).toBe(false)
  })

  it('is given back when the work fails', async () => {
    const file = join(temporaryFolder(), 'lock')
    await expect(underLock(file, () => Promise.reject(new Error('no')), quickly)).rejects.toThrow('no')
    expect(await underLock(file, async () => 'yes', quickly)).toBe('yes')
  })

  it('of a process that is gone is taken over, by one of several', async () => {
    const folder = temporaryFolder()
    const file = join(folder, 'lock')
    writeFileSync(file, JSON.stringify({ pids: [deadProcess()] }))
    let inside = 0
    const most: number[] = []
    const work = async () => {
      most.push(++inside)
      await new Promise((done) => setImmediate(done))
      inside--
    }
    await Promise.all([1, 2, 3].map(() => underLock(file, work, quickly)))
    expect(most).toEqual([1, 1, 1])
    expect(readdirSync(folder)).toEqual([])
  })

  it('stays while a command of a killed setup still runs', async () => {
    const file = join(temporaryFolder(), 'lock')
    writeFileSync(file, JSON.stringify({ pids: [deadProcess(), process.pid] }))
    let waited = false
    await underLock(file, async () => expect(waited).toBe(true), {
      ...quickly,
      onWait: () => {
        waited = true
        writeFileSync(file, JSON.stringify({ pids: [deadProcess()] }))
      },
    })
  })

  it('names the commands under way', async () => {
    const folder = temporaryFolder()
    const file = join(folder, 'lock')
    await underLock(file, async () => {
      const script = `console.log(require('node:fs').readFileSync(${JSON.stringify(file)}, 'utf8'), process.pid)`
      const [pids, pid] = (await run('test', process.execPath, ['-e', script], { logs: folder }))
        .trim()
        .split(' ')
      expect(JSON.parse(pids ?? '').pids).toEqual([process.pid, Number(pid)])
    })
  })
})

describe('a command of the setup', () => {
  it('that fails is told with its last words and its log', async () => {
    const logs = temporaryFolder()
    const failing = run('step', process.execPath, ['-e', 'console.error("the reason"); process.exit(3)'], {
      logs,
    })
    await expect(failing).rejects.toMatchObject({
      step: 'step',
      message: expect.stringMatching(/ended with 3\.\n {2}the reason/),
      todo: expect.stringContaining('step.log'),
    })
    expect(readFileSync(join(logs, 'step.log'), 'utf8')).toContain('the reason')
  })

  it('that takes too long is ended', async () => {
    const endless = run('step', process.execPath, ['-e', 'setInterval(() => {}, 1000)'], {
      logs: temporaryFolder(),
      timeoutMs: 200,
    })
    await expect(endless).rejects.toThrow('took longer than 0.2 s')
  })

  it('that does not exist is told, too', async () => {
    await expect(run('step', 'no-such-command', [], { logs: temporaryFolder() })).rejects.toThrow('ENOENT')
  })
})
