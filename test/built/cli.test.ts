import { execFile } from 'node:child_process'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../support'
import { answers, chainOf, says, writeTranscripts } from './fixtures'

// The command line as built, in processes of its own: what a person's shell runs.

const cli = resolve(import.meta.dirname, '../../out/main/cli.js')

interface Ran {
  code: number
  out: string
  err: string
}

function fovea(home: string, argv: string[], stdin?: string): Promise<Ran> {
  return new Promise((done) => {
    const child = execFile(
      process.execPath,
      [cli, ...argv, '--home', home],
      { maxBuffer: 64 * 1024 * 1024 },
      (error, out, err) =>
        done({ code: typeof error?.code === 'number' ? error.code : error ? 1 : 0, out, err }),
    )
    child.stdin?.end(stdin ?? '')
  })
}

async function json<T = Record<string, never>>(home: string, argv: string[], stdin?: string): Promise<T> {
  const ran = await fovea(home, [...argv, '--json'], stdin)
  expect(ran, ran.err).toMatchObject({ code: 0 })
  return JSON.parse(ran.out) as T
}

beforeAll(() => {
  if (!existsSync(cli)) throw new Error('out/main/cli.js is missing: npm run build')
})

interface Ingested {
  new: number
  updated: number
  bytes: number
  masked: number
  sessions: number
  items: Record<string, number>
  records: {
    read: number
    used: number
    attached: number
    dropped: Record<string, number>
    duplicates: number
    errors: number
  }
  errors: { file: string; line: number; reason: string }[]
}

