import { join } from 'node:path'
import type { CallOutput, ParsedInput } from '../../shared/contract'
import type { HookPlace, HookScope } from '../../shared/hooks'
import type { Places } from '../home'
import { hookCommand, installHook, placeOf, removeHook, settingsFile } from '../surfaces'

type HookCall = 'hooks.status' | 'hooks.install' | 'hooks.remove'
export type HookHandlers = { [K in HookCall]: (input: ParsedInput<K>) => Promise<CallOutput<K>> }

/** The hook in an agent's settings. Only these files of the agent are ever written, and only when the person asks. */
export function hookHandlers({ home }: Places, resources: string): HookHandlers {
  const command = (): string => hookCommand({ script: join(resources, '..', 'out', 'main', 'hook.js'), home })
  const place = (scope: HookScope, folder: string | undefined): HookPlace =>
    placeOf(scope, settingsFile(scope, folder), command())
  return {
    'hooks.status': async ({ folder }) => ({
      places: [place('user', folder), ...(folder === undefined ? [] : [place('project', folder)])],
    }),
    'hooks.install': async ({ scope, folder }) => {
      installHook(settingsFile(scope, folder), command(), home)
      return { place: place(scope, folder) }
    },
    'hooks.remove': async ({ scope, folder }) => {
      removeHook(settingsFile(scope, folder), home)
      return { place: place(scope, folder) }
    },
  }
}
