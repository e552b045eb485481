import { randomFrom } from './corpus.mjs'

// Made screens: what the scene gate is measured on and tested with.

export const SIZE = 64
const SCREENS = 25
const FRAMES_OF_EACH = 20

/** Bands and boxes of random brightness. */
export function screen(seed) {
  const next = randomFrom(seed)
  const pixels = new Float64Array(SIZE * SIZE)
  for (let box = 0; box < 24; box++) {
    const [x, y, w, h] = [next() * SIZE, next() * SIZE, 6 + next() * 24, 6 + next() * 24]
    const shade = next() * 255
    for (let row = Math.floor(y); row < Math.min(SIZE, y + h); row++)
      for (let column = Math.floor(x); column < Math.min(SIZE, x + w); column++)
        pixels[row * SIZE + column] = shade
  }
  return pixels
}

/** 25 screens of 20 frames, with noise and a blinking cursor; on every third screen one frame flickers. */
export function* series(seed) {
  const next = randomFrom(seed)
  for (let n = 0; n < SCREENS; n++) {
    const base = screen(seed * 1000 + n)
    for (let i = 0; i < FRAMES_OF_EACH; i++) {
      const flicker = n % 3 === 0 && i === 10
      const pixels = flicker ? screen(seed * 1000 + 500 + n) : base.map((value) => value + (next() - 0.5) * 6)
      if (i % 2 === 0) for (let y = 30; y < 34; y++) pixels[y * SIZE + 30] = 255
      // `cut`: the first frame of a new screen.
      yield { pixels, cut: i === 0, flicker }
    }
  }
}
