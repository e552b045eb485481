import type { Handle, Rung } from '../../shared/domain'
import { AppError } from '../../shared/errors'
import { type Comparison, ERASED_TEXT, type Receipt } from '../../shared/recall'
import type { ReadDb } from '../store'
import { hydrate } from './hydrate'
import type { RecallPorts } from './ports'
import { canonicalReceipt, openReceipt } from './receipt'

export interface Replay {
  receipt: Receipt
  same: boolean
  added: Handle[]
  removed: Handle[]
  changed: { handle: Handle; from: Rung; to: Rung }[]
}

/**
 * The same request, with the same `asOf`, against today's memory: what stayed, what came, what went.
 * @throws AppError `not-found`; `unsupported` for a receipt that is not a frame's
 */
export async function replay(ports: RecallPorts, id: string): Promise<Replay> {
  const { kind, receipt: before } = openReceipt(ports.read, id)
  if (kind !== 'hydrate' || before.request.plane.startsWith('turn:')) {
    throw new AppError('unsupported', 'Only the receipt of a frame that was asked for can be replayed.')
  }
  if (before.request.goal === ERASED_TEXT)
    throw new AppError('unsupported', 'What this frame was asked for was erased; it cannot be asked again.')
  const { goal, plane, budget, asOf, viewer, tokenizer, project } = before.request
  const { receipt } = await hydrate(ports, {
    goal,
    plane,
    budget,
    asOf,
    viewer,
    tokenizer,
    ...(project === null ? {} : { project }),
  })
  return {
    receipt,
    same: canonicalReceipt(inZone(before, receipt)) === canonicalReceipt(receipt),
    ...compareFacts(before, receipt),
  }
}

/** A receipt from before zones were told is not another for that. */
function inZone(before: Receipt, { request: { zone } }: Receipt): Receipt {
  if (before.request.zone !== undefined || zone === undefined) return before
  return { ...before, request: { ...before.request, zone } }
}

/** What two receipts' frames hold and do not hold of each other. */
export function compareFacts(before: Receipt, after: Receipt): Pick<Replay, 'added' | 'removed' | 'changed'> {
  const from = new Map(before.facts.map((fact) => [fact.handle, fact.level]))
  const to = new Map(after.facts.map((fact) => [fact.handle, fact.level]))
  return {
    added: [...to.keys()].filter((handle) => !from.has(handle)),
    removed: [...from.keys()].filter((handle) => !to.has(handle)),
    changed: [...to].flatMap(([handle, level]) => {
      const old = from.get(handle)
      return old === undefined || old === level ? [] : [{ handle, from: old, to: level }]
    }),
  }
}

/**
 * Two receipts side by side: what only one holds, what changed its rung, which terms moved most, and in which parts
 * of the request they differ.
 * @throws AppError `not-found`
 */
export function compareReceipts(db: ReadDb, a: string, b: string): Comparison {
  const [before, after] = [openReceipt(db, a).receipt, openReceipt(db, b).receipt]
  const later = new Map(after.facts.map((fact) => [fact.handle, fact]))
  const moved = before.facts.flatMap((fact) => {
    const now = later.get(fact.handle)
    if (!now || now.score === fact.score) return []
    const names = [...new Set([...Object.keys(fact.terms), ...Object.keys(now.terms)])]
    const terms = names
      .map((name) => ({ name, from: fact.terms[name] ?? 0, to: now.terms[name] ?? 0 }))
      .filter(({ from, to }) => from !== to)
    return [{ handle: fact.handle, from: fact.score, to: now.score, terms }]
  })
  moved.sort((x, y) => Math.abs(y.to - y.from) - Math.abs(x.to - x.from) || (x.handle < y.handle ? -1 : 1))
  return { before, after, request: requestDifferences(before, after), ...compareFacts(before, after), moved }
}

function requestDifferences(before: Receipt, after: Receipt): Comparison['request'] {
  const text = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))
  const [a, b] = [before.request, after.request].map((request) => new Map(Object.entries(request)))
  const names = new Set([...(a?.keys() ?? []), ...(b?.keys() ?? [])])
  return [...names]
    .map((field) => ({ field, before: text(a?.get(field) ?? ''), after: text(b?.get(field) ?? '') }))
    .filter((one) => one.before !== one.after)
}
