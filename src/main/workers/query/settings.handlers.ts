import { z } from 'zod'
import { FacultySettings } from '../../../shared/attention'
import type { Handlers } from '../../../shared/contract'
import { AppError } from '../../../shared/errors'
import { HookSettings } from '../../../shared/hooks'
import { ModelSettings } from '../../../shared/models'
import { isCloudModel } from '../../models'
import { settingsSql } from '../../store'
import type { HandlerContext } from '../context'

const NO_FACULTY = FacultySettings.parse({})
const NO_MODEL = ModelSettings.parse({})
const NO_HOOKS = HookSettings.parse({})

const Settings = z.object({
  theme: z.enum(['system', 'light', 'dark']).catch('system'),
  blind: z.boolean().catch(true),
  faculty: FacultySettings.catch(NO_FACULTY),
  models: ModelSettings.catch(NO_MODEL),
  hooks: HookSettings.catch(NO_HOOKS),
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
      const next = Settings.parse({
        ...now,
        ...change,
        faculty: { ...now.faculty, ...change.faculty },
        models: { ...now.models, ...change.models },
        hooks: { ...now.hooks, ...change.hooks },
      })
      refuseCloud(next.models)
      settingsSql.writeMeta(write, 'settings', JSON.stringify(next))
      return next
    }),
})

/** @throws AppError `forbidden` when a model that sends text out was chosen and not allowed by its name */
function refuseCloud({ curator, proxy, allowCloud }: ModelSettings): void {
  const away = [curator, proxy].find(
    (name) => name !== null && isCloudModel(name) && !allowCloud.includes(name),
  )
  if (away) {
    throw new AppError(
      'forbidden',
      `${away} sends text out to a network. Allow it by name first; nothing was changed.`,
    )
  }
}

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
