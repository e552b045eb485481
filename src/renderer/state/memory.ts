import type { CallOutput } from '@shared/contract'
import type {
  IndexStatus,
  IngestProgress,
  RemovedSource,
  SourceCandidate,
  SourceView,
  Stats,
} from '@shared/journal'
import { create } from 'zustand'
import { call } from '../client'
import { loadCurator } from './models'
import { createRemote } from './remote'

// What the app knows about its memory as a whole: the frame around the three workspaces.

export const useInfo = createRemote<Record<string, never>, CallOutput<'app.info'>>(() => call('app.info', {}))
export const useStats = createRemote<Record<string, never>, Stats>(() => call('stats.get', {}))
export const useProjects = createRemote<Record<string, never>, CallOutput<'projects.list'>['projects']>(
  async () => (await call('projects.list', {})).projects,
)
export const useAliases = createRemote<Record<string, never>, CallOutput<'projects.aliases'>['aliases']>(
  async () => (await call('projects.aliases', {})).aliases,
)
export const useSources = createRemote<Record<string, never>, SourceView[]>(
  async () => (await call('sources.list', {})).sources,
)
/** Sources that were removed while what they brought was kept. */
export const useRemoved = createRemote<Record<string, never>, RemovedSource[]>(
  async () => (await call('sources.list', {})).removed,
)
export const useCandidates = createRemote<Record<string, never>, SourceCandidate[]>(
  async () => (await call('sources.detect', {})).candidates,
)
export const useHealth = createRemote<{ id: string }, CallOutput<'sources.health'>>((args) =>
  call('sources.health', args),
)

/** What events tell between two questions. */
interface Pulse {
  ingest: IngestProgress | null
  index: IndexStatus | null
  degraded: string[]
}
export const usePulse = create<Pulse>(() => ({ ingest: null, index: null, degraded: [] }))

/** Everything the frame shows, asked once more. */
export async function refreshMemory(): Promise<void> {
  await Promise.all([
    useStats.getState().load({}),
    useProjects.getState().load({}),
    useSources.getState().load({}),
    useRemoved.getState().load({}),
    call('index.status', {}).then(
      (index) => usePulse.setState({ index }),
      () => {},
    ),
  ])
}

export async function loadMemory(): Promise<void> {
  await Promise.all([
    useInfo
      .getState()
      .load({})
      .then(() => usePulse.setState({ degraded: useInfo.getState().value?.degraded ?? [] })),
    call('ingest.status', {}).then(
      (ingest) => usePulse.setState({ ingest }),
      () => {},
    ),
    refreshMemory(),
    loadCurator(),
  ])
}
