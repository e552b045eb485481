import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { hookCommand, installHook, placeOf, removeHook, settingsFile } from '../../../src/main/surfaces'
import {
  hookCommands,
  standingIn,
  withHooks,
  withoutHooks,
} from '../../../src/main/surfaces/hooks/settings-text'
import { temporaryFolder } from '../../support'

const COMMAND = "'/opt/node' '/opt/it'\\''s fovea/out/main/hook.js' fovea-memory claude-code --home '/home/a'"
const ENTRIES = [
  { event: 'UserPromptSubmit', command: COMMAND, timeout: 10 },
  { event: 'SessionStart', matcher: 'compact', command: COMMAND, timeout: 10 },
]
let dataFolder = ''
beforeEach(() => {
  dataFolder = temporaryFolder()
})
const ours = (command: string): boolean => command === COMMAND

const fileWith = (text: string | Uint8Array): string => {
  const file = join(temporaryFolder(), 'settings.json')
  writeFileSync(file, text)
  return file
}

describe('the text of an agent’s settings', () => {
  const foreign = { type: 'command', command: 'echo "hook.js fovea-memory" # not ours' }
  const value = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant(null),
    fc.array(fc.string(), { maxLength: 3 }),
    fc.dictionary(fc.string(), fc.string(), { maxKeys: 3 }),
  )
  const settings = fc
    .record({
      rest: fc.dictionary(
        fc.string().filter((key) => key !== 'hooks' && key !== '__proto__'),
        value,
        { maxKeys: 5 },
      ),
      empty: fc.boolean(),
      prompt: fc.constantFrom(
        undefined,
        [],
        [{ hooks: [foreign] }],
        [{ hooks: [foreign] }, { hooks: [foreign] }],
      ),
      start: fc.constantFrom(undefined, [], [{ matcher: 'startup', hooks: [foreign] }]),
      stop: fc.constantFrom(undefined, [{ hooks: [foreign, foreign] }]),
    })
    .map(({ rest, empty, prompt, start, stop }) => {
      const hooks = { UserPromptSubmit: prompt, SessionStart: start, Stop: stop }
      const any = prompt ?? start ?? stop
      if (empty) return any ? { hooks: {} } : {}
      // Through JSON, as it is in a file: that knows no -0.
      return JSON.parse(JSON.stringify(any ? { a: 1, hooks, ...rest } : { a: 1, ...rest }))
    })
  const hand = fc.record({
    indent: fc.constantFrom('', '  ', '    ', '\t'),
    newline: fc.constantFrom('\n', '\r\n'),
    bom: fc.boolean(),
    end: fc.constantFrom('', '\n'),
    inside: fc.constantFrom('', ' ', '\n', '\r\n\t'),
  })

  test('with the hook put in and taken out again is what it was, byte for byte, however it is written', () => {
    fc.assert(
      fc.property(settings, hand, (data, { indent, newline, bom, end, inside }) => {
        const json = JSON.stringify(data, null, indent)
          .replaceAll('\n', newline)
          .replace(/((?:^|"(?:hooks|UserPromptSubmit|SessionStart)": ?)[[{])(?=[\]}])/g, `$1${inside}`)
        const text = `${bom ? '\uFEFF' : ''}${json}${end}`
        const installed = withHooks(text, ENTRIES)
        expect(installed).not.toBeNull()
        const read = JSON.parse((installed ?? '').replace(/^\uFEFF/, ''))
        expect(read.hooks.UserPromptSubmit.at(-1).hooks[0].command).toBe(COMMAND)
        expect(read.hooks.SessionStart.at(-1)).toMatchObject({ matcher: 'compact', hooks: [{ timeout: 10 }] })
        expect(hookCommands(installed ?? '')?.filter(({ command }) => ours(command))).toHaveLength(2)
        expect(withoutHooks(installed ?? '', ours, standingIn(text, ENTRIES).inner)).toBe(text)
        expect(JSON.parse((withoutHooks(installed ?? '', ours) ?? '').replace(/^\uFEFF/, ''))).toMatchObject(
          data,
        )
      }),
      { numRuns: 500 },
    )
  })

  test('an empty file becomes settings of the hook alone, indented', () => {
    const text = withHooks('', ENTRIES) ?? ''
    expect(text).toBe(`${JSON.stringify(JSON.parse(text), null, 2)}\n`)
    expect(withoutHooks(text, ours, standingIn(null, ENTRIES).inner)).toBe('{}\n')
  })

  test.each([
    ['broken JSON', '{ "hooks": '],
    ['a list', '[1]'],
    ['JSON with comments', '{ // mine\n}'],
    ['hooks that are no object', '{"hooks": 3}'],
    ['an event that is no list', '{"hooks": {"UserPromptSubmit": {}}}'],
  ])('%s is left alone', (_what, text) => {
    expect(withHooks(text, ENTRIES)).toBeNull()
  })

  test('a group in which a person’s own command stands beside ours is theirs', () => {
    const text = JSON.stringify({
      hooks: { UserPromptSubmit: [{ hooks: [{ type: 'command', command: COMMAND }, foreign] }] },
    })
    expect(withoutHooks(text, ours)).toBe(text)
  })
})

