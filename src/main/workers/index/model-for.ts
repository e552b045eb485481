import type { ModelSettings } from '../../../shared/models'
import { type LanguageModel, ollamaModel, type RatioMemory } from '../../models'
import { modelCallSql, type WriteDb } from '../../store'

/** The client for what the person chose, the same one as long as the choice is the same; how models count is kept. */
export function modelFor(db: WriteDb): (settings: ModelSettings) => LanguageModel {
  const ratios: RatioMemory = {
    ratio: (model) => modelCallSql.readRatio(db, model),
    keepRatio: (model, value) => modelCallSql.writeRatio(db, model, value),
  }
  let made: { key: string; model: LanguageModel } | null = null
  return ({ host, window, allowCloud }) => {
    const key = JSON.stringify([host, window, allowCloud])
    if (made?.key !== key)
      made = {
        key,
        model: ollamaModel({ host: host.replace(/\/$/, ''), window, allowed: allowCloud, ratios }),
      }
    return made.model
  }
}
