import { mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { pathsIn } from '../../scripts/lib/paths.mjs'
import { prepareBuild } from '../../scripts/setup/build.mjs'
import { prepareModel } from '../../scripts/setup/model.mjs'
import { prepareNodeModules } from '../../scripts/setup/node-modules.mjs'
import { hubModel } from '../../scripts/setup/pins.mjs'
import { prepareSqlite } from '../../scripts/setup/sqlite-binding.mjs'
import { temporaryFolder } from './temporary'

const project = (files: Record<string, string> = {}) => pathsIn(temporaryFolder(files))
const write = (file: string, text: string) => {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

describe('packages', () => {
  const lock = (version: string) =>
    JSON.stringify({
      packages: { '': {}, 'node_modules/a': { version }, 'node_modules/b': { version, optional: true } },
    })

  function setting() {
    const manifest = JSON.stringify({ devDependencies: { node: '24.21.0' } })
    const paths = project({ 'package.json': manifest, 'package-lock.json': lock('1.0.0') })
    const calls: string[] = []
    /** What npm leaves behind; `npm ci` empties the folder first. */
    const npm = async ([command = '']: string[]) => {
      calls.push(command)
      if (command === 'ci') {
        rmSync(paths.nodeModules, { recursive: true, force: true })
        const installed = JSON.parse(readFileSync(join(paths.root, 'package-lock.json'), 'utf8'))
        delete installed.packages['node_modules/b']
        write(join(paths.nodeModules, '.package-lock.json'), JSON.stringify(installed))
      } else bringNode()
    }
    const bringNode = () => {
      const platform = process.platform === 'win32' ? 'win' : process.platform
      const folder = join(paths.nodeModules, `node/node_modules/node-${platform}-${process.arch}`)
      write(join(folder, 'package.json'), JSON.stringify({ version: '24.21.0' }))
      write(paths.node, '')
    }
    return { paths, calls, npm, bringNode }
  }

  it('are installed once, with their Node', async () => {
    const { paths, calls, npm } = setting()
    expect(await prepareNodeModules({ paths, npm })).toBe('installed')
    expect(await prepareNodeModules({ paths, npm })).toBe('ready')
    expect(calls).toEqual(['ci', 'rebuild'])
  })

  it('are installed again when the lock changed', async () => {
    const { paths, calls, npm } = setting()
    await prepareNodeModules({ paths, npm })
    write(join(paths.root, 'package-lock.json'), lock('2.0.0'))
    await prepareNodeModules({ paths, npm })
    expect(calls).toEqual(['ci', 'rebuild', 'ci', 'rebuild'])
  })

  it('are installed again after an interrupted install', async () => {
    const { paths, calls, npm } = setting()
    const interrupted = async () => {
      write(join(paths.nodeModules, 'a/package.json'), '{}')
      throw new Error('killed')
    }
    await expect(prepareNodeModules({ paths, npm: interrupted })).rejects.toThrow('killed')
    await prepareNodeModules({ paths, npm })
    expect(calls).toEqual(['ci', 'rebuild'])
  })

  it('that someone installed by hand are taken as they are', async () => {
    const { paths, calls, npm, bringNode } = setting()
    await npm(['ci'])
    bringNode()
    calls.length = 0
    expect(await prepareNodeModules({ paths, npm })).toBe('ready')
    expect(calls).toEqual([])
  })
})

describe('SQLite', () => {
  const setting = () => {
    const paths = project({ 'node_modules/better-sqlite3/package.json': '{"version":"13.2.0"}' })
    const builds: string[] = []
    const build = async (_: unknown, target: string) => {
      builds.push(target)
      write(target, 'a binding')
    }
    return { paths, builds, build, check: async () => {} }
  }
  const old = { napi: 9, path: 'electron' }

  it('is compiled for a Node-API 9 runtime, once', async () => {
    const { paths, builds, build, check } = setting()
    const first = await prepareSqlite({ paths, electron: old, build, check })
    expect(first.nativeBinding).toMatch(/^\.runtime\/sqlite\/13\.2\.0-napi9-\w+\/better_sqlite3\.node$/)
    expect(await prepareSqlite({ paths, electron: old, build, check })).toEqual(first)
    expect(builds).toHaveLength(1)
  })

  it('is left alone for a newer one', async () => {
    const { paths, builds, build, check } = setting()
    const electron = { napi: 10, path: 'electron' }
    expect(await prepareSqlite({ paths, electron, build, check })).toEqual({ nativeBinding: null })
    expect(builds).toEqual([])
  })

  it('that does not load is not kept', async () => {
    const { paths, builds, build, check } = setting()
    const broken = () => Promise.reject(new Error('does not load'))
    await expect(prepareSqlite({ paths, electron: old, build, check: broken })).rejects.toThrow(
      'does not load',
    )
    await prepareSqlite({ paths, electron: old, build, check })
    expect(builds).toHaveLength(2)
  })
})

describe('the embedding model', () => {
  const files = Object.keys(hubModel.files)
  const setting = () => {
    const paths = project()
    const calls: string[] = []
    const source =
      (name: string) =>
      async ({ folder }: { folder: string }) => {
        calls.push(name)
        for (const file of files) write(join(folder, file), `${name} ${file}`)
        return `${name}@1`
      }
    return { paths, calls, env: {}, fromHub: source('hub'), fromRegistry: source('registry') }
  }
  const unreachable = () => Promise.reject(new Error('huggingface.co did not answer'))

  it('comes from the hub, once', async () => {
    const { calls, ...options } = setting()
    const record = await prepareModel(options)
    expect(record).toMatchObject({ path: 'resources/models/all-MiniLM-L6-v2', source: 'hub', from: 'hub@1' })
    expect(await prepareModel(options)).toEqual(record)
    expect(calls).toEqual(['hub'])
  })

  it('comes from the registry where the hub cannot be used, and says so beside it', async () => {
    const { calls, ...options } = setting()
    const record = await prepareModel({ ...options, fromHub: unreachable })
    expect(record.source).toBe('registry')
    const noted = JSON.parse(readFileSync(join(options.paths.model, 'source.json'), 'utf8'))
    expect(noted).toMatchObject({ source: 'registry', sameAsHub: false })
    expect(Object.keys(noted.files)).toEqual(files)
    expect(calls).toEqual(['registry'])
  })

  it('is put in place again when a file was damaged or removed', async () => {
    const { calls, ...options } = setting()
    await prepareModel(options)
    writeFileSync(join(options.paths.model, files[3]!), 'hub onnx/model_damaged00.onnx')
    await prepareModel(options)
    rmSync(join(options.paths.model, files[0]!))
    await prepareModel(options)
    expect(calls).toEqual(['hub', 'hub', 'hub'])
  })

  it('stays when its files were only touched', async () => {
    const { calls, ...options } = setting()
    await prepareModel(options)
    utimesSync(join(options.paths.model, files[1]!), 1, 1)
    await prepareModel(options)
    expect(calls).toEqual(['hub'])
  })

  it('is absent, not half there, when both sources fail', async () => {
    const { calls: _, ...options } = setting()
    const half = async ({ folder }: { folder: string }) => {
      write(join(folder, files[0]!), 'half')
      throw new Error('the disk is full')
    }
    const failing = prepareModel({ ...options, fromHub: unreachable, fromRegistry: half })
    await expect(failing).rejects.toMatchObject({
      step: 'model',
      message: expect.stringContaining('disk is full'),
    })
    const record = await prepareModel(options)
    expect(record.source).toBe('hub')
  })
})

describe('the build', () => {
  const setting = () => {
    const paths = project({ 'src/main/index.ts': 'one', 'package.json': '{}' })
    const builds: number[] = []
    const build = async () => {
      builds.push(1)
      for (const file of ['main/index.js', 'main/cli.js', 'preload/index.cjs', 'renderer/index.html']) {
        write(join(paths.out, file), '')
      }
    }
    return { paths, builds, build, source: join(paths.root, 'src/main/index.ts') }
  }

  it('runs when a source changed, and only then', async () => {
    const { builds, source, ...options } = setting()
    expect(await prepareBuild(options)).toBe('built')
    expect(await prepareBuild(options)).toBe('ready')
    utimesSync(source, 1, 1)
    expect(await prepareBuild(options)).toBe('ready')
    writeFileSync(source, 'two')
    expect(await prepareBuild(options)).toBe('built')
    writeFileSync(join(dirname(source), 'new.ts'), '')
    expect(await prepareBuild(options)).toBe('built')
    expect(builds).toHaveLength(3)
  })

  it('runs again when it was interrupted or its result is gone', async () => {
    const { builds, source, ...options } = setting()
    await prepareBuild(options)
    writeFileSync(source, 'two')
    const interrupted = () => Promise.reject(new Error('killed'))
    await expect(prepareBuild({ ...options, build: interrupted })).rejects.toThrow('killed')
    writeFileSync(source, 'one')
    await prepareBuild(options)
    rmSync(join(options.paths.out, 'main/cli.js'))
    await prepareBuild(options)
    expect(builds).toHaveLength(3)
  })
})
