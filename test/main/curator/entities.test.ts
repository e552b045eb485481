import { describe, expect, test } from 'vitest'
import { type EntityType, extractEntities, simpleCommands } from '../../../src/main/curator'

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

  test('a command line is taken apart: pipes, redirections, variables and here-documents are not the command', () => {
    const line =
      'cd /srv && TOKEN=$(op read x) NODE_ENV=test time npm test -- "a && b" 2>&1 | tee out.log; n=$(git rev-parse HEAD)'
    expect(simpleCommands(line)).toEqual(['npm test -- "a && b"', 'git rev-parse HEAD'])
    expect(simpleCommands("cat > a.txt <<'EOF'\nrm -rf /\nEOF\nls -l \\\n  src # why")).toEqual([
      'cat',
      'ls -l src',
    ])
    expect(simpleCommands('git reset --hard <older>')).toEqual(['git reset --hard <older>'])
  })

  test('routes, branches, globs, variables and cut paths are no paths; a jq filter neither', () => {
    const text =
      'origin/ada/fix-2 repos/o/r/pulls/1/comments .../cli/a.go src/*.ts $HOME/a.ts /dev/null \\(.owner.login)/\\(.name)'
    expect(of('path', text)).toEqual([])
    expect(of('path', '.github/workflows/ci.yml `strategy/` ./cmd/app/... file:///srv/a.ts')).toEqual([
      'strategy',
      '.github/workflows/ci.yml',
      'cmd/app',
      '/srv/a.ts',
    ])
  })

  test('import paths, codes of linters and HTTP, people and models', () => {
    expect(
      of('package', 'ok github.com/a/b/c 0.1s, golang.org/x/sys@v0.1.0/unix, actions/checkout@v4'),
    ).toEqual(['github.com/a/b/c', 'golang.org/x/sys', 'actions/checkout'])
    expect(of('error', 'a.go:1:2: G304: inclusion; status code 404; pkg.SilentError')).toEqual([
      'SilentError',
      'HTTP 404',
      'G304',
    ])
    expect(of('person', 'Co-Authored-By: Ada Byron <ada@example.com>')).toEqual(['Ada Byron'])
    expect(of('model', 'by Claude Opus 4.6 and gpt-5.1-codex.')).toEqual(['claude-opus-4.6', 'gpt-5.1-codex'])
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
