import { appendFileSync, existsSync, mkdirSync, renameSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** What a log line may hold: counts, ids, durations and codes; never transcript text, prompts or names. */
export type LogFields = Readonly<Record<string, string | number | boolean | null>>
export type Log = (event: string, fields?: LogFields) => void

const MAX_BYTES = 2_000_000

/** Appends JSON lines to `file`; at 2 MB the file becomes `<file>.1`. A log that cannot be written is given up silently: it must never stop the work. */
export function fileLog(file: string, clock: () => number = Date.now): Log {
  let usable = true
  return (event, fields = {}) => {
    if (!usable) return
    try {
      // With the first line, when the data folder is there or cannot be.
      for (const folder of [dirname(dirname(file)), dirname(file)]) make(folder)
      if (sizeOf(file) > MAX_BYTES) renameSync(file, `${file}.1`)
      appendFileSync(file, `${JSON.stringify({ t: clock(), event, ...fields })}\n`, { mode: 0o600 })
    } catch {
      usable = false
    }
  }
}

/** Not `recursive`: under /proc that never comes back. */
function make(folder: string): void {
  try {
    if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    // Another process may have been quicker.
    if ((error as { code?: unknown }).code !== 'EEXIST') throw error
  }
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}

/** What may be logged of a thrown thing: where it came from, not what it says, since messages can quote content. */
export function errorFields(error: unknown): LogFields {
  if (!(error instanceof Error)) return { error: typeof error }
  const at = /\n\s+at .*?([\w.-]+:\d+:\d+)\)?/.exec(error.stack ?? '')
  return { error: error.name, at: at?.[1] ?? null, code: String((error as { code?: unknown }).code ?? '') }
}
