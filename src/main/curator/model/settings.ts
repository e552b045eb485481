import { ModelSettings } from '../../../shared/models'
import { type ReadDb, settingsSql } from '../../store'

/** What the person chose about language models; what is missing or damaged takes its default: no model. */
export function modelSettings(db: ReadDb): ModelSettings {
  return ModelSettings.parse(settingsSql.readSection(db, 'models'))
}

/** Whether summaries are offered to a model at all. */
export const usesModel = (db: ReadDb): boolean => modelSettings(db).curator !== null
