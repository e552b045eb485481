import type { Handle } from '@shared/domain'
import type { Receipt, ReceiptFact } from '@shared/recall'
import { memo, useMemo } from 'react'
import { byDetail } from '../lib/fact-order'
import { date } from '../lib/format'
import { neighbour, useKeys } from '../lib/keys'
import { useNow } from '../lib/use-now'
import { isProse } from '../lib/words'
import { Prose } from '../parts/Prose'
import { Segmented } from '../parts/Segmented'
import { Empty } from '../parts/States'
import { RungChip } from '../parts/Tags'
import { VirtualList } from '../parts/VirtualList'
import { useReceipts } from '../state/receipts'
import { Fovea } from './Fovea'
import { FrameHead } from './FrameHead'

export function FrameView({ receipt, frame }: { receipt: Receipt; frame: string }) {
  const { fact, view } = useReceipts()
  const { selectFact, edit } = useReceipts.getState()
  const { handles, rows } = useMemo(() => listed(receipt), [receipt])
  const step = (by: 1 | -1) => () => {
    const next = neighbour(handles, useReceipts.getState().fact, by)
    if (next) selectFact(next)
  }
  useKeys({ j: step(1), k: step(-1), ArrowDown: step(1), ArrowUp: step(-1) })
  const header = (
    <div className="row">
      <h2 className="grow">Frame</h2>
      <Segmented
        label="How to show the frame"
        value={view}
        onChange={(next) => edit({ view: next })}
        options={[
          { value: 'facts', label: 'facts' },
          { value: 'frame', label: 'as sent' },
        ]}
      />
    </div>
  )

  return (
    <>
      <FrameHead receipt={receipt} />
      <div className="two">
        {view === 'facts' && rows.length > 0 ? (
          <VirtualList
            label="Facts of the frame"
            rows={rows}
            rowKey={keyOf}
            estimate={guess}
            reveal={fact}
            header={header}
            className="facts"
            render={(row) =>
              'fact' in row ? (
                <FactRow fact={row.fact} on={row.fact.handle === fact} />
              ) : (
                <p className="crumb">
                  <RungChip level="L3" />
                  {row.crumb}
                </p>
              )
            }
          />
        ) : (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by the keyboard.
          <section className="scroll pane list facts" aria-label="Facts of the frame" tabIndex={0}>
            {header}
            {view === 'frame' ? (
              <pre className="as-sent">{frame}</pre>
            ) : (
              <Empty title="Nothing fits this goal">
                <p>
                  Nothing close enough was found. Name a file, an error or a project, or take a wider plane.
                </p>
              </Empty>
            )}
          </section>
        )}
        <section className="drawing" aria-label="The fovea">
          <h2>
            The fovea <span className="sub">distance from the goal, size = tokens</span>
          </h2>
          <Fovea facts={receipt.facts} selected={fact} onSelect={selectFact} />
        </section>
      </div>
    </>
  )
}

type FrameRow = { key: string; fact: ReceiptFact } | { key: string; crumb: string }

const keyOf = (row: FrameRow): string => row.key

/** A receipt's facts as they are read, then what else there was of each kind. */
function listed(receipt: Receipt): { handles: Handle[]; rows: FrameRow[] } {
  const facts = byDetail(receipt.facts)
  return {
    handles: facts.map((one) => one.handle),
    rows: [
      ...facts.map((one) => ({ key: one.handle, fact: one })),
      ...receipt.breadcrumbs.map((crumb) => ({ key: crumb, crumb })),
    ],
  }
}

/** A first guess of a row's height in pixels, from the length of its text and the size its rung is written in. */
function guess(row: FrameRow): number {
  if ('crumb' in row) return 40
  const { level, text } = row.fact
  return level === 'L3' ? 32 : 16 + 22 * Math.min(6, Math.ceil(text.length / 60))
}

const tight = (text: string): string => text.replace(/\n{2,}/g, '\n')

/** Of all rows in sight only the two change that a choice moves between. */
const FactRow = memo(function FactRow({ fact, on }: { fact: ReceiptFact; on: boolean }) {
  const now = useNow()
  return (
    <button
      type="button"
      className={`fact ${fact.level} ${on ? 'on' : ''}`}
      aria-current={on ? 'true' : undefined}
      data-fact={fact.handle}
      onClick={() => useReceipts.getState().selectFact(fact.handle)}
    >
      <RungChip level={fact.level} />
      <span className="fact-text">
        {isProse[fact.kind] ? <Prose text={tight(fact.text)} /> : tight(fact.text)}{' '}
        <span className="sub nowrap">{date(fact.ts, now)}</span>
      </span>
    </button>
  )
})
