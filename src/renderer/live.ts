import { listen } from './client'
import { useDesk, useGate, useQueue } from './state/gates'
import { refreshMemory, useHealth, useInfo, usePulse, useSources } from './state/memory'
import { useArcs, useDays } from './state/timeline'

/** Runs at once, then at most once per `ms`; a call in between is made up for at the end. */
export function throttle(ms: number, run: () => void): () => void {
  let last = Number.NEGATIVE_INFINITY
  let timer: ReturnType<typeof setTimeout> | undefined
  return () => {
    if (timer) return
    const wait = last + ms - performance.now()
    const go = (): void => {
      timer = undefined
      last = performance.now()
      run()
    }
    if (wait <= 0) go()
    else timer = setTimeout(go, wait)
  }
}

/** Keeps what is on screen in step with main's events; the answer stops it. */
export function startLive(): () => void {
  const journal = throttle(300, () => {
    void refreshMemory()
    void useDays.getState().refresh()
    void useArcs.getState().refresh()
    void useQueue.getState().refresh()
  })
  const sources = throttle(300, () => {
    void useSources.getState().load({})
    void useHealth.getState().refresh()
    void useInfo.getState().load({})
  })
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
