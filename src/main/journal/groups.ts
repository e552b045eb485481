import type { JournalContext } from './context'
import { type FileHooks, type FileJob, ingestFile, ingestTogether } from './ingest-file'
import { patiently } from './patience'
import type { FoundFile } from './sources/discover'
import { ingestStore } from './stores/ingest-store'
import { isStore } from './stores/names'

/**
 * Files read in one transaction together have at most so many bytes; a larger one is read alone, in pieces, each made
 * ready before its transaction begins.
 */
const GROUP_BYTES = 512 * 1024
const GROUP_FILES = 200

/** Brings the files of a group up to date; false when it was cancelled. Another thread can do it beside this one. */
export type GroupReader = (jobs: readonly FileJob[], hooks: FileHooks) => Promise<boolean>

export const groupReader =
  (journal: JournalContext): GroupReader =>
  async (jobs, hooks) => {
    const [only] = jobs
    if (jobs.length === 1 && only) {
      return patiently(() => (isStore(only.path) ? ingestStore : ingestFile)(journal, only, hooks))
    }
    const written = await patiently(() => ingestTogether(journal, jobs))
    for (const { path, step } of written) hooks.wrote(path, step)
    await new Promise<void>((resolve) => setImmediate(resolve))
    return true
  }

export function* groups(files: readonly FoundFile[]): Generator<FoundFile[]> {
  let group: FoundFile[] = []
  let bytes = 0
  for (const file of files) {
    const alone = isStore(file.path)
    if (group.length > 0 && (alone || bytes + file.stat.size > GROUP_BYTES || group.length >= GROUP_FILES)) {
      yield group
      group = []
      bytes = 0
    }
    if (alone) yield [file]
    else {
      group.push(file)
      bytes += file.stat.size
    }
  }
  if (group.length > 0) yield group
}
