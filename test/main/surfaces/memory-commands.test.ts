import { expect, test } from 'vitest'
import { fovea } from './support'

const CELL = 'cel_aaaaaaaaaaaaaaaa'
const share = { items: 2, bytes: 900 }
const cell = { id: CELL, name: 'Lost', project: null, items: 3, sessions: 1, heat: 0, summary: null }
const levels = { L0: share, L1: { items: 0, bytes: 0 }, L2: { items: 0, bytes: 0 } }

test('a search is held to a cell, and a cell is shown and renamed by its name or its id', async () => {
  const run = await fovea(['search', 'retry', '--cell', 'Lost events'], () => ({
    path: 'lexical',
    reason: null,
    hits: [],
  }))
  expect(run.seen).toEqual([{ name: 'search.run', input: { text: 'retry', cell: 'Lost events' } }])
  const shown = await fovea(['cell', 'show', 'Lost events'], () => ({ ...cell, members: [], adjacent: [] }))
  expect(shown).toMatchObject({ code: 0, seen: [{ name: 'cells.get', input: { cell: 'Lost events' } }] })
  const named = await fovea(['cell', 'rename', CELL, 'Lost'], () => ({ cell }))
  expect(named.seen).toEqual([{ name: 'cells.rename', input: { cell: CELL, name: 'Lost' } }])
})

test('a project without cells is told from a memory without cells', async () => {
  const list = (args: string[], total: number) =>
    fovea(['cell', 'list', ...args], (_, input) => ({
      cells: [],
      total: 'project' in (input as object) ? 0 : total,
    }))
  expect((await list(['--project', 'nope'], 47)).out).toBe(
    'There are no cells in the project "nope"; 47 in all.\n',
  )
  expect((await list([], 0)).out).toBe('There are no cells yet.\n')
})

test('nothing of the memory orders a terminal about: text comes without control characters, JSON escaped', async () => {
  const name = 'Lost\u001b[31m\u0007\u009b2J\u202e\rFound'
  const answer = () => ({ cells: [{ ...cell, name }], total: 1 })
  const text = await fovea(['cell', 'list'], answer)
  expect(text.out).toContain('Lost[31m2J\nFound')
  const json = (await fovea(['cell', 'list', '--json'], answer)).out
  expect(JSON.parse(json).cells[0].name).toBe(name)
  expect(json).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/)
  const query = await fovea(['query', 'item(H, _, _, P, _)'], () => ({
    variables: ['P'],
    answers: [{ P: name }],
    more: false,
    ms: 1,
  }))
  expect(query.out).toBe('P = Lost[31m2J\nFound\n')
})

test('retention: a rule for one level leaves the others; what would go is told with it', async () => {
  const old = { source: null, level: 'L1', days: 365 }
  const answer = (name: string, input: unknown) =>
    name === 'retention.preview'
      ? { levels, waiting: 0, sources: [{ source: null, levels }] }
      : {
          rules: name === 'retention.get' ? [old] : (input as { rules: unknown[] }).rules,
          automatic: name === 'retention.get' ? false : (input as { automatic?: boolean }).automatic === true,
          ran: { at: 1_764_460_800_000, L0: 3, L1: 0, L2: 0 },
          letGo: { L0: 0, L1: 0, L2: 0 },
        }
  const run = await fovea(['retention', 'set', '--l0', '90'], answer)
  expect(run.seen.find((one) => one.name === 'retention.set')?.input).toEqual({
    rules: [old, { source: null, level: 'L0', days: 90 }],
  })
  expect(run.out).toContain('L0 2 items, 900 bytes')
  expect((await fovea(['retention', 'set'], answer)).code).toBe(2)
  expect((await fovea(['retention', 'set', '--l0', 'soon'], answer)).err).toContain(
    '"soon" is not a whole number',
  )
  const daily = await fovea(['retention', 'set', '--automatic', 'on', '--json'], answer)
  expect(daily.seen.find((one) => one.name === 'retention.set')?.input).toEqual({
    rules: [old],
    automatic: true,
  })
  expect(JSON.parse(daily.out)).toMatchObject({ automatic: true })
  expect((await fovea(['retention', 'set', '--automatic', 'yes'], answer)).err).toContain('on, off')
  expect((await fovea(['retention', 'show'], answer)).out).toContain(
    'goes when you run it\nby itself last: 2025-11-30T00:00:00.000Z, L0 3',
  )
  const preset = await fovea(['retention', 'set', '--preset', 'constrained'], answer)
  expect(preset.seen.find((one) => one.name === 'retention.set')?.input).toMatchObject({
    rules: [
      { level: 'L0', days: 90 },
      { level: 'L1', days: 365 },
      { level: 'L2', days: 1825 },
    ],
  })
})

test('assert: what an agent tells is checked before it is kept', async () => {
  const run = await fovea(['assert', 'retry', 'decided_by', 'team', '--agent', 'codex'], () => ({
    id: 1,
    renewed: false,
    masked: 0,
  }))
  expect(run.seen).toEqual([
    {
      name: 'facts.assert',
      input: { agent: 'codex', kind: 'fact', subject: 'retry', predicate: 'decided_by', object: 'team' },
    },
  ])
  const wrong = await fovea(['assert', 'retry', 'Decided by', 'team', '--agent', 'codex'])
  expect(wrong).toMatchObject({ code: 2, seen: [] })
  expect(wrong.err).toContain('A predicate is lower case')
})

test('two receipts compared tell of a score or a term only what reads differently on both sides of the arrow', async () => {
  const receipt = (letter: string): string => `rcp_${letter.repeat(16)}`
  const handle = (letter: string): string => `itm_${letter.repeat(26)}`
  const term = (name: string, from: number, to: number) => ({ name, from, to })
  const moved = [
    {
      handle: handle('a'),
      from: 0.6,
      to: 0.7,
      terms: [term('recency', 0.421, 0.424), term('novelty', 0.5, 0.6)],
    },
    { handle: handle('b'), from: 0.5, to: 0.49, terms: [term('recency', 0.421, 0.424)] },
    { handle: handle('c'), from: 0.42, to: 0.4201, terms: [term('recency', 0.42, 0.4201)] },
  ]
  const compare = async (some: typeof moved) =>
    (
      await fovea(['compare', receipt('a'), receipt('b')], () => ({
        request: [],
        added: [],
        removed: [],
        changed: [],
        moved: some,
      }))
    ).out
  expect(await compare(moved)).toBe(
    `  ${handle('a')}  0.600 → 0.700: novelty 0.50 → 0.60\n  ${handle('b')}  0.500 → 0.490\n`,
  )
  expect(await compare(moved.slice(2))).toBe('the same facts, with the same scores\n')
})
