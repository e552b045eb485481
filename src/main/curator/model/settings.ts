import { ModelSettings } from '../../../shared/models'
import { type ReadDb, settingsSql } from '../../store'

/** What the person chose about language models; what is missing or damaged takes its default: no model. */
export function modelSettings(db: ReadDb): ModelSettings {
  let stored: unknown = null
  try {
    stored = JSON.parse(settingsSql.readMeta(db, 'settings') ?? '{}')
  } catch {
    // Not JSON: every setting takes its default.
  }
  const own = stored !== null && typeof stored === 'object' && 'models' in stored ? stored.models : {}
  return ModelSettings.parse(own !== null && typeof own === 'object' ? own : {})
}

/** Whether summaries are offered to a model at all. */
export const usesModel = (db: ReadDb): boolean => modelSettings(db).curator !== null
