import { call } from '../client'
import { bytes, count, plural } from '../lib/format'
import { Button } from '../parts/Button'
import { attempt } from '../state/app'
import { usePulse, useStats } from '../state/memory'

/** What is being read now, or what the last reading brought; nothing before the first. */
export function ReadingCard() {
  const ingest = usePulse((s) => s.ingest)
  const items = useStats((s) => s.value?.items ?? 0)
  if (!ingest?.running) {
    if (ingest?.cancelled)
      return <Line text={`Stopped. ${plural(items, 'item')} kept; the rest is read next time.`} />
    return items > 0 ? <Line text={`${plural(items, 'item')} remembered.`} /> : null
  }
  const share = ingest.bytesTotal > 0 ? ingest.bytesDone / ingest.bytesTotal : 0
  return (
    <section className="card reading-card" aria-label="Reading">
      <div className="row">
        <h2 className="grow">Reading</h2>
        <Button onClick={() => void attempt(() => call('ingest.cancel', {}))}>Cancel</Button>
      </div>
      <progress max={1} value={share} aria-label="Share of bytes read" />
      <p className="sub" role="status">
        {count(ingest.filesDone)} of {plural(ingest.filesTotal, 'file')} · {bytes(ingest.bytesDone)} of{' '}
        {bytes(ingest.bytesTotal)} · {plural(ingest.items, 'item')}
        {ingest.errors > 0 ? ` · ${plural(ingest.errors, 'record')} could not be read` : ''}
      </p>
    </section>
  )
}

function Line({ text }: { text: string }) {
  return (
    <p className="card reading-card" role="status">
      {text}
    </p>
  )
}
