import { z } from 'zod'
import type { Handlers } from '../../../shared/contract'
import { settingsSql } from '../../store'
import type { HandlerContext } from '../context'

const Settings = z.object({
  theme: z.enum(['system', 'light', 'dark']).catch('system'),
  blind: z.boolean().catch(true),
})
type Settings = z.infer<typeof Settings>

export const settingsHandlers = ({
  read,
  write,
}: HandlerContext): Handlers<'settings.get' | 'settings.set'> => ({
  'settings.get': () => load(read),
  'settings.set': (change) =>
    write.transaction(() => {
      const next = Settings.parse({ ...load(write), ...change })
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
