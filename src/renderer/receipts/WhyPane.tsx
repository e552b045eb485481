import type { Receipt, ReceiptFact } from '@shared/recall'
import { plural, shortId, term } from '../lib/format'
import { kindName, omitName, omitTone, rungName, seededInWords } from '../lib/words'
import { Bar } from '../parts/Bar'
import { Button } from '../parts/Button'
import { Pointer } from '../parts/Pointer'
import { Empty } from '../parts/States'
import { Tag } from '../parts/Tags'
import { useReceipts } from '../state/receipts'
import { openItem } from '../state/timeline'
import { FeedbackRow } from './FeedbackRow'
import { Replay } from './Replay'

export function WhyPane({ receipt }: { receipt: Receipt | null }) {
  const selected = useReceipts((s) => s.fact)
  if (!receipt) {
    return (
      <Empty title="Why is this here?">
        <p>Choose a fact of a frame: its terms, how it was found and where it lies are shown here.</p>
      </Empty>
    )
  }
  const fact = receipt.facts.find((one) => one.handle === selected)
  return (
    <>
      {fact ? <Why fact={fact} /> : null}
      {fact ? <FeedbackRow handle={fact.handle} receipt={receipt.id} /> : null}
      <Missed receipt={receipt} />
      <Replay receipt={receipt} />
    </>
  )
}

/** Terms against the largest of them, so that what counted most fills the bar. */
function Why({ fact }: { fact: ReceiptFact }) {
  const terms = Object.entries(fact.terms)
  const most = terms.reduce((max, [, value]) => Math.max(max, Math.abs(value)), 1e-9)
  const colour = (value: number): string =>
    value < 0 ? 'var(--red)' : Math.abs(value) === most ? 'var(--l0)' : 'var(--l1)'
  return (
    <>
      <div>
        <h2>Why is this here?</h2>
        <p className="sub mono">
          {shortId(fact.handle)} · {kindName[fact.kind]} · {fact.segment} · {rungName[fact.level]}
          {fact.part ? ', in part' : ''} · {plural(fact.tokens, 'token')}
        </p>
      </div>
      <div className="terms">
        {terms.map(([name, value]) => (
          <Bar
            key={name}
            label={name}
            share={Math.abs(value) / Math.max(1, most)}
            value={term(value)}
            colour={name === 'tension' && value > 0 ? 'var(--amber)' : colour(value)}
          />
        ))}
        <p className="row sub">
          <span className="grow">score</span>
          <span className="num">{fact.score.toFixed(3)}</span>
        </p>
      </div>
      <section>
        <h3>How it was found</h3>
        <p>{seededInWords(fact)}</p>
      </section>
      <section>
        <h3>Where it lies</h3>
        <Pointer pointer={fact.pointer} />
        <Button onClick={() => openItem(fact.handle)}>Open the item</Button>
      </section>
    </>
  )
}

const missesShown = 30

function Missed({ receipt }: { receipt: Receipt }) {
  const shown = receipt.omitted.slice(0, missesShown)
  return (
    <section>
      <h3>Just missed</h3>
      {shown.length === 0 ? <p className="sub">Nothing that came near was left out.</p> : null}
      <ul className="misses">
        {shown.map((miss) => (
          <li key={`${miss.handle} ${miss.reason}`}>
            {miss.reason === 'restricted' || miss.reason === 'erased' ? (
              <span className="grow">{miss.title}</span>
            ) : (
              <button type="button" className="grow two-lines" onClick={() => openItem(miss.handle)}>
                {miss.title}
              </button>
            )}
            <Tag tone={omitTone(miss.reason)} title={`score ${miss.score.toFixed(3)}`}>
              {omitName[miss.reason]}
            </Tag>
          </li>
        ))}
      </ul>
      {receipt.omitted.length > shown.length ? (
        <p className="sub">and {plural(receipt.omitted.length - shown.length, 'more', 'more')}</p>
      ) : null}
    </section>
  )
}
