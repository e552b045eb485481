import type { StoredTrace, TraceRow } from '@shared/attention'
import { useMemo } from 'react'
import { purposeName, reasonName, sourceName, zoneTone } from '../lib/attention-words'
import { count, plural } from '../lib/format'
import { neighbour, useKeys } from '../lib/keys'
import { RungChip, Tag } from '../parts/Tags'
import { VirtualList } from '../parts/VirtualList'
import { type TracePair, useReceipts } from '../state/receipts'
import { CompareSide } from './CompareSide'
import { type TraceCompareRow, traceCompareRows } from './trace-compare-rows'

/** Two acts of attention beside each other: what was attended to here and not there, for every bid of either. */
export function TraceCompare({ pair }: { pair: TracePair }) {
  const { before, after } = pair
  const selected = useReceipts((s) => s.bid)
  const { selectBid, back } = useReceipts.getState()
  const rows = useMemo(() => traceCompareRows(before.trace, after.trace), [before, after])
  const bids = rows.flatMap(({ bid }) => (bid === null ? [] : [bid]))
  const step = (by: 1 | -1) => () => {
    const next = neighbour(bids, useReceipts.getState().bid, by)
    if (next) selectBid(next)
  }
  useKeys({ j: step(1), k: step(-1), ArrowDown: step(1), ArrowUp: step(-1), Escape: back })
  return (
    <>
      <div className="frame-head">
        <button type="button" className="linkish left" onClick={back}>
          ‹ All receipts
        </button>
        <div className="sides">
          <Side name="A" stored={before} />
          <Side name="B" stored={after} />
        </div>
      </div>
      <VirtualList
        label="Bids of both traces"
        rows={rows}
        rowKey={(row) => row.key}
        estimate={(row) => (row.bid === null ? 40 : 52)}
        reveal={rows.find((row) => row.bid === selected)?.key ?? null}
        render={(row) => <Row row={row} on={row.bid !== null && row.bid === selected} />}
        className="compare-list"
      />
    </>
  )
}

function Side({ name, stored }: { name: string; stored: StoredTrace }) {
  const { trace } = stored
  const kept = trace.rows.filter(({ verdict }) => verdict !== 'dropped').length
  return (
    <CompareSide name={name} title={stored.goal} id={stored.receipt} at={stored.createdAt}>
      {purposeName(stored.purpose)} · <Tag tone={zoneTone[trace.zone]}>{trace.zone}</Tag>{' '}
      {trace.mode === 'fixed' ? 'fixed order' : 'adaptive'} · {kept} of {plural(trace.rows.length, 'bid')} ·{' '}
      {count(trace.spent)} / {count(trace.budget)} tokens
    </CompareSide>
  )
}

function Row({ row, on }: { row: TraceCompareRow; on: boolean }) {
  const { bid, a, b } = row
  if (bid === null) return <h2 className="compare-group">{row.text}</h2>
  const source = (b ?? a)?.source
  return (
    <button
      type="button"
      className={`compare-row ${on ? 'on' : ''}`}
      aria-current={on ? 'true' : undefined}
      onClick={() => useReceipts.getState().selectBid(bid)}
    >
      <span className="nowrap">
        <Fate name="A" row={a} /> → <Fate name="B" row={b} />
      </span>
      <span className="grow two-lines">{row.text}</span>
      <span className="sub nowrap">{source ? sourceName[source] : ''}</span>
    </button>
  )
}

/** A rung, or why there is none. */
function Fate({ name, row }: { name: string; row: TraceRow | null }) {
  if (row?.level) return <RungChip level={row.level} />
  const why = row === null ? 'no bid' : row.reason === null ? 'out' : reasonName[row.reason]
  return <Tag title={`in ${name}`}>{why}</Tag>
}
