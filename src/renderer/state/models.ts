import type { CuratorEstimate, CuratorStatus, InstalledModels } from '@shared/models'
import { create } from 'zustand'
import { call } from '../client'
import { createRemote } from './remote'

// What the app knows about language models and the work they do.

export const useInstalled = createRemote<Record<string, never>, InstalledModels>(() =>
  call('models.list', {}),
)
export const useEstimate = createRemote<Record<string, never>, CuratorEstimate>(() =>
  call('curator.estimate', {}),
)

/** Kept in step by an event. */
export const useCurator = create<{ status: CuratorStatus | null }>(() => ({ status: null }))

export async function loadCurator(): Promise<void> {
  await call('curator.status', {}).then(
    (status) => useCurator.setState({ status }),
    () => {},
  )
}
