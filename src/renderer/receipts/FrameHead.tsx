import type { Receipt } from '@shared/recall'
import { count, shortId } from '../lib/format'
import { pathTone } from '../lib/words'
import { Tag } from '../parts/Tags'
import { hasTrace, isTraced, useReceiptList, useReceipts } from '../state/receipts'

export function FrameHead({ receipt }: { receipt: Receipt }) {
  const list = useReceiptList((s) => s.value ?? [])
  const earlier = list.length
  const comparable = list.some((line) => line.id !== receipt.id && isTraced(line) === hasTrace(receipt))
  const total = Object.values(receipt.ms).reduce((max, ms) => Math.max(max, ms), 0)
  const reasons = Object.entries(receipt.paths).flatMap(([segment, { path, reason }]) =>
    path !== 'hybrid' && reason ? [`${segment}: ${reason}`] : [],
  )
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
      {reasons.length > 0 ? <p className="sub amber-text">{reasons.join(' ')}</p> : null}
    </div>
  )
}
