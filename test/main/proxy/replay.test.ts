import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  attentionLines,
  lexicalSpace,
  NO_ATTENTION,
  replay,
  simulate,
  summarise,
} from '../../../src/main/proxy'

const space = lexicalSpace('no model in this test')

describe('replay', () => {
  test('finds the planted rule: rollback on migrations, never formatting', async () => {
    const { steps, experience } = await replay(simulate('rollback-on-migrations', 120, 3), space)
    const figures = summarise(steps.slice(40))
    expect(figures.skill.baseRate).toBeGreaterThan(0.2)
    const lines = attentionLines(experience.attention.get('PLAN_ASSERT') ?? NO_ATTENTION)
    expect(lines[0]).toMatchObject({ phrase: 'no rollback', listed: true })
    expect(lines.find(({ phrase }) => phrase === 'untidy formatting')).toMatchObject({
      listed: false,
      ignored: true,
    })
  })

  test('claims no skill over the base rate on someone who objects by chance', async () => {
    const { steps } = await replay(simulate('rubber-stamp', 120, 2), space)
    expect(summarise(steps).skill.baseRate).toBeLessThan(0.05)
  })

  test('does not see the answer it predicts: other answers to the last gate change nothing about it', async () => {
    const gates = simulate('tests-always', 30, 5)
    const last = gates.at(-1)
    if (!last) throw new Error('no gates')
    const other = [
      ...gates.slice(0, -1),
      { ...last, outcome: 'reject' as const, words: 'Add tests and a rollback, please' },
    ]
    const a = (await replay(gates, space)).steps.at(-1)?.made.prediction
    const b = (await replay(other, space)).steps.at(-1)?.made.prediction
    expect(a).toEqual(b)
  })

  test('is reproducible', async () => {
    const run = async () =>
      JSON.stringify(
        (await replay(simulate('tests-always', 25, 9), space)).steps.map(({ made }) => made.prediction),
      )
    expect(await run()).toBe(await run())
  })

  test('gives traces to what was used, and a second one to what was taught', async () => {
    const { experience } = await replay(simulate('tests-always', 12, 4), space)
    const corrected = experience.memory.find(({ outcome }) => outcome === 'correct')
    expect(corrected?.traces[0]).toBe(corrected?.traces[1])
    expect(experience.memory.some(({ traces }) => new Set(traces).size > 1)).toBe(true)
  })

  test('rests on no chance and no clock of its own anywhere in the room', () => {
    const room = resolve(import.meta.dirname, '../../../src/main/proxy')
    const sources = readdirSync(room, { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.ts'),
    )
    expect(sources.length).toBeGreaterThan(10)
    for (const file of sources) {
      expect(readFileSync(join(room, file), 'utf8')).not.toMatch(
        /Math\.random|Date\.now|new Date|randomBytes/,
      )
    }
  })
})
