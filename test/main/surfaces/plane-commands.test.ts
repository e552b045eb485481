import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { fovea } from './support'

const shipped = {
  name: 'garnish',
  description: 'Few.',
  budget: 300,
  shipped: true,
  policy: { name: 'garnish' },
}
const own = { name: 'mine', description: 'Mine.', budget: 500, shipped: false, policy: { name: 'mine' } }
const planes = () => ({ planes: [shipped, own] })
const folder = () => mkdtempSync(join(tmpdir(), 'fovea-plane-'))

test('planes are listed, and one is shown as the JSON that can be saved again', async () => {
  expect((await fovea(['plane', 'list'], planes)).out).toBe(
    'garnish  300 tokens  Few.\nmine (yours)  500 tokens  Mine.\n',
  )
  const shown = await fovea(['plane', 'show', 'mine'], planes)
  expect(JSON.parse(shown.out)).toEqual(own.policy)
  const none = await fovea(['plane', 'show', 'nope'], planes)
  expect(none).toMatchObject({ code: 1, err: expect.stringContaining('Known planes: garnish, mine.') })
})

test('a plane is saved from a file and from stdin, as it stands there', async () => {
  const file = join(folder(), 'plane.json')
  writeFileSync(file, '{"name":"mine"}')
  const fromFile = await fovea(['plane', 'save', file], () => ({ plane: own }))
  expect(fromFile.seen).toEqual([{ name: 'planes.save', input: { policy: { name: 'mine' } } }])
  expect(fromFile.out).toBe('Saved. mine (yours)  500 tokens  Mine.\n')
  const fromStdin = await fovea(['plane', 'save', '-'], () => ({ plane: own }), '{"name":"mine"}')
  expect(fromStdin.seen).toEqual(fromFile.seen)
})

test.each([
  ['not JSON', 'nothing', 'is not JSON; a plane is one JSON object'],
  ['not JSON and holds a secret', 'TOKEN=hunter2\0', 'is not JSON; a plane is one JSON object'],
  ['no object', '[1]', 'a plane is one JSON object'],
  ['far too long', `"${'x'.repeat(1_000_001)}"`, 'longer than a plane can be'],
])('a file that is %s is refused by name, and nothing is saved', async (_, text, why) => {
  const file = join(folder(), 'plane.json')
  writeFileSync(file, text)
  const refused = await fovea(['plane', 'save', file], () => ({ plane: own }))
  expect(refused).toMatchObject({ code: 2, seen: [] })
  expect(refused.err).toContain(why)
  expect(refused.err).toContain(file)
  expect(refused.err).not.toMatch(/nothing|TOKEN|hunter2/)
})

test('no such file, and a folder, are refused', async () => {
  for (const file of [join(folder(), 'none.json'), folder()]) {
    const refused = await fovea(['plane', 'save', file], () => ({ plane: own }))
    expect(refused).toMatchObject({ code: 1, seen: [], err: expect.stringContaining('There is no file') })
  }
})

test('removing says whether a shipped plane is back', async () => {
  const back = await fovea(['plane', 'remove', 'garnish'], planes)
  expect(back.seen).toEqual([{ name: 'planes.remove', input: { name: 'garnish' } }])
  expect(back.out).toContain('the shipped plane "garnish" is back')
  expect((await fovea(['plane', 'remove', 'other'], planes)).out).toBe('Removed "other".\n')
})

const HANDLE = `itm_${'a'.repeat(26)}`
const RECEIPT = 'rcp_aaaaaaaaaaaaaaaa'
const verdict = { id: 7, handle: HANDLE, verdict: 'pin', goal: 'retry\nit', givenAt: 1_764_504_000_000 }

test('a verdict is given with the frame it was given in, listed, and taken back', async () => {
  const given = await fovea(['feedback', 'give', HANDLE, 'pin', '--receipt', RECEIPT], () => ({
    feedback: verdict,
  }))
  expect(given.seen).toEqual([
    { name: 'feedback.give', input: { handle: HANDLE, verdict: 'pin', receipt: RECEIPT } },
  ])
  expect(given.out).toBe(`7  2025-11-30  pin  ${HANDLE}  for: retry it\n`)
  const listed = await fovea(['feedback', 'list', HANDLE], () => ({ feedback: [verdict] }))
  expect(listed).toMatchObject({ out: given.out, seen: [{ input: { handles: [HANDLE] } }] })
  expect((await fovea(['feedback', 'list'], () => ({ feedback: [] }))).out).toBe('No verdict stands.\n')
  const undone = await fovea(['feedback', 'undo', '7', '--json'])
  expect(undone.seen).toEqual([{ name: 'feedback.undo', input: { id: 7 } }])
  expect(JSON.parse(undone.out)).toEqual({ id: 7 })
})

test('a verdict of an evening is listed under the day the person had', async () => {
  const before = process.env.TZ
  process.env.TZ = 'America/Los_Angeles'
  onTestFinished(() => {
    if (before === undefined) delete process.env.TZ
    else process.env.TZ = before
  })
  const evening = Date.UTC(2025, 10, 30, 4)
  const listed = await fovea(['feedback', 'list'], () => ({ feedback: [{ ...verdict, givenAt: evening }] }))
  expect(listed.out).toContain('7  2025-11-29  pin')
})

test.each([
  [['feedback', 'give', 'x', 'pin'], '"x" is no handle of an item: A handle looks like itm_'],
  [['verify', 'x'], '"x" is no handle of an item: A handle looks like itm_'],
  [['receipt', 'x'], '"x" is no receipt: A receipt id looks like rcp_'],
  [['gate', 'show', 'x'], '"x" is no gate: A gate id looks like gat_'],
  [['feedback', 'give', HANDLE, 'great'], 'There is no verdict "great": useful, wrong, pin, never.'],
  [['feedback', 'give', HANDLE, 'pin', '--receipt', 'x'], '"x" is no receipt: A receipt id looks like rcp_'],
  [['feedback', 'undo', 'last'], '"last" is not a whole number.'],
  [['feedback', 'list', 'x'], '"x" is no handle of an item: A handle looks like itm_'],
])('%j is refused with a sentence', async (argv, why) => {
  expect(await fovea(argv)).toMatchObject({ code: 2, seen: [], err: expect.stringContaining(why) })
})
