import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

// A record of many megabytes leaves as much behind several times over: its bytes, its text, its parsed value. The
// engine collects by how its heap has grown, so a few such records in a row would take hundreds of megabytes first.

/** A shorter record leaves little enough to the engine's own rhythm. */
const HEAVY = 1024 * 1024
/** So many bytes of heavy records may lie about. */
const ALLOWANCE = 8 * 1024 * 1024

let lying = 0
let collect: (() => void) | null = null

/** Tells that a record of this many bytes has been taken apart; what is left of it is given back when it has come to a lot. */
export function spent(bytes: number): void {
  if (bytes < HEAVY) return
  lying += bytes
  if (lying < ALLOWANCE) return
  lying = 0
  collect ??= collector()
  collect()
}

function collector(): () => void {
  try {
    setFlagsFromString('--expose-gc')
    const found: unknown = runInNewContext('typeof gc === "function" ? gc : null')
    if (typeof found === 'function') return () => void found()
  } catch {
    // Without it memory is given back later, and nothing else changes.
  }
  return () => {}
}
