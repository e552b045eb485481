import type { Receipt, ReceiptFact } from '@shared/recall'
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
  const facts = byDetail(receipt.facts)
  const handles = facts.map((one) => one.handle)
  const step = (by: 1 | -1) => () => {
    const next = neighbour(handles, useReceipts.getState().fact, by)
    if (next) selectFact(next)
  }
  useKeys({ j: step(1), k: step(-1), ArrowDown: step(1), ArrowUp: step(-1) })
  const rows: FrameRow[] = [
    ...facts.map((one) => ({ key: one.handle, fact: one })),
    ...receipt.breadcrumbs.map((crumb) => ({ key: crumb, crumb })),
  ]
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
            rowKey={(row) => row.key}
            estimate={(row) => ('fact' in row ? guess(row.fact) : 40)}
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
          <section className="scroll facts" aria-label="Facts of the frame" tabIndex={0}>
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

/** A first guess of a fact's height in pixels, from its length and the size its rung is written in. */
const guess = ({ level, text }: ReceiptFact): number =>
  level === 'L3' ? 32 : 16 + 22 * Math.min(6, Math.ceil(text.length / 60))

const tight = (text: string): string => text.replace(/\n{2,}/g, '\n')

function FactRow({ fact, on }: { fact: ReceiptFact; on: boolean }) {
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
}
