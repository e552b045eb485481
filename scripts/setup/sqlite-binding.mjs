import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { readJson, sha256 } from '../lib/files.mjs'
import { insideEnv } from '../lib/npm.mjs'
import { run } from '../lib/run.mjs'
import { say, secondsSince } from '../lib/say.mjs'
import { ensureTools } from './system-packages.mjs'

const header = new URL('node-api-9.h', import.meta.url)

/**
 * better-sqlite3 ships a Node-API 10 binary, which crashes an older runtime. For such a runtime its own
 * source is compiled once, into .runtime/ (`npm ci` would delete it in node_modules).
 *
 * @param {{ paths: ReturnType<typeof import('../lib/paths.mjs').pathsIn>, electron: { napi: number, path: string },
 *   build?: typeof compile, check?: typeof loads }} options
 * @returns {Promise<{ nativeBinding: string | null }>} the path is relative to the project
 */
export async function prepareSqlite({ paths, electron, build = compile, check = loads }) {
  if (electron.napi >= 10) return { nativeBinding: null }
  const version = readJson(join(paths.nodeModules, 'better-sqlite3/package.json')).version
  const key = sha256(readFileSync(header)).slice(0, 8)
  const target = join(paths.runtime, `sqlite/${version}-napi9-${key}/better_sqlite3.node`)
  if (!existsSync(target)) {
    await ensureTools('sqlite')
    const started = Date.now()
    say('sqlite', `compiling better-sqlite3 ${version} for this runtime (once, one to two minutes)`)
    // Required by name to be checked, so it must end in .node already.
    const part = join(dirname(target), 'part.node')
    mkdirSync(dirname(target), { recursive: true })
    await build(paths, part)
    await check(paths, electron, part)
    renameSync(part, target)
    say('sqlite', `compiled in ${secondsSince(started)}`)
  }
  return { nativeBinding: relative(paths.root, target) }
}

/** In the system's temporary folder: make cannot handle a project path with a space in it. */
async function compile(paths, target) {
  const work = mkdtempSync(join(tmpdir(), 'fovea-sqlite-'))
  try {
    const source = join(work, 'better-sqlite3')
    cpSync(join(paths.nodeModules, 'better-sqlite3'), source, { recursive: true })
    copyFileSync(header, join(work, 'node-api-9.h'))
    // The npm package of Node carries its headers, so none has to be fetched.
    symlinkSync(nodeHeaders(paths), join(work, 'headers'))
    const args = [
      'rebuild',
      '--release',
      '--force_build=1',
      '--jobs=max',
      `--nodedir=${join(work, 'headers')}`,
    ]
    const env = { ...insideEnv(), CXXFLAGS: `-include ${join(work, 'node-api-9.h')}` }
    await run('sqlite', paths.node, [join(paths.nodeModules, 'node-gyp/bin/node-gyp.js'), ...args], {
      cwd: source,
      env,
      doing: 'still compiling',
    })
    copyFileSync(join(source, 'build/Release/better_sqlite3.node'), target)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

function nodeHeaders(paths) {
  return join(paths.nodeModules, `node/node_modules/node-${process.platform}-${process.arch}`)
}

/** A binding that does not open a database in the runtime it was built for is not kept. */
async function loads(paths, electron, binding) {
  const script = `const D=require('better-sqlite3');const d=new D(':memory:',{nativeBinding:${JSON.stringify(binding)}});
    d.prepare('select ? as v').get('x').v==='x'||process.exit(3)`
  await run('sqlite', join(paths.root, electron.path), ['-e', script], {
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
    todo: 'The compiled SQLite does not load; delete .runtime/sqlite and run the setup again.',
  })
}
