import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import Database from 'better-sqlite3'
import { beforeAll, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../support'
import { writeTranscripts } from './fixtures'

// The hook as an agent runs it: a process with a payload on stdin, that must end with 0 whatever happens.

const main = resolve(import.meta.dirname, '../../out/main')
const PATIENT = 120_000

interface Ran {
  code: number | null
  out: string
}

function hook(home: string, payload: string | Buffer, { deadline = PATIENT, agent = 'claude-code' } = {}) {
  const args = [join(main, 'hook.js'), 'fovea-memory', agent, '--home', home, '--deadline', String(deadline)]
  return ended(spawn(process.execPath, args), payload)
}

function ended(child: ChildProcess, payload: string | Buffer): Promise<Ran> {
  let out = ''
  child.stdout?.on('data', (chunk) => {
    out += chunk
  })
  child.stdin?.on('error', () => undefined)
  child.stdin?.end(payload)
  return new Promise((done) => child.on('close', (code) => done({ code, out })))
}

/** Once it reads what it is given it also hears signals: more than a pipe holds is only taken by who reads. */
const reads = (child: ChildProcess): Promise<void> =>
  new Promise((done) => {
    child.stdin?.once('drain', done)
    child.stdin?.write(' '.repeat(4_000_000))
  })

const fovea = (
  argv: string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<{ code: number; out: string }> =>
  new Promise((done) => {
    execFile(process.execPath, [join(main, 'cli.js'), ...argv], { env }, (error, out) =>
      done({ code: typeof error?.code === 'number' ? error.code : error ? 1 : 0, out }),
    )
  })

const prompted = (prompt: string): string =>
  JSON.stringify({
    session_id: 'a-new-session',
    transcript_path: '/t.jsonl',
    cwd: '/srv/shop-api',
    hook_event_name: 'UserPromptSubmit',
    prompt,
  })
const ASKED = prompted('How does the payment webhook retry safely?')

/** The newest line the hook left. */
function logged(home: string): Record<string, unknown> {
  const lines = readFileSync(join(home, 'logs', 'fovea.log'), 'utf8')
    .trim()
    .split('\n')
  return lines.map((line) => JSON.parse(line)).findLast(({ event }) => event === 'hook')
}

async function memory(): Promise<string> {
  const home = temporaryFolder()
  const folder = temporaryFolder()
  writeTranscripts(folder)
  expect((await fovea(['ingest', folder, '--no-embed', '--home', home])).code).toBe(0)
  return home
}

beforeAll(() => {
  if (!existsSync(join(main, 'hook.js'))) throw new Error('out/main/hook.js is missing: npm run build')
})

describe('the memory hook', { timeout: 300_000 }, () => {
  test('answers a prompt in the agent’s form; two at once each get theirs', async () => {
    const home = await memory()
    const both = await Promise.all([hook(home, ASKED), hook(home, ASKED.replace('a-new-session', 'other'))])
    for (const { code, out } of both) {
      expect(code).toBe(0)
      const { hookSpecificOutput } = JSON.parse(out)
      expect(hookSpecificOutput.hookEventName).toBe('UserPromptSubmit')
      expect(hookSpecificOutput.additionalContext).toContain('backs off exponentially')
    }
    expect(logged(home)).toMatchObject({ outcome: 'told', on: 'UserPromptSubmit' })
    expect(readFileSync(join(home, 'logs', 'fovea.log'), 'utf8')).not.toMatch(/webhook/)
  })

  test('says nothing and ends with 0 for whatever is no payload, and the log tells the kind of fault', async () => {
    const home = await memory()
    for (const payload of [
      '',
      'nonsense',
      '[]',
      '{"hook_event_name":"Stop"}',
      Buffer.from([0xff, 0xfe, 0]),
    ]) {
      expect(await hook(home, payload)).toEqual({ code: 0, out: '' })
      expect(logged(home)).toMatchObject({ outcome: 'fault', code: 'bad-input' })
    }
    expect(await hook(home, ASKED, { agent: 'another' })).toEqual({ code: 0, out: '' })
    expect(logged(home)).toMatchObject({ outcome: 'fault', code: 'bad-input' })
  })

  test('takes a payload of five megabytes', async () => {
    const home = await memory()
    const long = `${'a line of a log\n'.repeat(330_000)}How does the payment webhook retry safely?`
    const { code, out } = await hook(home, prompted(long))
    expect(code).toBe(0)
    expect(logged(home)).toMatchObject({ on: 'UserPromptSubmit' })
    expect(out === '' || JSON.parse(out)).toBeTruthy()
  })

  test('without a data folder says nothing and makes none', async () => {
    const home = join(temporaryFolder(), 'nowhere')
    expect(await hook(home, ASKED)).toEqual({ code: 0, out: '' })
    expect(existsSync(home)).toBe(false)
    mkdirSync(home)
    expect(await hook(home, ASKED)).toEqual({ code: 0, out: '' })
    expect(readdirSync(home)).toEqual([])
  })

  test('while another program holds the database it gives up at its deadline', async () => {
    const home = await memory()
    const held = new Database(join(home, 'fovea.db'))
    held.exec('BEGIN IMMEDIATE')
    try {
      expect(await hook(home, ASKED, { deadline: 3000 })).toEqual({ code: 0, out: '' })
      expect(logged(home)).toMatchObject({ outcome: 'too-late' })
    } finally {
      held.exec('ROLLBACK')
      held.close()
    }
    expect((await hook(home, ASKED)).out).toContain('backs off exponentially')
  })

  test('over a database that is none says nothing', async () => {
    const home = temporaryFolder()
    writeFileSync(join(home, 'fovea.db'), 'this is no database at all, and long enough to be looked at')
    expect(await hook(home, ASKED)).toEqual({ code: 0, out: '' })
    expect(logged(home)).toMatchObject({ outcome: 'fault', code: 'corrupt' })
  })

  test('an agent that does not wait any more ends it', async () => {
    const home = await memory()
    const args = [join(main, 'hook.js'), 'fovea-memory', 'claude-code', '--home', home]
    const child = spawn(process.execPath, args)
    const done = new Promise((resolved) => child.on('close', (code) => resolved(code)))
    await reads(child)
    child.kill('SIGTERM')
    expect(await done).toBe(0)
    expect(logged(home)).toMatchObject({ outcome: 'SIGTERM' })
  })

  test('is put into the settings and taken out by the command line; what stands there runs', async () => {
    const home = await memory()
    const config = temporaryFolder()
    const file = join(config, 'settings.json')
    const before = '{\n\t"model": "opus",\n\t"env": { "TOKEN": "x" }\n}'
    writeFileSync(file, before)
    const env = { ...process.env, CLAUDE_CONFIG_DIR: config }
    const hooks = async (...argv: string[]) => {
      const { out } = await fovea(['hooks', ...argv, '--json', '--home', home], env)
      return JSON.parse(out)
    }
    expect((await hooks('status')).places).toEqual([{ scope: 'user', file, state: 'absent' }])
    expect(await hooks('install')).toEqual({ place: { scope: 'user', file, state: 'installed' } })
    const { command } = JSON.parse(readFileSync(file, 'utf8')).hooks.UserPromptSubmit[0].hooks[0]
    const { code, out } = await ended(spawn('sh', ['-c', `${command} --deadline ${PATIENT}`]), ASKED)
    expect(code).toBe(0)
    expect(JSON.parse(out).hookSpecificOutput.additionalContext).toContain('backs off exponentially')
    expect((await hooks('remove')).place.state).toBe('absent')
    expect(readFileSync(file, 'utf8')).toBe(before)
    const project = temporaryFolder()
    const local = join(project, '.claude', 'settings.local.json')
    expect((await hooks('install', '--scope', 'project', '--project-folder', project)).place).toEqual({
      scope: 'project',
      file: local,
      state: 'installed',
    })
    writeFileSync(local, 'broken')
    const broken = await fovea(['hooks', 'remove', '--scope', 'project', '--project-folder', project], env)
    expect(broken.code).toBe(1)
    expect(readFileSync(local, 'utf8')).toBe('broken')
    expect((await fovea(['hooks', 'install', '--scope', 'everywhere'], env)).code).toBe(2)
  })
})
