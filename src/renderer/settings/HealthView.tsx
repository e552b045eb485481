import type { SourceHealth } from '@shared/journal'
import { count, plural } from '../lib/format'
import { Path } from '../parts/Path'
import { Tag } from '../parts/Tags'

/** What became of every record of a source, and which could not be read: file, line and reason. */
export function HealthView({ health }: { health: SourceHealth }) {
  const { records } = health
  const dropped = Object.entries(records.dropped).sort((a, b) => b[1] - a[1])
  return (
    <div className="health">
      <dl className="counts">
        <Count name="records read" value={records.read} />
        <Count name="became items" value={records.used} />
        <Count name="part of another" value={records.attached} />
        <Count name="seen before" value={records.duplicates} />
        <Count name="could not be read" value={records.errors} />
        <Count name="secrets masked" value={health.masked} />
      </dl>
      {dropped.length > 0 ? (
        <>
          <h4>Left out as noise</h4>
          <div className="row wrap noise">
            {dropped.map(([reason, n]) => (
              <Tag key={reason}>
                {reason} {count(n)}
              </Tag>
            ))}
          </div>
        </>
      ) : null}
      {health.unreadable.length + health.errors.length > 0 ? (
        <>
          <h4>Skipped records</h4>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by the keyboard. */}
          <section className="skipped" aria-label="Skipped records" tabIndex={0}>
            <table>
              <thead>
                <tr>
                  <th scope="col">File</th>
                  <th scope="col">Line</th>
                  <th scope="col">Reason</th>
                </tr>
              </thead>
              <tbody>
                {health.unreadable.map((one) => (
                  <tr key={`${one.file} ${one.reason}`}>
                    <td className="mono">
                      <Path path={one.file} max={44} />
                    </td>
                    <td>all</td>
                    <td>{one.reason}</td>
                  </tr>
                ))}
                {health.errors.map((one) => (
                  <tr key={`${one.file} ${one.line} ${one.reason}`}>
                    <td className="mono">
                      <Path path={one.file} max={44} />
                    </td>
                    <td className="num">{count(one.line)}</td>
                    <td>{one.reason}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
          {health.errorsTotal > health.errors.length ? (
            <p className="sub">
              {plural(health.errorsTotal - health.errors.length, 'more', 'more')} not listed here;{' '}
              <code className="mono">fovea source health {health.source.id}</code> lists all.
            </p>
          ) : null}
        </>
      ) : (
        <p className="sub">Every record could be read.</p>
      )}
    </div>
  )
}

function Count({ name, value }: { name: string; value: number }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{count(value)}</dd>
    </div>
  )
}
