import type { Handle, Rung } from '../../shared/domain'
import { AppError } from '../../shared/errors'
import type { Receipt } from '../../shared/recall'
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
  if (kind !== 'hydrate') throw new AppError('unsupported', 'Only the receipt of a frame can be replayed.')
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
    same: canonicalReceipt(before) === canonicalReceipt(receipt),
    ...compareFacts(before, receipt),
  }
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