// Some twenty processes one after another: slow on a busy machine, and nothing is measured here.
describe('fovea, from transcripts to a shared bundle', { timeout: 180_000 }, () => {
  test('ingests, finds, renders, reviews and exports, each step in a process of its own', async () => {
    const home = temporaryFolder()
    const source = temporaryFolder()
    const files = writeTranscripts(source)

    const first = await json<Ingested>(home, ['ingest', source])
    expect(first).toMatchObject({ sessions: 2, masked: 1, errors: [] })
    expect(first.items).toMatchObject({ goal: 2, conclusion: 2, plan: 2, decision: 2, file_op: 1 })
    const { records } = first
    const dropped = Object.values(records.dropped).reduce((a, b) => a + b, 0)
    expect(records.read).toBe(records.used + records.attached + dropped + records.duplicates + records.errors)

    const again = await json<Ingested>(home, ['ingest', source])
    expect(again).toMatchObject({ new: 0, updated: 0, bytes: 0 })

    const found = await json<{
      hits: { handle: string; kind: string; pointer: { file: string; line: number } }[]
    }>(home, ['search', 'webhook idempotency backoff'])
    expect(found.hits.length).toBeGreaterThan(0)
    expect(found.hits[0]?.pointer.file).toBe(files.webhook)

    const rendered = await json<{
      frame: string
      receipt: { id: string; budget: { spent: number; total: number }; facts: { handle: string }[] }
    }>(home, ['hydrate', '--goal', 'how does the payment webhook retry', '--budget', '600'])
    expect(rendered.frame).toMatch(/idempotency|backs off/)
    expect(rendered.receipt.budget.spent).toBeLessThanOrEqual(600)
    const receipt = await json<{ facts: { handle: string }[] }>(home, ['receipt', rendered.receipt.id])
    expect(receipt.facts.map((fact) => fact.handle)).toEqual(
      rendered.receipt.facts.map((fact) => fact.handle),
    )

    const handle = rendered.receipt.facts[0]?.handle ?? ''
    expect(await json(home, ['verify', handle])).toMatchObject({ checked: 1, unchanged: 1 })

    const imported = await json(home, ['gate', 'import'])
    expect(imported).toMatchObject({ found: 2, imported: 2, approve: 1, correct: 1, reject: 0, pending: 0 })

    const plan = join(source, 'PLAN.md')
    writeFileSync(plan, '# Move invoices\n\n## Steps\n1. Drop the old table.\n')
    const { id } = await json<{ id: string }>(home, ['gate', 'add', plan, '--project', 'shop-api'])
    const sealed = await json<{ seal: string; prior?: unknown }>(home, ['gate', 'predict', id])
    expect(sealed.seal).toMatch(/^[0-9a-f]{64}$/)
    expect(sealed.prior).toBeUndefined()
    const decided = await json<{
      prediction: { seal: string; prior: { approve: number } }
      surpriseBits: number
    }>(home, ['gate', 'decide', id, '--action', 'correct', '--notes', 'Where is the rollback?'])
    expect(decided.prediction.seal).toBe(sealed.seal)
    expect(decided.prediction.prior.approve).toBeGreaterThan(0)
    expect(decided.surpriseBits).toBeGreaterThan(0)
    expect(await json(home, ['metrics'])).toMatchObject({ n: 1 })

    const bundle = join(source, 'shared.jsonl')
    const exported = await json<{ items: number }>(home, [
      'export',
      '--out',
      bundle,
      '--ceiling',
      'L2',
      '--project',
      'shop-api',
    ])
    expect(exported.items).toBeGreaterThan(5)
    const text = readFileSync(bundle, 'utf8')
    expect(text).not.toContain('Replays are ignored by key. The webhook backs off')
    expect(text).not.toContain('ghp_')
  })

  test('no secret reaches any file of the data folder', async () => {
    const home = temporaryFolder()
    const source = temporaryFolder()
    writeTranscripts(source)
    await json(home, ['ingest', source])
    await json(home, ['search', 'CSV export token'])
    const holding = everyFile(home).filter((file) =>
      readFileSync(file).includes('ghp_abcdefghijklmnopqrstuvwxyz'),
    )
    expect(holding).toEqual([])
  })

  test('what is appended is read from where the last run ended', async () => {
    const home = temporaryFolder()
    const source = temporaryFolder()
    const { csv } = writeTranscripts(source)
    await json(home, ['ingest', source, '--no-embed'])
    const more = chainOf('22222222-2222-4222-8222-222222222222', 300)
    const line = `${answers(more, 'Finance chose ISO dates; the export is done.')}\n`
    appendFileSync(csv, line)
    const run = await json<Ingested>(home, ['ingest', source, '--no-embed'])
    expect(run).toMatchObject({ new: 1 })
    expect(run.bytes).toBe(Buffer.byteLength(line))
  })

  test('the same files in another order and in pieces give the same dump', async () => {
    const source = temporaryFolder()
    const { webhook, csv } = writeTranscripts(source)
    const [one, two] = [temporaryFolder(), temporaryFolder()]
    await json(one, ['ingest', webhook, csv, '--no-embed'])
    const whole = readFileSync(webhook)
    writeFileSync(webhook, whole.subarray(0, 1000))
    await json(two, ['ingest', csv, webhook, '--no-embed'])
    writeFileSync(webhook, whole)
    await json(two, ['ingest', webhook, '--no-embed'])
    const [a, b] = [await fovea(one, ['dump']), await fovea(two, ['dump'])]
    expect(a.out).toBe(b.out)
    expect(a.out.trim().split('\n').length).toBeGreaterThan(8)
  })

  test('generic JSONL comes through a pipe', async () => {
    const home = temporaryFolder()
    const lines = [
      {
        id: '1',
        session: 's',
        ts: '2026-10-01T10:00:00Z',
        role: 'user',
        name: 'Ann',
        text: 'Let us move the meeting to Lisbon in spring',
      },
      {
        id: '2',
        session: 's',
        ts: 1_790_000_000_000,
        role: 'assistant',
        text: 'I will look for flights to Lisbon.',
      },
    ]
    const run = await json<Ingested>(
      home,
      ['ingest', '-', '--project', 'travel'],
      `${lines.map((line) => JSON.stringify(line)).join('\n')}\nnot json\n`,
    )
    expect(run.new).toBe(2)
    expect(run.records.errors).toBe(1)
    const found = await json<{ hits: unknown[] }>(home, ['search', 'Lisbon'])
    expect(found.hits).toHaveLength(2)
  })

  test('a missing path, a broken database and a read-only folder each give one sentence', async () => {
    const home = temporaryFolder()
    const missing = await fovea(home, ['ingest', join(home, 'no-such-folder')])
    expect(missing.code).toBe(1)
    expect(missing.err.trim().split('\n')).toHaveLength(1)
    const broken = temporaryFolder()
    writeFileSync(join(broken, 'fovea.db'), 'x'.repeat(5000))
    const opened = await fovea(broken, ['stats'])
    expect(opened.code).toBe(1)
    expect(opened.err).toMatch(/not a readable Fovea database/)
    expect(opened.err).not.toMatch(/\n\s+at /)
  })

  test('a dump never writes over a file, least of all over the database', async () => {
    const home = temporaryFolder()
    await json(home, ['stats'])
    const before = readFileSync(join(home, 'fovea.db'))
    const over = await fovea(home, ['dump', '--out', join(home, 'fovea.db')])
    expect(over.code).toBe(1)
    expect(over.err).toMatch(/exists already/)
    expect(readFileSync(join(home, 'fovea.db')).equals(before)).toBe(true)
  })

  test('a reader that has enough ends a dump quietly, and nothing is left in the temporary folder', async () => {
    const home = temporaryFolder()
    const source = temporaryFolder()
    const scratch = temporaryFolder()
    writeTranscripts(source)
    await json(home, ['ingest', source, '--no-embed'])
    const ran = await new Promise<Ran>((done) => {
      execFile(
        '/bin/sh',
        ['-c', '"$0" "$@" | head -c 10', process.execPath, cli, 'dump', '--home', home],
        { env: { ...process.env, TMPDIR: scratch } },
        (error, out, err) => done({ code: error ? 1 : 0, out, err }),
      )
    })
    expect(ran.err).toBe('')
    expect(readdirSync(scratch)).toEqual([])
  })

  test('an argument of 60,000 characters without a space is answered', async () => {
    const home = temporaryFolder()
    const found = await fovea(home, ['search', 'a'.repeat(60_000), '--json'])
    expect(found.code).toBe(0)
    expect(JSON.parse(found.out)).toMatchObject({ hits: [] })
  })

  test('what a fast clock has dated ahead of ours is found by search and by hydrate', async () => {
    const home = temporaryFolder()
    const ahead = {
      id: '1',
      session: 's',
      ts: Date.now() + 4 * 3_600_000,
      role: 'user',
      text: 'The giraffe ledger moves to Lisbon',
    }
    await json(home, ['ingest', '-', '--no-embed'], `${JSON.stringify(ahead)}\n`)
    const rendered = await json<{ frame: string }>(home, [
      'hydrate',
      '--goal',
      'giraffe ledger',
      '--budget',
      '400',
    ])
    expect(rendered.frame).toContain('giraffe')
  })

  test('doctor and stats answer on a new data folder', async () => {
    const home = join(temporaryFolder(), 'deep', 'er')
    expect(await json(home, ['stats'])).toMatchObject({ items: 0, sources: 0 })
    const checks = await json<{ checks: { name: string; ok: boolean }[] }>(home, ['doctor'])
    expect(checks.checks.find((check) => check.name === 'database')).toMatchObject({ ok: true })
    expect(statSync(home).mode & 0o077).toBe(0)
  })
})

describe('two processes on one data folder', () => {
  test('ingest at the same time without a loss or a double', async () => {
    const home = temporaryFolder()
    const source = temporaryFolder()
    mkdirSync(join(source, 'many'))
    for (let n = 0; n < 30; n++) {
      const chain = chainOf(`33333333-3333-4333-8333-3333333333${String(n).padStart(2, '0')}`)
      const lines = Array.from({ length: 20 }, (_, i) =>
        i % 2
          ? answers(chain, `Answer ${i} of ${n}: done with part ${i}.`)
          : says(chain, `Please build part ${i} of system ${n}`),
      )
      writeFileSync(join(source, 'many', `${chain.session}.jsonl`), `${lines.join('\n')}\n`)
    }
    const runs = await Promise.all([
      fovea(home, ['ingest', source, '--no-embed']),
      fovea(home, ['ingest', source, '--no-embed']),
    ])
    expect(runs.map((run) => run.code)).toEqual([0, 0])
    const alone = temporaryFolder()
    await json(alone, ['ingest', source, '--no-embed'])
    const [both, one] = [await fovea(home, ['dump']), await fovea(alone, ['dump'])]
    expect(both.out).toBe(one.out)
  })
})

function everyFile(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}
