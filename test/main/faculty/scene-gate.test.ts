import { describe, expect, test } from 'vitest'
import { SIZE, screen, series } from '../../../bench/lib/screens.mjs'
import { dHash, hashDistance, isVisualTask, NO_SCENE, sceneGate } from '../../../src/main/faculty'

describe('the scene gate', () => {
  // The constants were set on the first series; the others were made afterwards.
  test.each([11, 12, 13, 14])(
    'over 500 made frames (series %i) lets every new screen in once, within three frames, and no noise and no flicker',
    (seed) => {
      let state = NO_SCENE
      const frames = [...series(seed)]
      const spoken: number[] = []
      for (const [at, frame] of frames.entries()) {
        const verdict = sceneGate(state, dHash(frame.pixels, SIZE, SIZE), {
          mentioned: false,
          visualTask: false,
        })
        state = verdict.state
        if (verdict.speaks) spoken.push(at)
      }
      const cuts = frames.flatMap(({ cut }, at) => (cut ? [at] : []))
      const within = (at: number): boolean => cuts.some((cut) => at >= cut && at <= cut + 3)
      const flickers = frames.flatMap(({ flicker }, at) => (flicker ? [at] : []))
      expect({
        frames: frames.length,
        screens: cuts.length,
        found: cuts.filter((cut) => spoken.some((at) => at >= cut && at <= cut + 3)).length,
        flickers: flickers.length,
        idle: spoken.filter((at) => !within(at)).length,
        spoken: spoken.length,
      }).toEqual({ frames: 500, screens: 25, found: 25, flickers: 9, idle: 0, spoken: 25 })
    },
  )

  test('never repeats a static picture unasked, also during a visual task', () => {
    const hash = dHash(screen(1), SIZE, SIZE)
    for (const visualTask of [false, true]) {
      let state = NO_SCENE
      let spoken = 0
      for (let i = 0; i < 500; i++) {
        const verdict = sceneGate(state, hash, { mentioned: false, visualTask })
        state = verdict.state
        if (verdict.speaks) spoken += 1
      }
      expect(spoken).toBe(1)
    }
  })

  test('shows it again when it is mentioned', () => {
    const hash = dHash(screen(1), SIZE, SIZE)
    const { state } = sceneGate(NO_SCENE, hash, { mentioned: false, visualTask: false })
    expect(sceneGate(state, hash, { mentioned: true, visualTask: false })).toMatchObject({
      speaks: true,
      why: 'mentioned',
      distance: 0,
    })
  })

  test('hashes alike whatever the size and the brightness', () => {
    const small = screen(5)
    const large = new Float64Array(4 * SIZE * SIZE)
    for (let y = 0; y < 2 * SIZE; y++) {
      for (let x = 0; x < 2 * SIZE; x++) {
        large[y * 2 * SIZE + x] = 0.8 * (small[Math.floor(y / 2) * SIZE + Math.floor(x / 2)] ?? 0) + 20
      }
    }
    expect(hashDistance(dHash(small, SIZE, SIZE), dHash(large, 2 * SIZE, 2 * SIZE))).toBeLessThanOrEqual(4)
    expect(hashDistance(dHash(small, SIZE, SIZE), dHash(screen(6), SIZE, SIZE))).toBeGreaterThan(10)
  })

  test('knows a visual task by its words', () => {
    expect([
      isVisualTask('Match the colours of the screenshot'),
      isVisualTask('Fix the retry policy'),
    ]).toEqual([true, false])
  })
})
