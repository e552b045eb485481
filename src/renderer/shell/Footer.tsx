import { call } from '../client'
import { curatorState, waiting } from '../lib/curator-words'
import { count, percent, plural } from '../lib/format'
import { attempt } from '../state/app'
import { usePulse, useSources, useStats } from '../state/memory'
import { useCurator } from '../state/models'

export function Footer() {
  const sources = useSources((s) => s.value)
  const stats = useStats((s) => s.value)
  const index = usePulse((s) => s.index)
  const degraded = usePulse((s) => s.degraded)
  const watching = sources?.filter((source) => source.state === 'active').length
  const all = (index?.vectors ?? 0) + (index?.pending ?? 0)
  return (
    <footer className="bottom">
      {watching === undefined ? null : <span>Watching {plural(watching, 'source')}</span>}
      {stats ? <span>{plural(stats.items, 'item')}</span> : null}
      {index && all > 0 ? <span>embedded {percent(index.vectors, all)}</span> : null}
      <Reading />
      <Summarising />
      <span className="grow" />
      <span className="degraded" title={degraded.join(' ')}>
        {degraded.length > 0 ? degraded.join(' ') : 'offline · no model needed'}
      </span>
    </footer>
  )
}

/** The model at work, or why it is not although something waits. */
function Summarising() {
  const status = useCurator((s) => s.status)
  if (status === null || status.state === 'off' || waiting(status.left) === 0) return null
  return (
    <span className="summarising" title={status.reason ?? undefined}>
      Summaries: {curatorState(status).toLowerCase()}, {count(waiting(status.left))} left
    </span>
  )
}

function Reading() {
  const ingest = usePulse((s) => s.ingest)
  if (!ingest?.running) return null
  return (
    <span className="reading" role="status">
      Reading {count(ingest.filesDone)} of {plural(ingest.filesTotal, 'file')}
      <button type="button" className="linkish" onClick={() => void attempt(() => call('ingest.cancel', {}))}>
        Cancel
      </button>
    </span>
  )
}
