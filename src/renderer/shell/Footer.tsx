import { call } from '../client'
import { count, percent, plural } from '../lib/format'
import { attempt } from '../state/app'
import { usePulse, useSources, useStats } from '../state/memory'

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
      <span className="grow" />
      <span className="degraded" title={degraded.join(' ')}>
        {degraded.length > 0 ? degraded.join(' ') : 'offline · no model needed'}
      </span>
    </footer>
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
