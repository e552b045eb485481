// When may a picture speak? Only when it is asked for, or when it shows something new.

/** 8 rows of 8 comparisons: 64 bits, one for each cell that its right neighbour outshines. */
export type PictureHash = bigint

const COLUMNS = 9
const ROWS = 8
export const HASH_BITS = 64

/** Of 255. Screens are flat: without a margin the noise of two equal cells would be a coin's throw. */
const MARGIN = 2

/**
 * dHash (Krawetz, 2013) of a picture's luminance (0 to 255), row by row: shrunk to 9 × 8 by averaging, then one bit for
 * each cell clearly darker than the one to its right. Scale, brightness and small noise hardly change it.
 */
export function dHash(luminance: ArrayLike<number>, width: number, height: number): PictureHash {
  const cells = shrink(luminance, width, height)
  let hash = 0n
  for (let row = 0; row < ROWS; row++) {
    for (let column = 0; column + 1 < COLUMNS; column++) {
      const at = row * COLUMNS + column
      hash = (hash << 1n) | ((cells[at] ?? 0) + MARGIN < (cells[at + 1] ?? 0) ? 1n : 0n)
    }
  }
  return hash
}

function shrink(luminance: ArrayLike<number>, width: number, height: number): Float64Array {
  const cells = new Float64Array(COLUMNS * ROWS)
  for (let row = 0; row < ROWS; row++) {
    const [top, bottom] = span(row, ROWS, height)
    for (let column = 0; column < COLUMNS; column++) {
      const [left, right] = span(column, COLUMNS, width)
      let sum = 0
      for (let y = top; y < bottom; y++)
        for (let x = left; x < right; x++) sum += luminance[y * width + x] ?? 0
      cells[row * COLUMNS + column] = sum / Math.max(1, (bottom - top) * (right - left))
    }
  }
  return cells
}

function span(index: number, parts: number, size: number): [from: number, to: number] {
  const from = Math.floor((index * size) / parts)
  return [from, Math.max(from + 1, Math.floor(((index + 1) * size) / parts))]
}

/** How many bits differ. */
export function hashDistance(a: PictureHash, b: PictureHash): number {
  let rest = a ^ b
  let count = 0
  while (rest !== 0n) {
    rest &= rest - 1n
    count += 1
  }
  return count
}

/** Bits; nearer than this is the same picture: noise, a cursor, a clock. */
export const SUPPRESSED_BELOW = 5
/** Bits; more than this counts as this much, so that a single frame, however different, is not yet a change. */
const FELT_AT_MOST = 24
/** What one frame weighs in the average. */
const WEIGHT = 0.3
/** Bits; an average from here on is a material change. */
export const CHANGED_FROM = 9

/** What the gate remembers of a line of pictures. Values are never changed in place. */
export interface SceneState {
  /** The picture that spoke last. */
  shown: PictureHash | null
  /** Distance from it, exponentially averaged; one flicker is not a change. */
  average: number
}

export const NO_SCENE: SceneState = { shown: null, average: 0 }

export interface SceneVerdict {
  speaks: boolean
  why: 'first' | 'mentioned' | 'visual task' | 'changed' | 'unchanged'
  distance: number
  state: SceneState
}

/**
 * Whether this picture bids. Mentioned, always; the first one; then only after a material change, or, while the task is
 * visual, after any change that is more than noise. The same picture never comes again unasked.
 */
export function sceneGate(
  state: SceneState,
  hash: PictureHash,
  asked: { mentioned: boolean; visualTask: boolean },
): SceneVerdict {
  const distance = state.shown === null ? HASH_BITS : hashDistance(hash, state.shown)
  const felt = distance < SUPPRESSED_BELOW ? 0 : Math.min(distance, FELT_AT_MOST)
  const average = WEIGHT * felt + (1 - WEIGHT) * state.average
  const why = asked.mentioned
    ? 'mentioned'
    : state.shown === null
      ? 'first'
      : asked.visualTask && felt > 0
        ? 'visual task'
        : felt > 0 && average >= CHANGED_FROM
          ? 'changed'
          : 'unchanged'
  if (why === 'unchanged') return { speaks: false, why, distance, state: { shown: state.shown, average } }
  return { speaks: true, why, distance, state: { shown: hash, average: 0 } }
}

const PICTURE_WORDS =
  /\b(?:screenshot|screen|picture|image|photo|diagram|mock-?up|figure|chart|icon|colou?rs?|layout|pixel|looks? like|render(?:s|ed)?|ui|css|design)\b/i

/** Whether a goal is about what is seen; by its words, on at most its first 2,000 characters. */
export const isVisualTask = (goal: string): boolean => PICTURE_WORDS.test(goal.slice(0, 2000))
