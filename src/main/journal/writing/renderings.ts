import { basename } from 'node:path'
import { journalSql, unpackText } from '../../store'
import type { JournalContext } from '../context'
import { renderings } from '../formats'
import { sha256 } from '../handles'

// Two renderings of one session tell everything twice: SpecStory's Markdown beside the agent's own file. What the
// original tells too is the original's; the rendering's item goes and its handle is an alias from then on. What only
// the rendering tells stays.

/** A rendering gives times in whole seconds. */
const SAME_TIME = 2_000
/** So much of a text is compared; a closing statement keeps only its head and tail. */
const COMPARED = 1_000

/** Ties what several files tell of one session. Depends on what is stored only, not on the order it came in. */
export function tieRenderings({ db }: JournalContext, sessionId: string): boolean {
  let told = journalSql.toldItems(db, sessionId, renderings())
  const aliased = new Set<string>()
  for (const rank of [...new Set(told.map((item) => item.rank))].sort()) {
    if (rank === 0) continue
    const originals = new Originals(told.filter((item) => item.rank < rank))
    for (const item of told.filter((one) => one.rank === rank)) {
      const target = originals.find(item)
      if (target === null) continue
      journalSql.aliasItem(db, item, target)
      aliased.add(item.handle)
    }
    told = told.filter((item) => !aliased.has(item.handle))
  }
  return aliased.size > 0
}

class Originals {
  private readonly byKey = new Map<string, string>()
  private readonly done: journalSql.ToldItem[]

  /** Earliest first, so that of equal ones the earliest is the target. */
  constructor(items: readonly journalSql.ToldItem[]) {
    for (const item of items) {
      for (const key of [keyOf(item), ...timelessKeys(item)])
        if (key !== null && !this.byKey.has(key)) this.byKey.set(key, item.handle)
    }
    this.done = items.filter((item) => item.tool !== null)
  }

  find(item: journalSql.ToldItem): string | null {
    const key = keyOf(item)
    const same = key === null ? undefined : this.byKey.get(key)
    if (same !== undefined) return same
    // What was said is told by its words; what was done is shown in many ways, but at one time.
    if (item.tool === null) return null
    const timeless = this.timeless(item)
    if (timeless !== null || isUndated(item)) return timeless
    const near = this.done.filter(({ ts }) => Math.abs(ts - item.ts) <= SAME_TIME)
    const like = near.find(({ tool }) => plain(tool) === plain(item.tool))
    // Programs name their tools differently; a note may be anything.
    return (like ?? near.find(({ kind }) => kind === item.kind && kind !== 'note'))?.handle ?? null
  }

  /** Where one of the two tellings gives no times, what was done to what has to be enough, else with which tool. */
  private timeless(item: journalSql.ToldItem): string | null {
    const of = isUndated(item) ? ANY : UNDATED
    const keys = [deedKey(of, item), keyed(of, item.kind, plain(item.tool))]
    for (const key of keys) {
      const found = key === null ? undefined : this.byKey.get(key)
      if (found !== undefined) return found
    }
    return null
  }
}

const ANY = 'any'
const UNDATED = 'undated'

const isUndated = ({ data }: journalSql.ToldItem): boolean => data.includes('"undated":true')
/** `search_replace_v2` and `SearchReplace`. */
const plain = (tool: string | null): string =>
  (tool ?? '')
    .replace(/_v\d{1,2}$/i, '')
    .replaceAll('_', '')
    .toLowerCase()

function timelessKeys(item: journalSql.ToldItem): (string | null)[] {
  if (item.tool === null) return []
  const kinds = isUndated(item) ? [ANY, UNDATED] : [ANY]
  return kinds.flatMap((of) => [deedKey(of, item), keyed(of, item.kind, plain(item.tool))])
}

function deedKey(of: string, { kind, data }: journalSql.ToldItem): string | null {
  if (kind !== 'file_op') return null
  const { op, path } = JSON.parse(data) as Record<string, unknown>
  return keyed(of, 'file_op', op, basename(String(path)))
}

/** What makes two items of one session the same; null when only the time can tell. */
function keyOf(item: journalSql.ToldItem): string | null {
  const { kind, role, tool } = item
  const data = JSON.parse(item.data) as Record<string, unknown>
  if (kind === 'command') return keyed('command', String(data.command))
  if (kind === 'decision') return keyed('decision', data.of, data.verdict, data.words, data.tool)
  if (kind === 'error') return keyed('error', tool, withoutSubject(unpackText(item)))
  if (kind === 'plan' && data.planHash) return keyed('plan', data.planHash)
  if (kind === 'file_op')
    return isUndated(item)
      ? null
      : keyed('file_op', data.op, basename(String(data.path)), Math.round(item.ts / 60_000))
  if (kind === 'image') return keyed('image', data.sha256)
  return tool === null ? keyed(role === 'user' ? 'user' : 'agent', unpackText(item)) : null
}

const keyed = (...parts: readonly unknown[]): string =>
  sha256(parts.map((part) => String(part).replace(/\s+/g, ' ').trim().slice(0, COMPARED)).join('\0'))

/** An error's text without the command or path that failed. */
const withoutSubject = (text: string): string =>
  /^(?:\$ |[./~\w-]*\/)/.test(text) ? text.slice(text.indexOf('\n') + 1) : text
