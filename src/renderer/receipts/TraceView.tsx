import type { StoredTrace, TraceRow } from '@shared/attention'
import type { Receipt } from '@shared/recall'
import { useEffect } from 'react'
import { purposeName, reasonName, sourceName, zoneTone } from '../lib/attention-words'
import { count, dateTime, plural, shortId } from '../lib/format'
import { neighbour, useKeys } from '../lib/keys'
import { useNow } from '../lib/use-now'
import { Segmented } from '../parts/Segmented'
import { RungChip, Tag } from '../parts/Tags'
import { useReceipts } from '../state/receipts'
import { FrameHead } from './FrameHead'

interface TraceViewProps {
  /** What it was sent as; the text of a prompt to a model is not kept. */
  sent: { receipt: Receipt; frame: string } | null
  stored: StoredTrace
}

/** Everything that bid for one context, what stands in it first, as it stands there. */
export function TraceView({ sent, stored }: TraceViewProps) {
  const { bid, view } = useReceipts()
  const { selectBid, edit } = useReceipts.getState()
  const { trace } = stored
  const rows = inReadingOrder(trace.rows)
  const ids = rows.map((row) => row.bid)
  const step = (by: 1 | -1) => () => {
    const next = neighbour(ids, useReceipts.getState().bid, by)
    if (next) selectBid(next)
  }
  useKeys({ j: step(1), k: step(-1), ArrowDown: step(1), ArrowUp: step(-1) })
  useEffect(() => {
    if (bid !== null)
      document.querySelector(`[data-bid="${CSS.escape(bid)}"]`)?.scrollIntoView({ block: 'nearest' })
  }, [bid])
  const kept = trace.rows.filter(({ verdict }) => verdict !== 'dropped').length
  const most = trace.rows.reduce((max, row) => Math.max(max, row.salience), 1e-9)
  return (
    <>
      {sent ? <FrameHead receipt={sent.receipt} /> : <PromptHead stored={stored} />}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by the keyboard. */}
      <section className="scroll pane list facts" aria-label="Bids for this context" tabIndex={0}>
        <div className="row wrap">
          <h2 className="grow">Attention of {purposeName(stored.purpose)}</h2>
          {sent ? (
            <Segmented
              label="How to show the context"
              value={view}
              onChange={(next) => edit({ view: next })}
              options={[
                { value: 'facts', label: 'bids' },
                { value: 'frame', label: 'as sent' },
              ]}
            />
          ) : null}
        </div>
        <p className="sub row wrap">
          <Tag tone={zoneTone[trace.zone]}>{trace.zone}</Tag>
          <span>
            {trace.mode === 'fixed' ? 'fixed order' : 'adaptive'} · {kept} of{' '}
            {plural(trace.rows.length, 'bid')} stand · {count(trace.spent)} of {count(trace.budget)} tokens
          </span>
        </p>
        {sent && view === 'frame' ? (
          <pre className="as-sent">{sent.frame}</pre>
        ) : (
          <table className="bids">
            <thead>
              <tr>
                <th scope="col">Rung</th>
                <th scope="col">Bid</th>
                <th scope="col">Source</th>
                <th scope="col" className="num">
                  Salience
                </th>
                <th scope="col" className="num">
                  Tokens
                </th>
                <th scope="col">Why not</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <BidRow key={row.bid} row={row} on={row.bid === bid} share={row.salience / most} />
              ))}
            </tbody>
          </table>
        )}
      </section>
    </>
  )
}

function PromptHead({ stored }: { stored: StoredTrace }) {
  const now = useNow()
  return (
    <div className="frame-head">
      <div className="row wrap">
        <button type="button" className="linkish" onClick={() => useReceipts.getState().back()}>
          ‹ All receipts
        </button>
        <span className="mono" title={stored.id}>
          {shortId(stored.id)}
        </span>
        <span className="sub">
          {stored.goal} · {dateTime(stored.createdAt, now)}
        </span>
      </div>
    </div>
  )
}

function BidRow({ row, on, share }: { row: TraceRow; on: boolean; share: number }) {
  const out = row.verdict === 'dropped'
  const strength = `sal-${Math.max(0, Math.min(4, Math.round(share * 4)))}`
  return (
    <tr className={`${on ? 'on' : ''} ${out ? 'out' : ''}`} data-bid={row.bid}>
      <td>{row.level ? <RungChip level={row.level} /> : <span className="sub">out</span>}</td>
      <td>
        <button
          type="button"
          className="linkish clip"
          aria-current={on ? 'true' : undefined}
          title={row.title}
          onClick={() => useReceipts.getState().selectBid(row.bid)}
        >
          {row.title}
        </button>
      </td>
      <td className="sub nowrap">
        {sourceName[row.source]}
        {row.pin ? ' · pinned' : ''}
      </td>
      <td className={`num ${strength}`}>{row.salience.toFixed(2)}</td>
      <td className="num">{count(row.tokens)}</td>
      <td>{row.reason ? <Tag>{reasonName[row.reason]}</Tag> : null}</td>
    </tr>
  )
}

/** What stands, in its place; then what does not, the most salient first. */
export function inReadingOrder(rows: readonly TraceRow[]): TraceRow[] {
  return [...rows].sort(
    (a, b) =>
      (a.place ?? Number.MAX_SAFE_INTEGER) - (b.place ?? Number.MAX_SAFE_INTEGER) ||
      b.salience - a.salience ||
      (a.bid < b.bid ? -1 : 1),
  )
}
