import type { ItemLine } from '@shared/journal'
import { count, few, time } from '../lib/format'
import { isProse, kindRung } from '../lib/words'
import { Prose } from '../parts/Prose'
import { KindTag, RungChip } from '../parts/Tags'
import { type ArcItems, useArcs, useTimeline } from '../state/timeline'

export function ItemRow({ item, on }: { item: ItemLine; on: boolean }) {
  return (
    <button
      type="button"
      className={`item ${item.level} ${kindRung[item.kind] === 'L3' ? 'work' : ''} ${on ? 'on' : ''}`}
      aria-current={on ? 'true' : undefined}
      onClick={() => useTimeline.getState().select(item.handle)}
    >
      <span className="sub num">{time(item.ts)}</span>
      <KindTag kind={item.kind} />
      <span className="clip">
        {isProse[item.kind] ? <Prose text={preview(item) || NOTHING} /> : item.text || NOTHING}
      </span>
      <RungChip level={item.level} />
    </button>
  )
}

const NOTHING = '(no text)'

/** A plan's headings run together in one line; their marks would only be noise there. */
const preview = (item: ItemLine): string =>
  item.kind === 'plan' ? item.text.replace(/(^|\s)#{1,6}\s/g, '$1') : item.text

/** Many edits or commands in a row, as one quiet line that opens. */
export function RunRow({ items, onUnfold }: { items: readonly ItemLine[]; onUnfold: () => void }) {
  const first = items[0]
  if (!first) return null
  const names = [...new Set(items.map((item) => item.text))]
  return (
    <button type="button" className="item run" aria-expanded={false} onClick={onUnfold}>
      <span className="num">{time(first.ts)}</span>
      <span>
        {count(items.length)} {first.kind === 'file_op' ? 'file ops' : 'commands'}
      </span>
      <span className="clip">{few(names)}</span>
      <RungChip level="L3" />
    </button>
  )
}

interface TailRowProps {
  arc: string
  state: ArcItems['status']
  left: number
}

export function TailRow({ arc, state, left }: TailRowProps) {
  if (state === 'loading') return <p className="item-tail sub">Opening…</p>
  const again = (): void => void useArcs.getState().moreItems(arc)
  return (
    <div className="item-tail">
      {state === 'failed' ? <span role="alert">These items could not be read. </span> : null}
      <button type="button" className="linkish" onClick={again}>
        {state === 'failed' ? 'Try again' : `Show more (${count(left)} left)`}
      </button>
    </div>
  )
}
