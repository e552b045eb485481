import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { electronLaunch } from '../../scripts/lib/electron-launch.mjs'
import { temporaryFolder } from './temporary'

const runtime = (nativeBinding: string | null) => ({
  electron: { path: '.runtime/e/electron', version: '33.2.1', source: 'registry', reason: '', napi: 9 },
  sqlite: { nativeBinding },
})
const project = (record: unknown) =>
  temporaryFolder({ '.runtime/e/electron': '', '.runtime/runtime.json': JSON.stringify(record) })

describe('starting the app', () => {
  it('gives the runtime, the project and the SQLite binding by absolute path', () => {
    const root = project(runtime('.runtime/s.node'))
    const { executablePath, args, env, cwd } = electronLaunch({ root, env: { A: '1', B: undefined } })
    expect(executablePath).toBe(join(root, '.runtime/e/electron'))
    expect(args.at(-1)).toBe(root)
    expect(env).toEqual({ A: '1', FOVEA_SQLITE_BINDING: join(root, '.runtime/s.node') })
    expect(cwd).toBe(root)
  })

  it('gives no binding where the packaged one works, and never starts Electron as Node', () => {
    const root = project(runtime(null))
    expect(electronLaunch({ root, env: { ELECTRON_RUN_AS_NODE: '1' } }).env).toEqual({})
  })

  it('leaves the sandbox only as root', () => {
    const { args } = electronLaunch({ root: project(runtime(null)), env: {} })
    expect(args.includes('--no-sandbox')).toBe(process.getuid?.() === 0)
  })

  it('without a runtime says what to run', () => {
    const failing = () => electronLaunch({ root: temporaryFolder() })
    expect(failing).toThrow(expect.objectContaining({ step: 'electron', todo: 'Run: npm run setup' }))
  })
})
