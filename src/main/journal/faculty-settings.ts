import { FacultySettings } from '../../shared/attention'
import { type ReadDb, settingsSql } from '../store'

/** The person's switches of adaptive attention; what is missing or damaged is off. */
export function facultySettings(db: ReadDb): FacultySettings {
  let stored: unknown = null
  try {
    stored = JSON.parse(settingsSql.readMeta(db, 'settings') ?? '{}')
  } catch {
    // Not JSON: every switch is off.
  }
  const own = stored !== null && typeof stored === 'object' && 'faculty' in stored ? stored.faculty : {}
  return FacultySettings.parse(own !== null && typeof own === 'object' ? own : {})
}
