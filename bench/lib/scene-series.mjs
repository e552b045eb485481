import { dHash, NO_SCENE, sceneGate } from '../../out/main/library.js'
import { randomFrom } from './corpus.mjs'

// Made screens through the scene gate: does it let every new one in, and nothing else?

const SIZE = 64
const SCREENS = 25
const FRAMES_OF_EACH = 20
/** A change counts as found when the picture speaks within so many frames of it: one frame alone is no change yet. */
const LATE = 3
/** What one repeated line on a picture costs; the share saved is the same whatever it is. */
const TOKENS = 16

/** Bands and boxes of random brightness. */
function screen(seed) {
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
function* series(seed) {
  const next = randomFrom(seed)
  for (let n = 0; n < SCREENS; n++) {
    const base = screen(seed * 1000 + n)
    for (let i = 0; i < FRAMES_OF_EACH; i++) {
      const flicker = n % 3 === 0 && i === 10
      const pixels = flicker ? screen(seed * 1000 + 500 + n) : base.map((value) => value + (next() - 0.5) * 6)
      if (i % 2 === 0) for (let y = 30; y < 34; y++) pixels[y * SIZE + 30] = 255
      yield { pixels, cut: i === 0 }
    }
  }
}

/** Precision and recall of changes over several series of 500 frames, and what is not repeated. */
export function scenes(seeds) {
  let frames = 0
  let cuts = 0
  let found = 0
  let spoken = 0
  let rightly = 0
  for (const seed of seeds) {
    let state = NO_SCENE
    let since = Number.POSITIVE_INFINITY
    let open = false
    for (const { pixels, cut } of series(seed)) {
      frames += 1
      since = cut ? 0 : since + 1
      if (cut) {
        cuts += 1
        open = true
      }
      const verdict = sceneGate(state, dHash(pixels, SIZE, SIZE), { mentioned: false, visualTask: false })
      state = verdict.state
      if (!verdict.speaks) continue
      spoken += 1
      if (!open || since > LATE) continue
      open = false
      found += 1
      rightly += 1
    }
  }
  const percent = (part, whole) => Math.round((1000 * part) / Math.max(1, whole)) / 10
  return {
    series: seeds.length,
    frames,
    changes: cuts,
    recallPercent: percent(found, cuts),
    precisionPercent: percent(rightly, spoken),
    tokens: {
      everyFrame: frames * TOKENS,
      gated: spoken * TOKENS,
      savedPercent: percent(frames - spoken, frames),
    },
  }
}
