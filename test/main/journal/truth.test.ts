import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { damagedAlike } from './damage'
import {
  append,
  brokenInvariants,
  dump,
  ingest,
  items,
  type Json,
  jsonl,
  openJournal,
  put,
  scribe,
} from './transcripts'

// Hundreds of small journals: slow on a busy machine.
vi.setConfig({ testTimeout: 180_000 * Number(process.env.FOVEA_SOAK ?? 1) })

/** A session with a little of everything, `turns` long. */
function session(id: string, turns: number, start: number, cwd = '/srv/shop'): Json[] {
  const s = scribe(id, { start, cwd })
  for (let turn = 0; turn < turns; turn++) {
    s.user(turn % 3 === 2 ? 'yes, go on' : `please change part ${turn} of ${id}, héllo 😀`)
    s.said(`I look at it ${turn}`)
    s.call(`${id}-b${turn}`, 'Bash', { command: `npm test -- part${turn}` })
    if (turn % 2) s.result(`${id}-b${turn}`, `Exit code 1\nfailed ${turn}`, { isError: true })
    else s.result(`${id}-b${turn}`, `ok ${turn}`, { toolUseResult: { stdout: 'ok' } })
    s.call(`${id}-e${turn}`, 'Edit', {
      file_path: `/srv/shop/a${turn}.ts`,
      old_string: 'a',
      new_string: 'b\nc',
    })
    s.result(`${id}-e${turn}`, 'The file has been updated.')
    s.said(`Done with ${turn}`)
    if (turn % 4 === 3)
      s.add({ type: 'system', subtype: 'turn_duration', uuid: `${id}-sys${turn}`, sessionId: id })
  }
  return s.lines
}

/** The same records under another session, as a fork writes them. */
const fork = (records: readonly Json[], id: string): Json[] =>
  records.map((record) => ({ ...record, sessionId: id }))

function child(parent: string, id: string, start: number): Json[] {
  const s = scribe(parent, { start, extra: { isSidechain: true, agentId: id } })
  s.user('look through the folder')
  s.call(`${id}-r`, 'Read', { file_path: '/srv/shop/readme.md' })
  s.result(`${id}-r`, 'text')
  s.said('It is a shop.')
  return s.lines.map((record) => ({ ...record, uuid: `${id}-${String(record.uuid)}` }))
}

const T0 = Date.parse('2026-03-03T09:00:00Z')

/** A folder of files that repeat, extend and fork each other. */
function corpus(): Record<string, string> {
  const a = session('A', 6, T0)
  const b = session('B', 4, T0 + 3_600_000, '/srv/tools')
  return {
    'p/a-copy.jsonl': jsonl(a.slice(0, 20)),
    'p/z-A.jsonl': jsonl(a),
    'p/A-fork.jsonl': jsonl([...fork(a.slice(0, 30), 'A2'), ...session('A2', 2, T0 + 7_200_000)]),
    'q/B.jsonl': jsonl(b),
    'q/B/subagents/agent-x1.jsonl': jsonl(child('B', 'x1', T0 + 3_605_000)),
    'q/A-middle.jsonl': jsonl(b.slice(5)),
    'q/C-again.jsonl': jsonl([...b.slice(3, 9), ...b.slice(0, 5)]),
    'g.jsonl': jsonl([
      { session: 'g1', ts: '2026-03-04T10:00:00Z', role: 'user', text: 'summarise the report' },
      { session: 'g1', ts: '2026-03-04T10:00:05Z', role: 'assistant', text: 'It says yes.' },
      { session: 'g1', ts: '2026-03-04T10:00:06Z', role: 'assistant', text: 'And no.' },
      { session: 'g2', id: '7', role: 'user', text: 'translate it', project: 'words' },
    ]),
  }
}

async function journalOf(
  root: string,
  files: Record<string, string>,
  order: readonly string[],
): Promise<string> {
  const { db, journal } = openJournal()
  for (const name of order) {
    put(join(root, name), files[name] ?? '')
    await ingest(journal, root)
  }
  expect(brokenInvariants(db)).toEqual([])
  return dump(db)
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

  test('the order of files does not matter, byte for byte', async () => {
    const expected = await journalOf(root, files, names)
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(names, { minLength: names.length }), async (order) => {
        rmSync(root, { recursive: true, force: true })
        expect(await journalOf(root, files, order)).toBe(expected)
      }),
      { numRuns: 12 },
    )
  })

  test('pieces cut at arbitrary bytes give the same journal as one go', async () => {
    rmSync(root, { recursive: true, force: true })
    const expected = await journalOf(root, files, names)
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ name: fc.constantFrom(...names), size: fc.integer({ min: 1, max: 4000 }) }), {
          minLength: 3,
          maxLength: 25,
        }),
        async (steps) => {
          rmSync(root, { recursive: true, force: true })
          const { db, journal } = openJournal()
          const at = new Map(names.map((name) => [name, 0]))
          for (const name of names) put(join(root, name), '')
          for (const step of [...steps, ...names.map((name) => ({ name, size: Number.POSITIVE_INFINITY }))]) {
            const bytes = Buffer.from(files[step.name] ?? '')
            const from = at.get(step.name) ?? 0
            const to = Math.min(bytes.length, from + step.size)
            append(join(root, step.name), bytes.subarray(from, to))
            at.set(step.name, to)
            await ingest(journal, root)
          }
          expect(dump(db)).toBe(expected)
          expect(brokenInvariants(db)).toEqual([])
        },
      ),
      { numRuns: 15 },
    )
  })

  test('forks, copies and resumed records count once and are held by every session', async () => {
    rmSync(root, { recursive: true, force: true })
    for (const name of names) put(join(root, name), files[name] ?? '')
    const { db, journal } = openJournal()
    const report = await ingest(journal, root, { perFile: true })
    const all = items(db)
    expect(new Set(all.map((item) => item.handle)).size).toBe(all.length)
    expect(report.new).toBe(all.length)
    const forked = all.filter(
      (item) => item.sessions.includes('claude-code:A2') && item.sessions.includes('claude-code:A'),
    )
    expect(forked.length).toBeGreaterThan(10)
    const copy = report.perFile?.find((file) => file.file.endsWith('C-again.jsonl'))
    expect(copy?.records).toMatchObject({ read: 11, used: 0, attached: 0, duplicates: 10 })
  })

  test('a sub-agent inherits the goal of its parent, and its own prompt is none', async () => {
    rmSync(root, { recursive: true, force: true })
    for (const name of names) put(join(root, name), files[name] ?? '')
    const { db, journal } = openJournal()
    await ingest(journal, root)
    const inherited = items(db).filter((item) => item.session === 'claude-code:B/agent-x1')
    const goals = items(db).filter((item) => item.kind === 'goal' && item.session === 'claude-code:B')
    expect(inherited.map((item) => item.kind)).toEqual(['file_op', 'conclusion'])
    expect(new Set(inherited.map((item) => item.goal))).toEqual(new Set([goals[0]?.handle]))
    expect(db.get('SELECT parent_id FROM sessions WHERE id = ?', ['claude-code:B/agent-x1'])).toEqual({
      parent_id: 'claude-code:B',
    })
  })
})

test('damaged files: every record is accounted for, in one go or in pieces, with one and the same result', async () => {
  const files = corpus()
  const text = `${files['p/z-A.jsonl']}${files['g.jsonl']}${files['q/B.jsonl']}`
  await damagedAlike(text, 'claude-code', 25)
})
