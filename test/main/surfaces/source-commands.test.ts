import { expect, test } from 'vitest'
import { minuteText } from '../../../src/shared/days'
import { fovea } from './support'

const AWAY = Date.parse('2026-03-03T09:00:00Z')

const answers = (awaySince: number | null) => (name: string) =>
  name === 'sources.health'
    ? { source: { id: 'src_1', path: '/mnt/usb/claude', awaySince } }
    : { new: awaySince === null ? 2 : 0, updated: 1 }

test('reading a source that is away says so, and since when', async () => {
  const run = await fovea(['source', 'read', 'src_1'], answers(AWAY))
  expect(run.code).toBe(1)
  expect(run.out).toBe(
    `/mnt/usb/claude is away since ${minuteText(AWAY)}; nothing was read, and what it brought before is kept\n`,
  )
  const json = await fovea(['source', 'read', 'src_1', '--json'], answers(AWAY))
  expect(JSON.parse(json.out)).toMatchObject({ new: 0, awaySince: AWAY })
})

test('reading a source that is there says what is new', async () => {
  const run = await fovea(['source', 'read', 'src_1'], answers(null))
  expect([run.code, run.out]).toEqual([0, '2 new items, 1 updated\n'])
})

test('a number below its least reaches the contract, which says what its least is', async () => {
  const run = await fovea(['hydrate', '--goal', 'x', '--budget=-5'], () => {
    throw new Error('not validated here')
  })
  expect(run.seen).toEqual([{ name: 'hydrate.run', input: { goal: 'x', budget: -5 } }])
})
