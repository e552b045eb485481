import { randomBytes } from 'node:crypto'
import type { Handlers } from '../../../shared/contract'
import { openRedactor } from '../../journal'
import { exportBundle } from '../../sharing'
import type { HandlerContext } from '../context'

export const exportHandlers = (context: HandlerContext): Handlers<'export.run'> => {
  const redactor = openRedactor(context.write)
  return {
    'export.run': (request) =>
      exportBundle(request, {
        read: context.read,
        write: context.write,
        clock: context.clock,
        newId: () => `bun_${randomBytes(10).toString('hex')}`,
        redact: (text) => redactor.redact(text),
      }),
  }
}
