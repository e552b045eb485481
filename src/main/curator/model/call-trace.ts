import { randomBytes } from 'node:crypto'
import type { Trace } from '../../../shared/attention'
import { facultyId, traceColumns } from '../../faculty'
import { traceSql, type WriteDb } from '../../store'
import { union } from '../arcs'
import type { Material } from './material'

// What attention decided about a prompt to the model, kept beside the ledger of calls.

/** Calls whose prompts can still be looked at; the ledger itself goes on. */
export const KEPT = 500

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567'

/** Inside the caller's transaction. */
export function keepCallTrace(
  db: WriteDb,
  callId: number,
  { trace, materials, at }: { trace: Trace; materials: readonly Material[]; at: number },
): void {
  const n = materials.length
  traceSql.insertTrace(db, {
    id: `trc_${Array.from(randomBytes(16), (byte) => ALPHABET[byte & 31]).join('')}`,
    faculty: facultyId('curator'),
    receipt_id: null,
    gate_id: null,
    call_id: callId,
    purpose: 'summaries',
    goal: n === 1 ? 'A summary of one text' : `Summaries of ${n} texts`,
    ...traceColumns(trace),
    created_at: at,
    labels: JSON.stringify(union(materials.map(({ labels }) => labels))),
  })
  traceSql.dropCallTraces(db, callId - KEPT)
}
