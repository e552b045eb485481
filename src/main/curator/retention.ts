import { AppError } from '../../shared/errors'
import {
  RetentionLevel,
  type RetentionPreview,
  RetentionRan,
  type RetentionReport,
  type RetentionRule,
  type RetentionState,
} from '../../shared/retention'
import { curatorSql, type ReadDb, retentionSql, settingsSql, type WriteDb } from '../store'

const DAY = 86_400_000
/** Items let go in one transaction. */
const BATCH = 200
const PAGE = 5_000
const LEVELS = RetentionLevel.options
const AUTOMATIC_KEY = 'retention.automatic'
const RAN_KEY = 'retention.ran'

/** The rules, whether they are followed by themselves, and what was let go so far. */
export function retentionState(db: ReadDb): RetentionState {
  return {
    rules: retentionSql.retentionRules(db),
    automatic: settingsSql.readMeta(db, AUTOMATIC_KEY) === 'on',
    ran: ranLast(db),
    letGo: retentionSql.countLetGo(db),
  }
}

function ranLast(db: ReadDb): RetentionState['ran'] {
  const stored = settingsSql.readMeta(db, RAN_KEY)
  return stored === undefined ? null : RetentionRan.parse(JSON.parse(stored))
}

/**
 * Keeps the rules, and whether they are followed by themselves. A finer level may not be kept longer than a coarser one.
 * @throws AppError `bad-input` that names the rule; nothing is written then
 */
export function saveRetention(db: WriteDb, rules: readonly RetentionRule[], automatic?: boolean): void {
  const known = new Set(retentionSql.sourceIds(db))
  const seen = new Set<string>()
  for (const { source, level } of rules) {
    if (source !== null && !known.has(source))
      throw new AppError('bad-input', `There is no source ${source}; fovea source list names them.`)
    const key = `${source ?? 'every source'}, ${level}`
    if (seen.has(key)) throw new AppError('bad-input', `There are two rules for ${key}.`)
    seen.add(key)
  }
  for (const source of [null, ...new Set(rules.map((rule) => rule.source))]) {
    const days = LEVELS.map((level) => daysFor(rules, source, level) ?? Number.POSITIVE_INFINITY)
    const at = days.findIndex((own, i) => i > 0 && own < (days[i - 1] ?? 0))
    if (at > 0)
      throw new AppError(
        'bad-input',
        `${LEVELS[at]} of ${source ?? 'every source'} would be kept for ${days[at]} days and the finer ${LEVELS[at - 1]} longer.`,
      )
  }
  db.transaction(() => {
    retentionSql.putRetentionRules(db, rules)
    if (automatic !== undefined) settingsSql.writeMeta(db, AUTOMATIC_KEY, automatic ? 'on' : 'off')
  })
}

/** What would go by the rules that stand, or by others that are tried. Reads only. */
export function previewRetention(
  db: ReadDb,
  now: number,
  rules?: readonly RetentionRule[],
): RetentionPreview {
  const tally = new Tally()
  db.snapshot(() => {
    const cutoffs = cutoffsOf(db, now, rules ?? retentionSql.retentionRules(db))
    let after = 0
    for (;;) {
      const page = retentionSql.dueItems(db, cutoffs, { after, limit: PAGE })
      for (const item of page) tally.add(item)
      if (page.length < PAGE) return
      after = page.at(-1)?.id ?? after
    }
  })
  return { ...tally.told(), waiting: curatorSql.countQueued(db) }
}

/**
 * Lets go what is due, a few hundred items in each transaction: interrupted at any moment, each item has all of what
 * was due or nothing of it gone, and the next run goes on.
 * @param rest called between two transactions
 */
export async function applyRetention(
  db: WriteDb,
  options: { now: number; compact: boolean; rest: () => Promise<void> },
): Promise<RetentionReport> {
  const before = retentionSql.fileSize(db)
  const tally = new Tally()
  const cutoffs = cutoffsOf(db, options.now, retentionSql.retentionRules(db))
  for (let after = 0; ; ) {
    const page = db.transaction(() => {
      const due = retentionSql.dueItems(db, cutoffs, { after, limit: BATCH })
      for (const item of due)
        retentionSql.letGo(
          db,
          item.id,
          LEVELS.filter((level) => item[level] === 1),
          options.now,
        )
      return due
    })
    for (const item of page) tally.add(item)
    if (page.length < BATCH) break
    after = page.at(-1)?.id ?? after
    await options.rest()
  }
  if (options.compact) retentionSql.compact(db)
  const waiting = curatorSql.countQueued(db)
  return { ...tally.told(), waiting, before, after: retentionSql.fileSize(db), compacted: options.compact }
}

/**
 * Lets go what is due when the person wants that by itself, some level has an end, and the last time was a day ago or
 * more. The file is not written anew: the room is used again.
 * @returns how many items let each level go; null when it was not the time
 */
export async function keepRetention(
  db: WriteDb,
  options: { now: number; rest: () => Promise<void> },
): Promise<RetentionRan | null> {
  const { rules, automatic, ran } = retentionState(db)
  const last = ran?.at ?? Number.NEGATIVE_INFINITY
  if (!automatic || options.now - last < DAY || !rules.some((rule) => rule.days !== null)) return null
  const { levels } = await applyRetention(db, { ...options, compact: false })
  const done = { at: options.now, L0: levels.L0.items, L1: levels.L1.items, L2: levels.L2.items }
  // Written last: a run that was cut short goes on at the next start, not a day later.
  settingsSql.writeMeta(db, RAN_KEY, JSON.stringify(done))
  return done
}

/** A source's own rule, else the one for all; null keeps for ever. */
function daysFor(
  rules: readonly RetentionRule[],
  source: string | null,
  level: RetentionLevel,
): number | null {
  const own = rules.find((rule) => rule.source === source && rule.level === level)
  return (own ?? rules.find((rule) => rule.source === null && rule.level === level))?.days ?? null
}

function cutoffsOf(db: ReadDb, now: number, rules: readonly RetentionRule[]): retentionSql.Cutoffs[] {
  return retentionSql.sourceIds(db).map((source) => {
    const until = (level: RetentionLevel): number | null => {
      const days = daysFor(rules, source === '' ? null : source, level)
      return days === null ? null : now - days * DAY
    }
    return { source, L0: until('L0'), L1: until('L1'), L2: until('L2') }
  })
}

type Levels = RetentionPreview['levels']

class Tally {
  readonly #all = nothing()
  readonly #sources = new Map<string, Levels>()

  add(item: retentionSql.DueItem): void {
    const own = this.#sources.get(item.source) ?? nothing()
    this.#sources.set(item.source, own)
    const bytes = { L0: item.bytes0, L1: item.bytes1, L2: item.bytes2 }
    for (const level of LEVELS) {
      if (item[level] !== 1) continue
      for (const levels of [this.#all, own]) {
        levels[level].items += 1
        levels[level].bytes += bytes[level]
      }
    }
  }

  told(): Omit<RetentionPreview, 'waiting'> {
    const sources = [...this.#sources].sort(([a], [b]) => (a < b ? -1 : 1))
    return {
      levels: this.#all,
      sources: sources.map(([source, levels]) => ({ source: source === '' ? null : source, levels })),
    }
  }
}

function nothing(): Levels {
  return { L0: { items: 0, bytes: 0 }, L1: { items: 0, bytes: 0 }, L2: { items: 0, bytes: 0 } }
}
