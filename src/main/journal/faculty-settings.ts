import { FacultySettings } from '../../shared/attention'
import { type ReadDb, settingsSql } from '../store'

/** The person's switches of adaptive attention; what is missing or damaged is off. */
export function facultySettings(db: ReadDb): FacultySettings {
  return FacultySettings.parse(settingsSql.readSection(db, 'faculty'))
}
