import { randomBytes } from 'node:crypto'
import type { Handlers } from '../../../shared/contract'
import { openRedactor } from '../../journal'
import { exportBundle } from '../../sharing'
import type { HandlerContext } from '../context'

export const exportHandlers = (context: HandlerContext): Handlers<'export.run'> => {
  const redactor = openRedactor(context.write)
  /** The name as the person knows it, in the words that are stored. */
  const masked = <T extends { project?: string | undefined }>(request: T): T =>
    request.project === undefined ? request : { ...request, project: redactor.redact(request.project).text }
  return {
    'export.run': (request) =>
      exportBundle(masked(request), {
        read: context.read,
        write: context.write,
        clock: context.clock,
        newId: () => `bun_${randomBytes(10).toString('hex')}`,
        redact: (text) => redactor.redact(text),
      }),
  }
}
