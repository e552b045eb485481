import type { HookPlace } from '@shared/hooks'
import { call } from '../client'
import { createRemote } from './remote'

/** Where the memory hook stands: in the person's own settings of the agent and, once picked, in one project's. */
export const useHooks = createRemote<{ folder?: string }, { places: HookPlace[] }>((input) =>
  call('hooks.status', input),
)
