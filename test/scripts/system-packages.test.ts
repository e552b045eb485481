import { describe, expect, it, vi } from 'vitest'
import {
  ensureTools,
  prepareSystemLibraries,
  tellMissingLibraries,
} from '../../scripts/setup/system-packages.mjs'

function machine({
  root = true,
  display = false,
  installed = [] as string[],
  commands = ['dpkg-query', 'apt-get'],
} = {}) {
  const asked: string[] = []
  const has = new Set(installed)
  return {
    asked,
    platform: 'linux' as NodeJS.Platform,
    isRoot: () => root,
    hasDisplay: () => display,
    hasCommand: (name: string) => commands.includes(name),
    installed: () => has,
    ldd: () => '\tlibc.so.6 => /lib/libc.so.6 (0x1)\n\tlibgtk-3.so.0 => not found\n',
    exists: (name: string) => !name.endsWith('t64'),
    refresh: async () => void asked.push('update'),
    install: async (_: string, names: string[]) => {
      asked.push(...names)
      for (const name of names) has.add(name)
    },
  }
}

describe('system libraries', () => {
  it('are installed as root: what is missing, once', async () => {
    const on = machine({ installed: ['libgtk-3-0', 'libnss3', 'libgbm1', 'libxss1', 'libdrm2', 'libxtst6'] })
    expect(await prepareSystemLibraries(on)).toBeUndefined()
    expect(on.asked).toContain('xvfb')
    expect(on.asked).not.toContain('libnss3')
    const before = on.asked.length
    await prepareSystemLibraries(on)
    expect(on.asked).toHaveLength(before)
  })

  it('are known by their newer names, too', async () => {
    const on = machine({ installed: ['libgtk-3-0t64', 'libasound2t64', 'libatk-bridge2.0-0t64'] })
    await prepareSystemLibraries(on)
    expect(on.asked.filter((name) => /gtk|asound|atk/.test(name))).toEqual([])
  })

  it('become one line to run for anybody else', async () => {
    const on = machine({ root: false })
    const line = await prepareSystemLibraries(on)
    expect(line).toMatch(/^sudo apt-get install -y libgtk-3-0 .*xvfb xauth$/)
    expect(on.asked).toEqual([])
  })

  it('include a virtual display only where there is none', async () => {
    const on = machine({ root: false, display: true })
    expect(await prepareSystemLibraries(on)).not.toMatch(/xvfb/)
  })

  it('are left to the person on another system', async () => {
    const on = machine({ commands: [] })
    await prepareSystemLibraries(on)
    await prepareSystemLibraries({ ...on, platform: 'darwin' })
    expect(on.asked).toEqual([])
  })
})

describe('where there is no dpkg', () => {
  it('the libraries that are missing are named', () => {
    const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    tellMissingLibraries('electron', machine({ commands: ['ldd'] }))
    tellMissingLibraries('electron', machine({ commands: ['ldd', 'dpkg-query'] }))
    const texts = said.mock.calls.map(([text]) => String(text))
    said.mockRestore()
    expect(texts).toEqual([expect.stringContaining('libgtk-3.so.0')])
    expect(texts[0]).not.toContain('libc')
  })
})

describe('a compiler', () => {
  it('is not touched when it is there', async () => {
    const on = machine({ commands: ['python3', 'make', 'g++', 'apt-get'] })
    await ensureTools('sqlite', on)
    expect(on.asked).toEqual([])
  })

  it('is installed as root, and otherwise asked for', async () => {
    const on = machine({ commands: ['python3', 'apt-get'] })
    await ensureTools('sqlite', on)
    expect(on.asked).toEqual(['update', 'make', 'g++'])
    await expect(ensureTools('sqlite', machine({ root: false }))).rejects.toMatchObject({
      todo: expect.stringContaining('sudo apt-get install -y python3 make g++'),
    })
  })
})
