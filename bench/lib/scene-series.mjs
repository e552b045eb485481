import { dHash, NO_SCENE, sceneGate } from '../../out/main/library.js'
import { SIZE, series } from './screens.mjs'

// Made screens through the scene gate: does it let every new one in, and nothing else?

/** A change counts as found when the picture speaks within so many frames of it: one frame alone is no change yet. */
const LATE = 3
/** What one repeated line on a picture costs; the share saved is the same whatever it is. */
const TOKENS = 16

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
