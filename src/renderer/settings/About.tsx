import { bytes, count, plural } from '../lib/format'
import { Path } from '../parts/Path'
import { Loaded } from '../parts/States'
import { useInfo, usePulse, useStats } from '../state/memory'

export function About() {
  const info = useInfo()
  const stats = useStats((s) => s.value)
  const degraded = usePulse((s) => s.degraded)
  const index = usePulse((s) => s.index)
  return (
    <section className="panel-block" aria-labelledby="settings-about">
      <h2 id="settings-about">About</h2>
      <Loaded remote={info} label="Asking">
        {(value) => (
          <dl className="facts-table">
            <Line name="Version">
              Fovea {value.version} · {value.electron ? `Electron ${value.electron} · ` : ''}Node {value.node}{' '}
              · SQLite {value.sqlite}
            </Line>
            <Line name="Data folder">
              <span className="mono wrap-any">
                <Path path={value.home} />
              </span>
            </Line>
            {stats ? (
              <Line name="Memory">
                {plural(stats.items, 'item')} in {plural(stats.sessions, 'session')},{' '}
                {plural(stats.arcs, 'arc')}, {plural(stats.receipts, 'receipt')},{' '}
                {plural(stats.gates, 'gate')} · {bytes(stats.dbBytes)}
              </Line>
            ) : null}
            {index ? (
              <Line name="Meaning">
                {index.model ?? 'no model'} · {index.state}
                {index.pending > 0
                  ? ` · ${index.pending === 1 ? '1 item waits' : `${count(index.pending)} items wait`}`
                  : ''}
                {index.reason ? ` · ${index.reason}` : ''}
              </Line>
            ) : null}
            <Line name="Lesser paths">
              {degraded.length === 0 ? (
                'None. Everything runs in full.'
              ) : (
                <DegradedList sentences={degraded} />
              )}
            </Line>
          </dl>
        )}
      </Loaded>
    </section>
  )
}

function DegradedList({ sentences }: { sentences: readonly string[] }) {
  return (
    <ul>
      {sentences.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  )
}

function Line({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
