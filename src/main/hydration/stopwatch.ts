export interface Stopwatch {
  laps: Record<string, number>
  lap(name: string): void
}

/** How long each stage took, in milliseconds; never part of what is compared. */
export function stopwatch(): Stopwatch {
  let last = performance.now()
  const laps: Record<string, number> = {}
  return {
    laps,
    lap: (name) => {
      const now = performance.now()
      laps[name] = Math.round((now - last) * 100) / 100
      last = now
    },
  }
}
