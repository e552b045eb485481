import type { Handlers } from '@shared/contract'
import type { HookPlace } from '@shared/hooks'

/** Settings of an agent held in memory: what is installed stays installed. */
export function hookHandlers(): Pick<Handlers, 'hooks.status' | 'hooks.install' | 'hooks.remove'> {
  const user: HookPlace = { scope: 'user', file: '/home/mira/.claude/settings.json', state: 'absent' }
  const project: HookPlace = {
    scope: 'project',
    file: '/home/mira/work/shop-api/.claude/settings.local.json',
    state: 'other',
  }
  const of = (scope: HookPlace['scope']): HookPlace => (scope === 'user' ? user : project)
  return {
    'hooks.status': ({ folder }) => ({
      places: (folder === undefined ? [user] : [user, project]).map((place) => ({ ...place })),
    }),
    'hooks.install': ({ scope }) => ({ place: { ...Object.assign(of(scope), { state: 'installed' }) } }),
    'hooks.remove': ({ scope }) => ({ place: { ...Object.assign(of(scope), { state: 'absent' }) } }),
  }
}