describe('the settings file', () => {
  test('is told apart: without the hook, with it, with another one, unreadable', () => {
    const file = join(temporaryFolder(), '.claude', 'settings.json')
    const state = (command = COMMAND): string => placeOf('user', file, command).state
    expect(state()).toBe('absent')
    installHook(file, COMMAND, dataFolder)
    expect([state(), state(COMMAND.replace('/home/a', '/home/b'))]).toEqual(['installed', 'other'])
    writeFileSync(file, 'nonsense')
    expect(state()).toBe('unreadable')
  })

  test('installing twice, or over another copy’s hook, leaves one', () => {
    const before = '{\n  "model": "opus"\n}\n'
    const file = fileWith(before)
    installHook(file, COMMAND.replace('/opt/node', '/old/node'), dataFolder)
    installHook(file, COMMAND, dataFolder)
    const once = readFileSync(file, 'utf8')
    installHook(file, COMMAND, dataFolder)
    expect(readFileSync(file, 'utf8')).toBe(once)
    expect(hookCommands(once)?.map(({ event }) => event)).toEqual(['UserPromptSubmit', 'SessionStart'])
    removeHook(file, dataFolder)
    expect(readFileSync(file, 'utf8')).toBe(before)
  })

  test.each([
    ['{ "a" : 1,\n\t"hooks": {} }'],
    ['{"hooks":{"UserPromptSubmit":[]},"b":2}'],
    ['{"hooks":{ "SessionStart" : [ ], "UserPromptSubmit":[\n] }}'],
    ['{ }'],
    [''],
    [' \n'],
  ])('%j comes back after two installations, and nothing is remembered of it', (before) => {
    const file = fileWith(before)
    const home = temporaryFolder()
    installHook(file, COMMAND.replace('/opt/node', '/old/node'), home)
    installHook(file, COMMAND, home)
    expect(placeOf('user', file, COMMAND).state).toBe('installed')
    removeHook(file, home)
    expect(readFileSync(file, 'utf8')).toBe(before)
    expect(JSON.parse(readFileSync(join(home, 'hooks.json'), 'utf8'))).toEqual({})
  })

  test('that was not there is gone again, unless the person wrote into it meanwhile', () => {
    const file = join(temporaryFolder(), '.claude', 'settings.json')
    installHook(file, COMMAND, dataFolder)
    removeHook(file, dataFolder)
    expect(existsSync(file)).toBe(false)
    installHook(file, COMMAND, dataFolder)
    writeFileSync(file, readFileSync(file, 'utf8').replace('{', '{ "model": "opus",'))
    removeHook(file, dataFolder)
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ model: 'opus' })
  })

  test('without what was remembered, or with what is damaged, leaves brackets that may be the person’s', () => {
    const file = fileWith('{"hooks":{"Stop":[]},"b":2}')
    const home = temporaryFolder()
    installHook(file, COMMAND, home)
    writeFileSync(join(home, 'hooks.json'), '{"x": ')
    removeHook(file, home)
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      hooks: { Stop: [], UserPromptSubmit: [], SessionStart: [] },
      b: 2,
    })
  })

  test('keeps its rights, and a link stays a link', () => {
    const target = fileWith('{"a":1}')
    chmodSync(target, 0o640)
    const link = join(temporaryFolder(), 'settings.json')
    symlinkSync(target, link)
    installHook(link, COMMAND, dataFolder)
    expect(lstatSync(link).isSymbolicLink()).toBe(true)
    expect(statSync(target).mode & 0o777).toBe(0o640)
    expect(placeOf('user', target, COMMAND).state).toBe('installed')
  })

  test('that is no settings, or no text, is refused by name and not touched', () => {
    for (const bytes of [Buffer.from('{ broken'), Buffer.from([0x7b, 0xff, 0xfe, 0x7d])]) {
      const file = fileWith(bytes)
      expect(() => installHook(file, COMMAND, dataFolder)).toThrow(file)
      expect(() => removeHook(file, dataFolder)).toThrow(/nothing was changed/)
      expect(readFileSync(file).equals(bytes)).toBe(true)
    }
  })

  test('removing where there is none makes no file', () => {
    const file = join(temporaryFolder(), '.claude', 'settings.json')
    removeHook(file, dataFolder)
    expect(existsSync(file)).toBe(false)
  })

  test('of a person lies in their folder of Claude Code, of a project in what is not committed', () => {
    const project = temporaryFolder()
    mkdirSync(join(project, 'sub'))
    expect(settingsFile('user', undefined, { CLAUDE_CONFIG_DIR: '/x/claude' })).toBe(
      join('/x/claude', 'settings.json'),
    )
    expect(settingsFile('project', project)).toBe(join(project, '.claude', 'settings.local.json'))
    expect(() => settingsFile('project', join(project, 'gone'))).toThrow(/There is no folder/)
  })

  test('names this runtime, the script and the data folder, each quoted for the shell', () => {
    const script = fileWith('')
    const at = (versions: object, env: object = {}): string =>
      hookCommand({
        script,
        home: "/home/o'neil",
        runtime: { execPath: '/opt/a b/node', versions: versions as never, env: env as never },
      })
    expect(at({})).toBe(`'/opt/a b/node' '${script}' fovea-memory claude-code --home '/home/o'\\''neil'`)
    expect(at({ electron: '33' }, { FOVEA_SQLITE_BINDING: '/b.node' })).toMatch(
      /^ELECTRON_RUN_AS_NODE=1 FOVEA_SQLITE_BINDING='\/b\.node' '\/opt\/a b\/node'/,
    )
    expect(() => hookCommand({ script: `${script}.gone`, home: '/h' })).toThrow(/Build Fovea first/)
  })
})
