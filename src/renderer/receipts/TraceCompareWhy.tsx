import type { TraceRow } from '@shared/attention'
import { fateInWords, sourceName } from '../lib/attention-words'
import { Button } from '../parts/Button'
import { Empty } from '../parts/States'
import type { TracePair } from '../state/receipts'
import { openItem } from '../state/timeline'
import { BothTerms } from './BothTerms'

/** One bid in both traces: why it was attended to here and not there. */
export function TraceCompareWhy({ pair, bid }: { pair: TracePair; bid: string | null }) {
  const { before, after } = pair
  const a = before.trace.rows.find((row) => row.bid === bid)
  const b = after.trace.rows.find((row) => row.bid === bid)
  const row = b ?? a
  if (!row) {
    return (
      <Empty title="Why here and not there?">
        <p>Choose a bid: what became of it in both, and which of its terms moved, are shown here.</p>
      </Empty>
    )
  }
  const names = Object.keys(row.terms) as (keyof TraceRow['terms'])[]
  const [handle] = row.handles
  return (
    <>
      <div>
        <h2>Why here and not there?</h2>
        <p className="sub">{sourceName[row.source]}</p>
      </div>
      <section>
        <h3>{row.title}</h3>
        <p>
          <b>A</b> {a ? fateInWords(a, before.trace.scored) : 'It did not bid.'}
        </p>
        <p>
          <b>B</b> {b ? fateInWords(b, after.trace.scored) : 'It did not bid.'}
        </p>
      </section>
      <BothTerms
        terms={names.map((name) => ({ name, a: a?.terms[name], b: b?.terms[name] }))}
        sum={{ name: 'salience', a: a?.salience, b: b?.salience }}
        words={[
          { name: 'rung', a: a?.level ?? '–', b: b?.level ?? '–' },
          { name: 'tokens', a: tokensOf(a), b: tokensOf(b) },
          { name: 'zone', a: before.trace.zone, b: after.trace.zone },
        ]}
        inBoth={a !== undefined && b !== undefined}
      />
      {handle ? (
        <section>
          <Button onClick={() => openItem(handle)}>Open the item</Button>
        </section>
      ) : null}
    </>
  )
}

const tokensOf = (row: TraceRow | undefined): string => (row ? String(Math.ceil(row.tokens)) : '–')
