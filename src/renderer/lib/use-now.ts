import { useSyncExternalStore } from 'react'

const every = 30_000
let now = Date.now()
let timer: ReturnType<typeof setInterval> | undefined
const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= setInterval(() => {
    now = Date.now()
    for (const tell of listeners) tell()
  }, every)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** The time, renewed every half minute by one clock for all that read `22 min`. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => {
    // Fresh for the first reader after a rest, and the same while that one is drawn.
    if (!timer && Date.now() - now > every) now = Date.now()
    return now
  })
}
