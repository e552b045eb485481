import type { DayBucket } from '@shared/journal'
import { useMemo, useRef, useState } from 'react'
import { date, dayToDate, monthName, plural } from '../lib/format'
import { useNow } from '../lib/use-now'
import { useWidth } from '../lib/use-width'
import { Button } from '../parts/Button'
import { Segmented } from '../parts/Segmented'
import { useArcs } from '../state/timeline'
import { type Bar, bars, endOfDay, fittingZoom, segments, type Zoom } from './histogram'

const height = 64

/** How much happened when; `at` is the day on top of the list below. A bar opens its time there. */
export function Histogram({ days, at }: { days: readonly DayBucket[]; at: string | undefined }) {
  const now = useNow()
  const [chosen, setZoom] = useState<Zoom | null>(null)
  const zoom = chosen ?? fittingZoom(days)
  const shown = useMemo(() => bars(days, zoom), [days, zoom])
  const before = useArcs((s) => s.before)
  const frame = useRef<HTMLDivElement>(null)
  const width = useWidth(frame)
  const max = shown.reduce((most, bar) => Math.max(most, bar.items), 0)
  const step = shown.length > 0 ? Math.min(28, width / shown.length) : 0
  const gap = step > 8 ? 3 : 1
  const name = (bar: Bar): string =>
    bar.from === bar.to
      ? date(dayToDate(bar.from).getTime(), now)
      : zoom === 'months'
        ? monthName(bar.from)
        : `week of ${date(dayToDate(bar.from).getTime(), now)}`

  return (
    <div className="histogram">
      <div className="row wrap">
        <h2 className="title grow">{at ? monthName(at) : 'Timeline'}</h2>
        {before === null ? null : (
          <Button look="quiet" onClick={() => void useArcs.getState().start(null)}>
            Back to the newest
          </Button>
        )}
        <Segmented
          label="One bar for"
          value={zoom}
          onChange={setZoom}
          options={[
            { value: 'days', label: 'days' },
            { value: 'weeks', label: 'weeks' },
            { value: 'months', label: 'months' },
          ]}
        />
      </div>
      <div className="bars" ref={frame}>
        {shown.map((bar) => {
          const on = at !== undefined && bar.from <= at && at <= bar.to
          return (
            <button
              key={bar.key}
              type="button"
              className={on ? 'on' : ''}
              style={{ width: step }}
              disabled={bar.items === 0}
              title={`${name(bar)}: ${plural(bar.items, 'item')}, ${plural(bar.arcs, 'arc')}`}
              aria-label={`${name(bar)}: ${plural(bar.items, 'item')}`}
              onClick={() => void useArcs.getState().start(endOfDay(bar.to))}
            >
              <svg className="bar-drawing" width={step} height={height} aria-hidden="true">
                <rect
                  className="none"
                  x={gap / 2}
                  width={Math.max(1, step - gap)}
                  y={height - 1}
                  height={1}
                />
                {segments(bar, max, height).map((part) => (
                  <rect
                    key={part.rung}
                    className={part.rung}
                    x={gap / 2}
                    width={Math.max(1, step - gap)}
                    y={part.y}
                    height={part.height}
                  />
                ))}
              </svg>
            </button>
          )
        })}
      </div>
    </div>
  )
}
