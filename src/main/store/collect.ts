import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

let found: (() => void) | null = null

/**
 * Gives back what work that is done has left in memory. The engine collects by how its heap has grown, and of a thread
 * that rests from then on it never would; bytes outside of the heap lie about as long.
 */
export function collect(): void {
  found ??= collector()
  found()
}

function collector(): () => void {
  try {
    setFlagsFromString('--expose-gc')
    const gc: unknown = runInNewContext('typeof gc === "function" ? gc : null')
    if (typeof gc === 'function') return () => void gc()
  } catch {
    // Without it memory is given back later, and nothing else changes.
  }
  return () => {}
}
