import type { Handlers } from '../../../shared/contract'
import {
  hydrate,
  listReceipts,
  nearest,
  newReceiptId,
  openReceipt,
  planes,
  type RecallPorts,
  replay,
  search,
} from '../../hydration'
import { openRedactor, wrap } from '../../journal'
import { countTokens } from '../../models'
import type { HandlerContext } from '../context'
import { refuseSealed } from './trace.handlers'

type RecallCall =
  | 'search.run'
  | 'nearest.run'
  | 'planes.list'
  | 'hydrate.run'
  | 'receipts.list'
  | 'receipts.get'
  | 'receipts.replay'
  | 'tokens.count'

export const recallHandlers = (ctx: HandlerContext): Handlers<RecallCall> => {
  const { read, write, embedder, clock } = ctx
  // A question typed into Fovea is kept in its receipt, so it passes the same door as a transcript.
  const redactor = openRedactor(write)
  const clean = (text: string): string => redactor.redact(text).text
  const ports: RecallPorts = { read, write, embedder, clock, receiptId: newReceiptId, wrap, countTokens }
  return {
    'search.run': (input) => search(ports, { ...input, text: clean(input.text) }),
    'nearest.run': (input) => nearest(ports, { ...input, text: clean(input.text) }),
    'planes.list': () => ({
      planes: planes.map(({ name, description, budget }) => ({ name, description, budget })),
    }),
    'hydrate.run': (input) => hydrate(ports, { ...input, goal: clean(input.goal) }),
    'receipts.list': (input) => ({
      receipts: listReceipts(read, {
        limit: input.limit,
        ...(input.before === undefined ? {} : { before: input.before }),
      }),
    }),
    'receipts.get': ({ id }) => {
      refuseSealed(read, id)
      const { receipt, frame } = openReceipt(read, id)
      return { receipt, frame }
    },
    'receipts.replay': ({ id }) => replay(ports, id),
    'tokens.count': ({ text, tokenizer }) => ({ tokens: countTokens(text, tokenizer) }),
  }
}
