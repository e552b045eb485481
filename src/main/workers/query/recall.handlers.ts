import type { Handlers } from '../../../shared/contract'
import type { Plane } from '../../../shared/recall'
import { takeTurn } from '../../gates'
import {
  compareReceipts,
  giveFeedback,
  hydrate,
  lastTry,
  listFeedback,
  listPlanes,
  listReceipts,
  type NamedPlane,
  nearest,
  newReceiptId,
  openReceipt,
  type RecallPorts,
  removePlane,
  replay,
  savePlane,
  search,
  undoFeedback,
} from '../../hydration'
import { openRedactor, redactDeep, signedWrap } from '../../journal'
import { countTokens } from '../../models'
import type { HandlerContext } from '../context'
import { refuseSealed } from './trace.handlers'

type RecallCall =
  | 'search.run'
  | 'nearest.run'
  | 'planes.list'
  | 'planes.save'
  | 'planes.remove'
  | 'hydrate.run'
  | 'turn.run'
  | 'receipts.list'
  | 'receipts.get'
  | 'receipts.replay'
  | 'lastTry.run'
  | 'receipts.compare'
  | 'feedback.give'
  | 'feedback.undo'
  | 'feedback.list'
  | 'tokens.count'

export const recallHandlers = (ctx: HandlerContext): Handlers<RecallCall> => {
  const { read, write, embedder, clock } = ctx
  // A question typed into Fovea is kept in its receipt, so it passes the same door as a transcript.
  const redactor = openRedactor(write)
  const clean = (text: string): string => redactor.redact(text).text
  /** A project's name passed it when it was stored, so that the name as the person knows it finds it. */
  const filtered = <T extends { project?: string | undefined }>(input: T): T =>
    input.project === undefined ? input : { ...input, project: clean(input.project) }
  const ports: RecallPorts = {
    read,
    write,
    embedder,
    clock,
    receiptId: newReceiptId,
    wrap: signedWrap(ctx.key),
    countTokens,
  }
  return {
    'search.run': (input) => search(ports, { ...filtered(input), text: clean(input.text) }),
    'nearest.run': (input) => nearest(ports, { ...input, text: clean(input.text) }),
    'planes.list': () => ({ planes: listPlanes(read).map(planeOf) }),
    'planes.save': ({ policy }) => ({
      plane: planeOf({
        policy: savePlane(write, redactDeep(policy, redactor.redact).value, clock()),
        shipped: false,
      }),
    }),
    'planes.remove': ({ name }) => {
      removePlane(write, name)
      return { planes: listPlanes(write).map(planeOf) }
    },
    'hydrate.run': (input) => hydrate(ports, { ...filtered(input), goal: clean(input.goal) }),
    'turn.run': (input) =>
      takeTurn(ports, { ...input, ...(input.goal === undefined ? {} : { goal: clean(input.goal) }) }),
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
    'lastTry.run': (input) => lastTry(ports, { ...filtered(input), text: clean(input.text) }),
    'receipts.compare': ({ before, after }) => {
      for (const id of [before, after]) refuseSealed(read, id)
      return compareReceipts(read, before, after)
    },
    'feedback.give': (input) => ({ feedback: giveFeedback(write, input, clock()) }),
    'feedback.undo': ({ id }) => {
      undoFeedback(write, id, clock())
      return {}
    },
    'feedback.list': ({ handles }) => ({ feedback: listFeedback(read, handles) }),
    'tokens.count': ({ text, tokenizer }) => ({ tokens: countTokens(text, tokenizer) }),
  }
}

function planeOf({ policy, shipped }: NamedPlane): Plane {
  const { name, description, budget } = policy
  return { name, description, budget, shipped, policy }
}
