import { TraceId } from '../../../shared/attention'
import type { TurnRequest, TurnResult } from '../../../shared/turn'
import { withEntities } from '../../curator'
import { attentionMode, type TurnResult as Taken } from '../../faculty'
import { DEAREST_ID, type Recalled, type RecallPorts } from '../../hydration'
import { keepAssembly, traceIdOf } from '../assembly-receipts'
import { cycle } from './cycle'
import { hurried } from './hurried'
import { begin, envelope, type Making } from './making'
import { recallFor, together, toldBids } from './turn.bids'
import { facultyOf, PURPOSES } from './window'

/**
 * The context for the next turn of an agent's session: what memory recalls for what is asked now, beside what the
 * session, its plan, its sub-agents, the sessions around it, the person's pins and the signals since the last turn have
 * to say, assembled by the session's own faculty under one budget. Its receipt and its trace are stored; the signals it
 * took do not come again.
 * @throws AppError `not-found` without a session; `bad-input` for a plane there is not, or when nothing says what the
 * turn is for
 */
export async function takeTurn(ports: RecallPorts, request: TurnRequest): Promise<TurnResult> {
  const { patience } = request
  const embedder = patience === undefined ? ports.embedder : hurried(ports.embedder, patience)
  const making = begin({ ...ports, embedder }, request)
  const told = ports.read.snapshot(() => toldBids(making))
  const recalled = await recallFor(making, told)
  const bids = withEntities(ports.read, together(making, told, recalled))
  return ports.write.transaction(() => {
    const taken = cycle(making, bids)
    return keep(making, recalled, taken)
  })
}

function keep(making: Making, recalled: Recalled, { context, trace, zone }: Taken): TurnResult {
  const { ports, request, session, goal, project, now } = making
  const id = ports.receiptId()
  const framed = (receipt: string): string => ports.wrap(envelope(receipt), context)
  const frame = framed(id)
  const receipt = keepAssembly(ports.write, {
    id,
    kind: 'hydrate',
    faculty: facultyOf(request, session),
    gate: null,
    purpose: request.given === undefined ? 'turn' : PURPOSES[request.given],
    plane: `turn:${request.plane}`,
    viewer: request.viewer,
    goal,
    project,
    tokenizer: request.tokenizer,
    budget: { asked: request.budget, spent: ports.countTokens(framed(DEAREST_ID), request.tokenizer) },
    trace,
    frame,
    at: now,
    ms: recalled.ms,
    recall: recalled,
    labels: [],
    match: recalled.match,
    facts: recalled.facts,
    omitted: recalled.omitted,
  })
  return {
    frame,
    receipt,
    trace: TraceId.parse(traceIdOf(id)),
    session: session?.id ?? null,
    zone,
    mode: attentionMode(zone),
  }
}
