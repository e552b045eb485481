import type { Rung } from '../../shared/domain'
import { distillationText } from '../curator'

// What may leave under a ceiling. Pure.

const order: readonly Rung[] = ['L0', 'L1', 'L2', 'L3']

/** The rungs that are no finer than `ceiling`, finest first. */
export function allowedRungs(ceiling: Rung): readonly Rung[] {
  return order.slice(order.indexOf(ceiling))
}

/** Fewer words than this are a name that the coarser rung may carry too: a file's, a command's. */
const TELLING_WORDS = 3

/**
 * Whether `text` gives away one of the finer texts whole. An extractive rung quotes sentences, so a distillation of a
 * one-sentence item can hold that very sentence; under a ceiling the rung must then step down.
 */
export function givesAway(text: string, finer: readonly string[]): boolean {
  const folded = fold(text)
  return finer.some((one) => {
    const whole = fold(one)
    return whole.split(' ').length >= TELLING_WORDS && folded.includes(whole)
  })
}

/**
 * The rungs of one subject as they may leave: those allowed, without any that gives a finer one away. `within` are the
 * finer texts of what the subject was made from: an arc's rungs must not quote its items whole.
 */
export function underCeiling(
  rungs: Readonly<Partial<Record<Rung, string>>>,
  ceiling: Rung,
  within: readonly string[] = [],
): Partial<Record<Rung, string>> {
  const allowed = allowedRungs(ceiling)
  const own = order.filter((rung) => !allowed.includes(rung)).flatMap((rung) => rungs[rung] ?? [])
  const finer = [...own, ...within]
  const leaving: Partial<Record<Rung, string>> = {}
  for (const rung of allowed) {
    const text = rungs[rung]
    const kept = text === undefined || rung !== 'L2' ? text : withoutQuotes(text, finer)
    if (kept !== undefined && kept !== '' && !givesAway(kept, finer)) leaving[rung] = kept
  }
  return leaving
}

/** A distillation without the sentences that are a finer text whole, as a person reads it. */
function withoutQuotes(distillation: string, finer: readonly string[]): string {
  let lists: unknown
  try {
    lists = JSON.parse(distillation)
  } catch {
    return distillation
  }
  if (lists === null || typeof lists !== 'object') return distillation
  const kept = Object.entries(lists).map(([name, list]) => [
    name,
    Array.isArray(list) ? list.filter((one) => typeof one === 'string' && !givesAway(one, finer)) : list,
  ])
  return distillationText(JSON.stringify(Object.fromEntries(kept)))
}

const fold = (text: string): string => text.replace(/\s+/g, ' ').trim().toLowerCase()
