import type { TaskType } from '../../shared/domain'
import { AppError } from '../../shared/errors'
import type { GateLine } from '../../shared/review'
import { gatesSql, proxySql } from '../store'
import type { GateDeps } from './deps'
import { gateOf } from './subject'
import { lineOf } from './view'

/** Keeps notes that are not sent yet, so that they survive a crash. @throws AppError `not-found`, `conflict` */
export function draftNotes(deps: GateDeps, id: string, text: string): void {
  if (gateOf(deps.read, id).status !== 'open') {
    throw new AppError('conflict', 'This gate is over. Its notes can no longer change.')
  }
  gatesSql.setDraft(deps.write, id, deps.redact(text))
}

/** The person's word on the kind of task. What was sealed before stays as it was. @throws AppError `not-found` */
export function setTaskType(deps: GateDeps, id: string, taskType: TaskType): GateLine {
  return deps.write.transaction(() => {
    gateOf(deps.write, id)
    gatesSql.setTaskType(deps.write, id, taskType)
    proxySql.setChunkTaskType(deps.write, id, taskType)
    const outcome = gatesSql.decisionOf(deps.write, id)?.outcome ?? null
    const body = proxySql.predictionOf(deps.write, id)?.body ?? null
    return lineOf({ ...gateOf(deps.write, id), outcome, body })
  })
}
