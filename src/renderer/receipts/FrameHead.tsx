import type { Receipt, ReceiptLine } from '@shared/recall'
import { askedInWords } from '../lib/asked-words'
import { count, shortId } from '../lib/format'
import { pathReasons, weakMatch } from '../lib/match-words'
import { useNow } from '../lib/use-now'
import { pathTone } from '../lib/words'
import { Tag } from '../parts/Tags'
import { hasTrace, isTraced, useReceiptList, useReceipts } from '../state/receipts'
import { openItem } from '../state/timeline'

/** One list for every render in which there is none yet. */
const NO_LINES: readonly ReceiptLine[] = []

export function FrameHead({ receipt }: { receipt: Receipt }) {
  const list = useReceiptList((s) => s.value ?? NO_LINES)
  const earlier = list.length
  const comparable = list.some((line) => line.id !== receipt.id && isTraced(line) === hasTrace(receipt))
  const asked = askedInWords(receipt.request.filters, useNow())
  const event = receipt.request.filters?.within?.event
  const total = Object.values(receipt.ms).reduce((max, ms) => Math.max(max, ms), 0)
  const reasons = pathReasons(receipt)
  const weak = weakMatch(receipt)
  return (
    <div className="frame-head">
      <div className="row wrap">
        <button type="button" className="linkish" onClick={() => useReceipts.getState().back()}>
          ‹ All receipts{earlier > 0 ? ` (${count(earlier)})` : ''}
        </button>
        <span className="mono" title={receipt.id}>
          {shortId(receipt.id)}
        </span>
        <Tag tone={pathTone(receipt.path)}>{receipt.path}</Tag>
        <span className="sub num">
          {count(receipt.budget.spent)} / {count(receipt.budget.total)} tokens ·{' '}
          {Math.round(receipt.ms.total ?? total)} ms · asked by{' '}
          {receipt.request.viewer === 'person'
            ? 'you'
            : receipt.request.viewer === 'proxy'
              ? 'the proxy'
              : receipt.request.viewer}
        </span>
        <span className="grow" />
        {comparable ? (
          <button
            type="button"
            className="linkish"
            onClick={() => useReceipts.getState().chooseOther(receipt)}
          >
            Compare with…
          </button>
        ) : null}
      </div>
      {asked.read.length > 0 || event ? (
        <p className="sub">
          Read from the goal: {asked.read.join(' · ')}
          {event ? (
            <>
              {' '}
              <button type="button" className="linkish" onClick={() => openItem(event.handle)}>
                what tells of it
              </button>
            </>
          ) : null}
        </p>
      ) : null}
      {asked.dropped.map((text) => (
        <p key={text} className="sub amber-text">
          {text}
        </p>
      ))}
      {weak === null ? null : <p className="sub amber-text">{weak}</p>}
      {reasons.length > 0 ? <p className="sub amber-text">{reasons.join(' ')}</p> : null}
    </div>
  )
}
