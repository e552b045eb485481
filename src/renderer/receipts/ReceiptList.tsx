import type { ReceiptLine } from '@shared/recall'
import { count, dateTime, plural } from '../lib/format'
import { useNow } from '../lib/use-now'
import { pathTone } from '../lib/words'
import { Empty, Loaded } from '../parts/States'
import { Tag } from '../parts/Tags'
import { VirtualList } from '../parts/VirtualList'
import { useReceiptList, useReceipts } from '../state/receipts'

export function ReceiptList() {
  const receipts = useReceiptList()
  return (
    <Loaded remote={receipts} label="Looking for receipts">
      {(list) =>
        list.length === 0 ? (
          <Empty title="No frame has been rendered yet">
            <p>
              Write a goal above and render it. The frame holds the right slice of memory within the budget,
              and its receipt says why every fact is there.
            </p>
          </Empty>
        ) : (
          <>
            <h2 className="list-title">Earlier receipts</h2>
            <VirtualList
              label="Earlier receipts"
              rows={list}
              rowKey={(line) => line.id}
              estimate={() => 60}
              render={(line) => <ReceiptRow line={line} />}
            />
          </>
        )
      }
    </Loaded>
  )
}

function kindOf({ kind, plane }: ReceiptLine): string {
  if (kind === 'hydrate') return plane
  return kind === 'prediction' ? `prediction, ${plane}` : kind
}

function ReceiptRow({ line }: { line: ReceiptLine }) {
  const now = useNow()
  return (
    <button
      type="button"
      className="receipt-row"
      onClick={() => void useReceipts.getState().openReceipt(line.id)}
    >
      <b className="clip">{line.goal}</b>
      <span className="row sub">
        <Tag tone={pathTone(line.path)}>{line.path}</Tag>
        <span className="clip">
          {kindOf(line)} · {plural(line.facts, 'fact')} · {count(line.spent)} tokens
        </span>
        <span className="grow" />
        <span>{dateTime(line.createdAt, now)}</span>
      </span>
    </button>
  )
}
