import { describe, expect, it } from 'vitest'
import { checkArrows } from '../../scripts/lib/arrows.mjs'

const messages = (path: string, text: string) => checkArrows([{ path, text }]).map(({ message }) => message)
const allowed = (path: string, text: string) => expect(messages(path, text)).toEqual([])
const refused = (path: string, text: string, why: RegExp) => {
  const found = messages(path, text)
  expect(found).toHaveLength(1)
  expect(found[0]).toMatch(why)
}

describe('rooms', () => {
  it('may import from rooms to their left, and not from those to their right', () => {
    allowed('src/main/curator/arcs.ts', `import { items } from '../journal'`)
    allowed('src/main/surfaces/ipc/handlers.ts', `import { open } from '../../store/index'`)
    refused('src/main/journal/items.ts', `import { arcs } from '../curator'`, /only rooms to its left/)
  })

  it('on the ground floor import no other room', () => {
    allowed(
      'src/main/faculty/assembler.ts',
      `import { bid } from './bids'\nimport type { B } from '@shared/bids'`,
    )
    refused('src/main/faculty/assembler.ts', `import { open } from '../store'`, /ground floor/)
    refused('src/main/models/embedder.ts', `import { open } from '../store'`, /ground floor/)
    refused('src/main/store/open.ts', `import { count } from '../models'`, /ground floor/)
  })

  it('are used through their index only, and freely within', () => {
    allowed('src/main/journal/watch/cursor.ts', `import { a } from '../formats/claude'`)
    allowed('src/main/curator/arcs.ts', `import { a } from '../journal/index.js'`)
    refused('src/main/curator/arcs.ts', `import { a } from '../journal/items'`, /index\.ts only/)
  })

  it('do not import what composes them', () => {
    refused('src/main/journal/items.ts', `import { engine } from '../engine'`, /what composes it/)
    refused(
      'src/main/journal/items.ts',
      `import create from '../workers/ingest?nodeWorker'`,
      /what composes it/,
    )
    allowed('src/main/models/embedder.ts', `import create from './embed.worker?nodeWorker'`)
  })

  it('have known names', () => {
    refused('src/main/helpers/text.ts', 'export const a = 1', /belongs to no room/)
    refused('src/tools/text.ts', 'export const a = 1', /belongs to no room/)
    allowed('src/main/proxy/beta.ts', 'export const a = 1')
  })
})

describe('the composition root', () => {
  it.each([
    'engine.ts',
    'index.ts',
    'cli.ts',
    'engine/health.ts',
    'workers/ingest.ts',
    'window/main-window.ts',
  ])('%s imports every room, through its index', (file) => {
    const up = file.includes('/') ? '..' : '.'
    allowed(`src/main/${file}`, `import { a } from '${up}/surfaces'\nimport { b } from '${up}/engine'`)
    refused(`src/main/${file}`, `import { a } from '${up}/store/open'`, /index\.ts only/)
  })
})

describe('the other areas', () => {
  it('shared imports nothing but zod and itself', () => {
    allowed(
      'src/shared/contract.ts',
      `import { z } from 'zod'\nimport { a } from './ids'\nimport '@shared/labels'`,
    )
    refused('src/shared/contract.ts', `import { join } from 'node:path'`, /only zod and itself/)
    refused('src/shared/contract.ts', `import { open } from '../main/store'`, /only zod and itself/)
    refused('src/shared/contract.ts', `import p from '../../package.json'`, /only zod and itself/)
  })

  it('the renderer and the preload import only shared and themselves', () => {
    allowed(
      'src/renderer/app.tsx',
      `import { a } from '@shared/contract'\nimport './app.css'\nimport React from 'react'`,
    )
    refused('src/renderer/app.tsx', `import type { A } from '../main/journal'`, /only src\/shared and itself/)
    allowed('src/preload/index.ts', `import { contextBridge } from 'electron'\nimport '@shared/channels'`)
    refused('src/preload/index.ts', `import { a } from '../renderer/state'`, /only src\/shared and itself/)
    refused('src/main/index.ts', `import { a } from '../renderer/state'`, /does not import src\/renderer/)
  })
})

describe('packages with one place', () => {
  it.each([
    ['electron', 'src/main/window/menu.ts', 'src/main/surfaces/ipc.ts'],
    ['electron/main', 'src/main/index.ts', 'src/main/cli.ts'],
    ['better-sqlite3', 'src/main/store/open.ts', 'src/main/store/migrate.ts'],
    ['sqlite-vec', 'src/main/store/open.ts', 'src/main/hydration/walk.ts'],
    ['@xenova/transformers', 'src/main/models/embed.worker.ts', 'src/main/engine.ts'],
  ])('%s is imported in %s and not in %s', (name, place, elsewhere) => {
    allowed(place, `import x from '${name}'`)
    refused(elsewhere, `import type { X } from '${name}'`, /is imported only in/)
  })
})

describe('every form of import counts', () => {
  it.each([
    `import a from '../curator'`,
    `import type { A } from "../curator"`,
    `import {\n  a,\n  b,\n} from '../curator'`,
    `export { a } from '../curator'`,
    `export * from '../curator'`,
    `import '../curator'`,
    `const a = await import('../curator')`,
    `type A = import('../curator').A`,
    `const a = require('../curator')`,
    `import create from '../curator/index?nodeWorker'`,
    `const a = 'x'\nexport const t = \`\${a ? \`it's\` : ''}\`\nvoid import('../curator')`,
    `const quote = /['"]/g\nvoid import('../curator')`,
  ])('%j', (text) => {
    refused('src/main/journal/items.ts', text, /only rooms to its left/)
  })

  it.each([
    `// import a from '../curator'`,
    `/* export * from '../curator' */`,
    `const text = "import a from '../curator'"`,
    `const text = \`import a from '../curator'\``,
  ])('but text about imports does not: %j', (text) => allowed('src/main/journal/items.ts', text))

  it('and the line is that of the import', () => {
    const [violation] = checkArrows([
      {
        path: 'src/main/journal/a.ts',
        text: `/*\n\n*/\nconst a = \`\n\`\nimport {\n  b,\n} from '../curator'\n`,
      },
    ])
    expect(violation).toMatchObject({ line: 8, level: 'error' })
  })

  it('an apostrophe in JSX text hides nothing behind it', () => {
    refused('src/renderer/a.tsx', `const a = <p>Don't</p>\nvoid import('../main/store')`, /only src\/shared/)
  })
})

describe('length', () => {
  const lines = (count: number) => 'const a = 1\n'.repeat(count)
  const level = (count: number) => checkArrows([{ path: 'test/a.test.ts', text: lines(count) }])[0]?.level

  it('over 400 lines is an error, over 300 a warning', () => {
    expect([300, 301, 400, 401].map(level)).toEqual([undefined, 'warning', 'warning', 'error'])
  })
})
