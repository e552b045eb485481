import type { Handle, Rung } from '@shared/domain'
import type { Comparison, Receipt } from '@shared/recall'
import { useMemo } from 'react'
import { count, plural } from '../lib/format'
import { neighbour, useKeys } from '../lib/keys'
import { useNow } from '../lib/use-now'
import { Prose } from '../parts/Prose'
import { Empty } from '../parts/States'
import { RungChip } from '../parts/Tags'
import { VirtualList } from '../parts/VirtualList'
import { useReceipts } from '../state/receipts'
import { CompareSide } from './CompareSide'
import { type CompareRow, compareRows, requestWords } from './compare-rows'

/** Two frames beside each other: what only one of them holds, and what stands in both at another rung or score. */
export function CompareView({ comparison }: { comparison: Comparison }) {
  const { before, after } = comparison
  const selected = useReceipts((s) => s.fact)
  const { selectFact, back } = useReceipts.getState()
  const rows = useMemo(() => compareRows(comparison), [comparison])
  const handles = rows.flatMap((row) => (row.handle === null ? [] : [row.handle]))
  const step = (by: 1 | -1) => () => {
    const next = neighbour(handles, useReceipts.getState().fact, by)
    if (next) selectFact(next)
  }
  useKeys({ j: step(1), k: step(-1), ArrowDown: step(1), ArrowUp: step(-1), Escape: back })
  const same = rows.length === 0
  return (
    <>
      <div className="frame-head">
        <button type="button" className="linkish left" onClick={back}>
          ‹ All receipts
        </button>
        <div className="sides">
          <Side name="A" receipt={before} />
          <Side name="B" receipt={after} />
        </div>
        <Differences comparison={comparison} />
      </div>
      {same ? (
        <Empty title="The same facts">
          <p>Both frames hold the same facts, at the same rungs and with the same scores.</p>
        </Empty>
      ) : (
        <VirtualList
          label="What differs"
          rows={rows}
          rowKey={(row) => row.key}
          estimate={(row) => (row.handle === null ? 40 : 52)}
          reveal={rows.find((row) => row.handle === selected)?.key ?? null}
          render={(row) => <Row row={row} on={row.handle !== null && row.handle === selected} />}
          className="compare-list"
        />
      )}
    </>
  )
}

function Side({ name, receipt }: { name: string; receipt: Receipt }) {
  return (
    <CompareSide name={name} title={receipt.goal} id={receipt.id} at={receipt.createdAt}>
      {plural(receipt.facts.length, 'fact')} · {count(receipt.budget.spent)} / {count(receipt.budget.total)}{' '}
      tokens
    </CompareSide>
  )
}

function Differences({ comparison }: { comparison: Comparison }) {
  const now = useNow()
  const asked = requestWords(comparison, now)
  if (asked.length === 0) return <p className="sub">Both were asked for the same thing.</p>
  return (
    <ul className="asked">
      {asked.map(({ field, before, after }) => (
        <li key={field} className="sub">
          {field}: <b>{before}</b> → <b>{after}</b>
        </li>
      ))}
    </ul>
  )
}

function Row({ row, on }: { row: CompareRow; on: boolean }) {
  if (row.handle === null) return <h2 className="compare-group">{row.text}</h2>
  const { handle } = row
  return (
    <button
      type="button"
      className={`compare-row ${on ? 'on' : ''}`}
      aria-current={on ? 'true' : undefined}
      onClick={() => useReceipts.getState().selectFact(handle as Handle)}
    >
      <Rungs from={row.from} to={row.to} />
      <span className="grow two-lines">{row.prose ? <Prose text={row.text} /> : row.text}</span>
      <span className="num sub">{row.figure}</span>
    </button>
  )
}

export function Rungs({ from, to }: { from: Rung | null; to: Rung | null }) {
  if (from !== null && to !== null && from !== to) {
    return (
      <span className="nowrap">
        <RungChip level={from} /> → <RungChip level={to} />
      </span>
    )
  }
  const level = to ?? from
  return level === null ? null : <RungChip level={level} />
}
