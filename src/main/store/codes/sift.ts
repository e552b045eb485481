const BYTES = 48

/** A vector's number and its signs (see `signCode`). */
export interface SignedVector {
  vectorId: number
  code: Uint8Array
}

/**
 * The numbers of those `keep` vectors that are likely nearest to `vector` by their signs alone, in no order of worth: the
 * sum of its values where a sign is plus, less those where it is minus (an asymmetric distance: Gordo et al., 2014). That
 * tells the near from the far better than differing signs do, since what it knows exactly, the question, it takes as it is.
 */
export function likeliest(
  vector: Float32Array,
  among: readonly SignedVector[],
  keep: number,
): readonly number[] {
  if (among.length <= keep) return among.map(({ vectorId }) => vectorId)
  const sums = sumsByByte(vector)
  return among
    .map(({ vectorId, code }) => {
      let sum = 0
      for (let j = 0; j < BYTES; j++) sum += sums[256 * j + (code[j] as number)] as number
      return { vectorId, sum }
    })
    .sort((a, b) => b.sum - a.sum || a.vectorId - b.vectorId)
    .slice(0, keep)
    .map(({ vectorId }) => vectorId)
}

/** At 256 j + b: what the values of byte j come to where b has the signs. */
function sumsByByte(vector: Float32Array): Float64Array {
  const sums = new Float64Array(256 * BYTES)
  for (let j = 0; j < BYTES; j++) {
    let none = 0
    for (let i = 0; i < 8; i++) none -= vector[8 * j + i] as number
    sums[256 * j] = none
    for (let b = 1; b < 256; b++) {
      const lowest = 31 - Math.clz32(b & -b)
      sums[256 * j + b] = (sums[256 * j + (b & (b - 1))] as number) + 2 * (vector[8 * j + lowest] as number)
    }
  }
  return sums
}
