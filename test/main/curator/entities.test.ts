import { describe, expect, test } from 'vitest'
import { type EntityType, extractEntities } from '../../../src/main/curator'

const of = (type: EntityType, text: string): string[] =>
  extractEntities(text)
    .filter((entity) => entity.type === type)
    .map((entity) => entity.value)

describe('entities by rules', () => {
  test('paths, with line numbers and leading dots taken off', () => {
    expect(
      of(
        'path',
        'See ./src/store/open.ts:12:4, "docs/plan.md" and (packages/core/index.js). Also /etc/nginx/nginx.conf, ~/.claude/projects, README.md and vitest.config.ts; edit src/main too.',
      ),
    ).toEqual([
      'src/store/open.ts',
      'docs/plan.md',
      'packages/core/index.js',
      '/etc/nginx/nginx.conf',
      '~/.claude/projects',
      'README.md',
      'vitest.config.ts',
      'src/main',
    ])
  })

  test('what only looks like a path is none', () => {
    expect(
      of(
        'path',
        'Use and/or, TCP/IP, 1/2, N/A, 2026/01/02, read/write, Node.js and Next.js, e.g. i.e. v1.2.3.',
      ),
    ).toEqual([])
  })

  test('the same path written twice is one entity', () => {
    expect(of('path', './src/a.ts src/a.ts:3 `src/a.ts`')).toEqual(['src/a.ts'])
  })

  test('commands in code spans and behind a prompt', () => {
    expect(of('command', 'Run `npm test  -- --watch` then:\n$ git push origin main\nand `make`.')).toEqual([
      'npm test -- --watch',
      'git push origin main',
      'make',
    ])
    expect(of('command', 'Then make it go and find the node.')).toEqual([])
  })

  test('packages: installed, imported, scoped, with a version', () => {
    expect(
      of(
        'package',
        "npm install -D vitest@4.1.2 @types/node and go on\nimport { z } from 'zod'\nimport x from './local'\nrequire('lodash/fp')\nwe pin react@19.3.1",
      ),
    ).toEqual(['vitest', '@types/node', 'zod', 'lodash', 'react'])
  })

  test('URLs end where the sentence goes on', () => {
    expect(of('url', 'See https://example.com/a?b=1). And <http://x.test/y>, ok.')).toEqual([
      'https://example.com/a?b=1',
      'http://x.test/y',
    ])
  })

  test('issues and error codes, but no standards', () => {
    expect(of('issue', 'Fixes #123, owner/repo#45 and ABC-99; encoded as UTF-8 with SHA-256.')).toEqual([
      '#123',
      'owner/repo#45',
      'ABC-99',
    ])
    expect(of('error', 'TypeError: boom, ENOENT, error TS2345: and SQLITE_BUSY, exit 1, ERROR')).toEqual([
      'TypeError',
      'ENOENT',
      'TS2345',
      'SQLITE_BUSY',
    ])
  })

  test('symbols by their shape or their code span, product names left out', () => {
    expect(
      of(
        'symbol',
        'call parseConfig() or `open`, set MAX_RETRIES, user_id, HttpClient; GitHub and TypeScript are fine.',
      ),
    ).toEqual(['open', 'parseConfig', 'MAX_RETRIES', 'user_id', 'HttpClient'])
  })

  test('hostile text is read in linear time and answers with a bounded list', () => {
    const hostile = [
      'a/'.repeat(500_000),
      '`'.repeat(300_000),
      'x'.repeat(1_000_000),
      'npm install '.repeat(100_000),
      `${'a.'.repeat(200_000)}ts`,
      Array.from({ length: 50_000 }, (_, n) => `f${n}.ts`).join(' '),
    ]
    for (const text of hostile) expect(extractEntities(text).length).toBeLessThanOrEqual(200)
  })
})
