import type { StoredTrace } from '@shared/attention'
import { causeName, fateInWords, sourceName } from '../lib/attention-words'
import { plural, term } from '../lib/format'
import { Bar } from '../parts/Bar'
import { Button } from '../parts/Button'
import { Empty } from '../parts/States'
import { useReceipts } from '../state/receipts'
import { openItem } from '../state/timeline'
import { inReadingOrder } from './TraceView'

/** Why did it attend to this, and why not to that. */
export function TraceWhy({ stored }: { stored: StoredTrace }) {
  const selected = useReceipts((s) => s.bid)
  const { trace } = stored
  const row = trace.rows.find(({ bid }) => bid === selected) ?? inReadingOrder(trace.rows)[0]
  if (!row) {
    return (
      <Empty title="Nothing bid">
        <p>No source had anything to say for this context.</p>
      </Empty>
    )
  }
  return (
    <>
      <div>
        <h2>{row.verdict === 'dropped' ? 'Why not this?' : 'Why this?'}</h2>
        <p className="sub">
          {sourceName[row.source]} ·{' '}
          {row.modality === 'exogenous' ? 'brought up by the world' : 'for the goal'} ·{' '}
          {plural(Math.ceil(row.tokens), 'token')}
        </p>
      </div>
      <section>
        <h3>{row.title}</h3>
        <p>{fateInWords(row, trace.scored)}</p>
      </section>
      <div className="terms">
        {Object.entries(row.terms).map(([name, value]) => (
          <Bar
            key={name}
            label={name}
            share={value}
            value={term(value)}
            colour={value > 0.66 ? 'var(--l0)' : 'var(--l1)'}
          />
        ))}
        <p className="row sub">
          <span className="grow">
            {trace.scored ? 'salience' : 'salience (the catalogue’s rank: scoring is off)'}
          </span>
          <span className="num">{row.salience.toFixed(3)}</span>
        </p>
      </div>
      {row.handles.length > 0 ? (
        <section>
          <h3>What it was made from</h3>
          {row.handles.slice(0, 4).map((handle) => (
            <Button key={handle} onClick={() => openItem(handle)}>
              Open the item
            </Button>
          ))}
        </section>
      ) : null}
      {trace.transitions.length > 0 ? (
        <section>
          <h3>How alert it was</h3>
          <ul className="misses">
            {trace.transitions.map((change) => (
              <li key={`${change.at} ${change.to}`}>
                {change.from} → {change.to}: {causeName(change.cause)}
              </li>
            ))}
          </ul>
        </section>
      ) : null}
    </>
  )
}
