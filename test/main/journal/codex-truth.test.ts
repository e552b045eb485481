import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { zstdCompressSync } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { enrol, ingestSources } from '../../../src/main/journal'
import { temporaryFolder } from '../../support'
import { damagedAlike } from './damage'
import { copied, type Rollout, rollout } from './rollouts'
import { append, brokenInvariants, dump, ingest, jsonl, openJournal, put } from './transcripts'

const HOUR = 3_600_000

/** A session with a little of everything. */
function session(n: number, options: Parameters<typeof rollout>[1] = {}, turns = 4): Rollout {
  const s = rollout(n, options)
  s.meta()
  for (let turn = 0; turn < turns; turn++) {
    const turn_id = s.turn(turn === 1 ? 'plan' : 'default')
    s.user(['change part one, héllo 😀', 'plan part two', 'Implement the plan.', 'yes'][turn % 4] ?? '')
    s.said(`I look at it ${turn}`, options.turns === false ? undefined : 'commentary')
    s.call(`call_aaaaaaaaaaaaa${n}-${turn}`, 'exec_command', { cmd: `npm test -- part${turn}` })
    s.call(
      `call_bbbbbbbbbbbbb${n}-${turn}`,
      'apply_patch',
      `*** Begin Patch\n*** Update File: a${turn}.ts\n-a\n+b`,
    )
    s.output(`call_bbbbbbbbbbbbb${n}-${turn}`, 'Success.')
    s.output(`call_aaaaaaaaaaaaa${n}-${turn}`, `Exit code: ${turn % 2}\nOutput:\nok ${turn}`)
    if (turn === 1) {
      s.event('item_completed', { turn_id, item: { type: 'Plan', id: 'p', text: `# Plan ${n}` } })
      s.said(`<proposed_plan>\n# Plan ${n}\n</proposed_plan>`)
    }
    s.said(`Done with ${turn}`)
    if (turn % 2 === 0) s.done()
  }
  return s
}

function child(parent: Rollout, n: number, extra: object, turns: boolean): Rollout {
  const s = rollout(n, { start: parent.now() + HOUR, turns })
  s.meta(extra as never)
  for (const line of copied(parent.lines, s.now() + 5)) s.lines.push(line)
  s.wait(5 + parent.lines.length)
  s.turn()
  s.user(`go another way ${n}`)
  s.call(`call_ccccccccccccc${n}`, 'exec_command', { cmd: 'ls' })
  s.output(`call_ccccccccccccc${n}`, 'Exit code: 0\nOutput:\na')
  s.said('Another way it is.')
  s.done()
  return s
}

/** Sessions that fork, resume, repeat and compress each other. */
function corpus(): Record<string, Uint8Array | string> {
  const a = session(1)
  const old = session(3, { turns: false, start: Date.parse('2025-10-01T09:00:00Z') })
  const fork = child(a, 2, { forked_from_id: a.id }, true)
  const grandchild = child(fork, 5, { forked_from_id: fork.id }, true)
  const spawn = { source: { subagent: { thread_spawn: { parent_thread_id: a.id, depth: 1 } } } }
  const sub = child(a, 6, spawn, true)
  const oldFork = child(old, 4, { forked_from_id: old.id }, false)
  return {
    [`sessions/rollout-${a.id}.jsonl`]: jsonl(a.lines),
    [`sessions/rollout-${a.id}.jsonl.zst`]: zstdCompressSync(jsonl(a.lines)),
    [`archived_sessions/rollout-${a.id}.jsonl`]: jsonl(a.lines.slice(0, 30)),
    [`sessions/rollout-${fork.id}.jsonl`]: jsonl(fork.lines),
    [`archived_sessions/rollout-${grandchild.id}.jsonl`]: jsonl(grandchild.lines),
    [`sessions/rollout-${sub.id}.jsonl`]: jsonl(sub.lines),
    [`sessions/rollout-${old.id}.jsonl`]: jsonl(old.lines),
    [`sessions/rollout-${oldFork.id}.jsonl`]: jsonl(oldFork.lines),
  }
}

describe('one truth, however it is read', () => {
  const files = corpus()
  const names = Object.keys(files)
  // One path for all of them: pointers are part of the dump.
  let root = ''
  beforeAll(() => {
    root = join(mkdtempSync(join(tmpdir(), 'fovea-test-')), 'src')
  })
  afterAll(() => rmSync(dirname(root), { recursive: true, force: true }))

  async function journalOf(order: readonly string[]): Promise<string> {
    rmSync(root, { recursive: true, force: true })
    const { db, journal } = openJournal()
    for (const name of order) {
      put(join(root, name), files[name] ?? '')
      await ingest(journal, root)
    }
    expect(brokenInvariants(db)).toEqual([])
    return dump(db)
  }

  test('the order of files does not matter, byte for byte', async () => {
    const expected = await journalOf(names)
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(names, { minLength: names.length }), async (order) => {
        expect(await journalOf(order)).toBe(expected)
      }),
      { numRuns: 8 },
    )
  })

  test('pieces cut at arbitrary bytes give the same journal as one go', async () => {
    const plain = names.filter((name) => !name.endsWith('.zst'))
    const expected = await journalOf(plain)
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ name: fc.constantFrom(...plain), size: fc.integer({ min: 1, max: 6000 }) }), {
          minLength: 3,
          maxLength: 25,
        }),
        async (steps) => {
          rmSync(root, { recursive: true, force: true })
          const { db, journal } = openJournal()
          const at = new Map(plain.map((name) => [name, 0]))
          for (const name of plain) put(join(root, name), '')
          for (const step of [...steps, ...plain.map((name) => ({ name, size: Number.POSITIVE_INFINITY }))]) {
            const bytes = Buffer.from(files[step.name] ?? '')
            const from = at.get(step.name) ?? 0
            const to = Math.min(bytes.length, from + step.size)
            append(join(root, step.name), bytes.subarray(from, to))
            at.set(step.name, to)
            await ingest(journal, root)
          }
          expect(brokenInvariants(db)).toEqual([])
          expect(dump(db)).toBe(expected)
        },
      ),
      { numRuns: 8 },
    )
  })

  test('a head line that comes late, or changes the mode, is the same read record by record', async () => {
    const s = rollout(1)
    s.turn('plan')
    s.user('change part one')
    s.call('short', 'exec_command', { cmd: 'npm test' })
    s.said('I look at it.\n<proposed_plan>\n# Plan\n</proposed_plan>')
    s.meta()
    s.turn('default')
    s.output('short', 'Exit code: 0\nOutput:\nok')
    s.done()
    const path = join(temporaryFolder(), 'x.jsonl')
    const whole = openJournal()
    put(path, jsonl(s.lines))
    await ingest(whole.journal, path, { format: 'codex' })
    const pieces = openJournal()
    put(path, '')
    const source = enrol(pieces.journal, { path, format: 'codex' })
    for (const line of s.lines) {
      append(path, jsonl([line]))
      await ingestSources(pieces.journal, [source])
    }
    expect(dump(pieces.db)).toBe(dump(whole.db))
  })

  test('damaged rollouts: every record is accounted for, in one go or in pieces, with the same result', async () => {
    const texts = Object.values(files).filter((file) => typeof file === 'string')
    await damagedAlike(texts.slice(0, 3).join(''), 'codex', 12)
  })
})
