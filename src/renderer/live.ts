import { listen } from './client'
import { useDesk, useGate, useQueue } from './state/gates'
import { refreshMemory, useHealth, useInfo, usePulse, useSources } from './state/memory'
import { useCurator } from './state/models'
import { useArcs, useDays } from './state/timeline'

/**
 * Runs at once, then again for what came meanwhile, but never twice at a time and with a rest of three times what the
 * last run took: a memory that answers slowly is asked less often. What comes now and then hardly waits; while it keeps
 * coming the least rest doubles, up to `ms`.
 */
export function throttle(ms: number, run: () => Promise<unknown>): () => void {
  let busy = false
  let again = false
  const go = async (least: number): Promise<void> => {
    busy = true
    const began = performance.now()
    await run().catch(() => undefined)
    const rest = Math.max(least, 3 * (performance.now() - began))
    setTimeout(() => {
      busy = false
      if (!again) return
      again = false
      void go(Math.min(ms, 2 * least))
    }, rest)
  }
  return () => {
    if (busy) again = true
    else void go(ms / 6)
  }
}

/** Keeps what is on screen in step with main's events; the answer stops it. */
export function startLive(): () => void {
  const journal = throttle(300, () =>
    // One worker answers these in turn: what was said stands on screen before what is counted of it.
    Promise.all([
      useArcs.getState().refresh(),
      useQueue.getState().refresh(),
      useDays.getState().refresh(),
      refreshMemory(),
    ]),
  )
  const sources = throttle(300, () =>
    Promise.all([
      useSources.getState().load({}),
      useHealth.getState().refresh(),
      useInfo.getState().load({}),
    ]),
  )
  const stops = [
    listen('journal.changed', journal),
    listen('sources.changed', sources),
    listen('ingest.progress', (ingest) => {
      usePulse.setState({ ingest })
      if (!ingest.running) {
        journal()
        sources()
      }
    }),
    listen('index.progress', (index) => usePulse.setState({ index })),
    listen('curator.progress', (status) => useCurator.setState({ status })),
    listen('health.changed', ({ degraded }) => usePulse.setState({ degraded })),
    listen('gates.changed', ({ id }) => {
      void useQueue.getState().refresh()
      if (id === null || id === useDesk.getState().selected) void useGate.getState().refresh()
    }),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}
