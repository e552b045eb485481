import type { FoveaBridge } from '@shared/bridge'
import { callNames, eventNames } from '@shared/channels'
import { beforeEach, expect, test, vi } from 'vitest'

const electron = vi.hoisted(() => ({
  exposed: new Map<string, unknown>(),
  invoked: [] as unknown[][],
  listening: [] as string[],
}))
vi.mock('electron', () => ({
  contextBridge: { exposeInMainWorld: (name: string, value: unknown) => electron.exposed.set(name, value) },
  ipcRenderer: {
    invoke: async (...args: unknown[]) => {
      electron.invoked.push(args)
      return { ok: true, value: null }
    },
    on: (channel: string) => electron.listening.push(channel),
    removeListener: (channel: string) => electron.listening.splice(electron.listening.indexOf(channel), 1),
  },
}))

let bridge: FoveaBridge
beforeEach(async () => {
  await import('../../src/preload/index')
  bridge = electron.exposed.get('fovea') as FoveaBridge
  electron.invoked.length = 0
})

test('a page gets one object with two functions', () => {
  expect([...electron.exposed.keys()]).toEqual(['fovea'])
  expect(Object.keys(bridge).sort()).toEqual(['call', 'on'])
})

test('every call of the contract reaches its own channel', async () => {
  for (const name of callNames) await bridge.call(name, { x: 1 })
  expect(electron.invoked).toEqual(callNames.map((name) => [`fovea:call:${name}`, { x: 1 }]))
})

test('no other channel can be reached, and the refusal is data', async () => {
  for (const name of ['__proto__', 'toString', 'fovea:call:app.info', 'app.info ', 'shell', '']) {
    const answer = await bridge.call(name as 'app.info', {})
    expect(answer).toMatchObject({ ok: false, error: { code: 'forbidden' } })
    bridge.on(name as 'gates.changed', () => {})
  }
  expect(electron.invoked).toEqual([])
  expect(electron.listening).toEqual([])
})

test('listening stops when it is told to', () => {
  const stops = eventNames.map((name) => bridge.on(name, () => {}))
  expect(electron.listening).toHaveLength(eventNames.length)
  for (const stop of stops) stop()
  expect(electron.listening).toEqual([])
})
