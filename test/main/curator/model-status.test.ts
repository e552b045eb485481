import { describe, expect, test } from 'vitest'
import { curatorStatus } from '../../../src/main/curator'
import type { DoubleOptions } from '../../doubles/ollama'
import { conclusion, curateAll, good, NOON, type Scene, scene } from './model-support'

/** What a process says that has asked nothing itself. */
const told = ({ db, ports }: Scene) => curatorStatus(db, { ...ports, owner: 'another' }, null)

async function memory(answer: DoubleOptions['answer'] = good, subjects = 3) {
  const made = await scene(answer)
  made.choose({ curator: null })
  for (let n = 0; n < subjects; n++) conclusion(made.db, `pool${n}`)
  curateAll(made.db)
  return made
}

describe('the status, in a process that has asked nothing', () => {
  test('counts what a model that was just chosen has before it, and asks nothing for it', async () => {
    const one = await memory()
    expect(told(one)).toMatchObject({ state: 'off', left: { items: 0, tokens: 0 } })
    one.choose({ curator: 'local:1b', paused: true })
    const paused = told(one)
    expect(paused).toMatchObject({ state: 'paused', reason: 'Paused by hand.', left: { items: 3 } })
    expect(paused.left.tokens).toBeGreaterThan(0)
    one.choose({ paused: false })
    expect(told(one)).toMatchObject({ state: 'idle', left: paused.left })
    expect(one.server.asked).toEqual([])
    await one.work()
    expect(told(one)).toMatchObject({ state: 'idle', left: { items: 0, tokens: 0 }, made: 3 })
  })

  test('counts what was offered already only once', async () => {
    const one = await memory()
    one.choose({ curator: 'local:1b', paused: true })
    conclusion(one.db, 'mailer')
    curateAll(one.db)
    expect(told(one).left.items).toBe(4)
  })

  test('says that it is paused on battery, or for a gate', async () => {
    const one = await memory()
    one.choose({ curator: 'local:1b', proxy: 'local:1b' })
    one.ports.onBattery = () => true
    expect(told(one).state).toBe('battery')
    one.ports.onBattery = () => null
    one.ports.gateOpen = () => true
    expect(told(one).state).toBe('gate')
  })

  test('says that the budget is spent, until the day is over or there is more of it', async () => {
    const one = await memory(good, 12)
    one.choose({ curator: 'local:1b', dailyTokens: 3_000 })
    await one.work()
    expect(told(one)).toMatchObject({ state: 'budget', reason: "The day's budget of tokens is spent." })
    one.choose({ dailyTokens: 500_000 })
    expect(told(one).state).toBe('idle')
    one.choose({ dailyTokens: 3_000 })
    one.now.at = NOON + 86_400_000
    expect(told(one).state).toBe('idle')
  })

  test('says what the server failed with, also where nothing could be asked, until it answers', async () => {
    let broken = true
    const one = await memory((request, call) =>
      broken ? { status: 500, error: 'llama runner process has terminated' } : good(request, call),
    )
    one.choose({ curator: 'gone:7b' })
    await one.work()
    expect(told(one)).toMatchObject({ state: 'waiting', left: { items: 3 } })
    expect(told(one).reason).toMatch(/not have this model/)
    one.choose({ curator: 'local:1b' })
    expect(told(one)).toMatchObject({ state: 'idle', reason: null })
    await one.work()
    expect(told(one).state).toBe('waiting')
    broken = false
    await one.work()
    expect(told(one)).toMatchObject({ state: 'idle', reason: null, made: 3 })
  })

  test('says that nothing answers', async () => {
    const one = await memory()
    one.choose({ curator: 'local:1b' })
    await one.server.close()
    await one.work()
    expect(told(one).state).toBe('waiting')
    expect(told(one).reason).toMatch(/^[A-Z].*\.$/)
  })
})
