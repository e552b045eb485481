import { z } from 'zod'
import { FacultySettings } from '../../../shared/attention'
import type { Handlers } from '../../../shared/contract'
import { settingsSql } from '../../store'
import type { HandlerContext } from '../context'

const NO_FACULTY = FacultySettings.parse({})

const Settings = z.object({
  theme: z.enum(['system', 'light', 'dark']).catch('system'),
  blind: z.boolean().catch(true),
  faculty: FacultySettings.catch(NO_FACULTY),
})
type Settings = z.infer<typeof Settings>

export const settingsHandlers = ({
  read,
  write,
}: HandlerContext): Handlers<'settings.get' | 'settings.set'> => ({
  'settings.get': () => load(read),
  'settings.set': (change) =>
    write.transaction(() => {
      const now = load(write)
      const next = Settings.parse({ ...now, ...change, faculty: { ...now.faculty, ...change.faculty } })
      settingsSql.writeMeta(write, 'settings', JSON.stringify(next))
      return next
    }),
})

/** A damaged or missing setting falls back to its default; the others stay. */
function load(db: HandlerContext['read']): Settings {
  let stored: unknown = {}
  try {
    stored = JSON.parse(settingsSql.readMeta(db, 'settings') ?? '{}')
  } catch {
    // Not JSON: every setting takes its default.
  }
  return Settings.parse(stored !== null && typeof stored === 'object' ? stored : {})
}
