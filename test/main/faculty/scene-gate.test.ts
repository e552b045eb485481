import { describe, expect, test } from 'vitest'
import { dHash, hashDistance, isVisualTask, NO_SCENE, sceneGate } from '../../../src/main/faculty'

const SIZE = 64

/** mulberry32 */
function dice(seed: number): () => number {
  let a = seed
  return () => {
    a = (a + 0x6d2b79f5) | 0
    let t = Math.imul(a ^ (a >>> 15), 1 | a)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

/** A made screen: bands and boxes of random brightness. */
function screen(seed: number): Float64Array {
  const next = dice(seed)
  const pixels = new Float64Array(SIZE * SIZE)
  for (let box = 0; box < 24; box++) {
    const [x, y, w, h] = [next() * SIZE, next() * SIZE, 6 + next() * 24, 6 + next() * 24]
    const shade = next() * 255
    for (let row = Math.floor(y); row < Math.min(SIZE, y + h); row++) {
      for (let column = Math.floor(x); column < Math.min(SIZE, x + w); column++)
        pixels[row * SIZE + column] = shade
    }
  }
  return pixels
}

function noisy(pixels: Float64Array, next: () => number, strength: number): Float64Array {
  return pixels.map((value) => value + (next() - 0.5) * strength)
}

interface Frame {
  pixels: Float64Array
  /** The first frame of a new screen. */
  cut: boolean
  flicker: boolean
}

/** 500 frames: 25 screens of 20 frames, each with noise and a blinking cursor; on every third one frame flickers. */
function series(seed: number): Frame[] {
  const next = dice(seed)
  const frames: Frame[] = []
  for (let n = 0; n < 25; n++) {
    const base = screen(seed * 1000 + n)
    for (let i = 0; i < 20; i++) {
      const flicker = n % 3 === 0 && i === 10
      const pixels = flicker ? screen(seed * 1000 + 500 + n) : noisy(base, next, 6)
      if (i % 2 === 0) for (let y = 30; y < 34; y++) pixels[y * SIZE + 30] = 255
      frames.push({ pixels, cut: i === 0, flicker })
    }
  }
  return frames
}

describe('the scene gate', () => {
  // The constants were set on the first series; the others were made afterwards.
  test.each([11, 12, 13, 14])(
    'over 500 made frames (series %i) lets every new screen in once, within three frames, and no noise and no flicker',
    (seed) => {
      let state = NO_SCENE
      const frames = series(seed)
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
