import type { Handlers } from '../../../shared/contract'
import { AppError } from '../../../shared/errors'
import { openRedactor } from '../../journal'
import { factSql, itemSql } from '../../store'
import type { HandlerContext } from '../context'

/** Facts one agent may hold: more is a log, not memory. */
const MOST = 10_000

export const factHandlers = ({ write, clock }: HandlerContext): Handlers<'facts.assert'> => {
  const redactor = openRedactor(write)
  return {
    'facts.assert': (input) => {
      const subject = redactor.redact(input.subject.normalize('NFC'))
      const object = redactor.redact(input.object.normalize('NFC'))
      return write.transaction(() => {
        const item = input.handle === undefined ? undefined : itemSql.itemByHandle(write, input.handle)
        if (input.handle !== undefined && !item)
          throw new AppError('not-found', `There is no item ${input.handle}.`)
        if (factSql.countAgentFacts(write, input.agent) >= MOST)
          throw new AppError(
            'conflict',
            `${input.agent} has asserted ${MOST} facts already; no more are taken.`,
          )
        const made = factSql.putAgentFact(write, {
          agent: input.agent,
          kind: input.kind,
          subject: subject.text,
          predicate: input.predicate,
          object: object.text,
          project: input.project ?? item?.project ?? null,
          handle: input.handle ?? null,
          assertedAt: clock(),
          // What rests on an item is as restricted as that is.
          labels: item ? (JSON.parse(item.labels) as string[]) : [],
        })
        return { ...made, masked: subject.masked + object.masked }
      })
    },
  }
}
