import { call } from '../client'
import { curatorState, waiting } from '../lib/curator-words'
import { count, percent, plural } from '../lib/format'
import { attempt, useApp } from '../state/app'
import { usePulse, useSources, useStats } from '../state/memory'
import { useCurator } from '../state/models'

export function Footer() {
  const sources = useSources((s) => s.value)
  const stats = useStats((s) => s.value)
  const index = usePulse((s) => s.index)
  const degraded = usePulse((s) => s.degraded)
  const watching = sources?.filter((source) => source.state === 'active' && source.awaySince === null).length
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
        {degraded.length > 0 ? degraded.join(' ') : <Offline />}
      </span>
    </footer>
  )
}

/** What leaves this machine: nothing, unless the person allowed a model that does. */
function Offline() {
  const models = useApp((s) => s.models)
  const chosen = [models?.curator, models?.proxy].filter((name) => typeof name === 'string')
  if (chosen.length === 0) return 'offline · no model needed'
  return chosen.some((name) => models?.allowCloud.includes(name))
    ? 'a model that you allowed sends text out'
    : 'offline · model on this machine'
}

/** The model at work, or why it is not although something waits. */
function Summarising() {
  const status = useCurator((s) => s.status)
  if (status === null || status.state === 'off' || waiting(status.left) === 0) return null
  return (
    <span className="summarising" title={status.reason ?? undefined}>
      Summaries: {lowerFirst(curatorState(status))}, {count(waiting(status.left))} left
    </span>
  )
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)

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
