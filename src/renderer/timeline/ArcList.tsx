import type { Handle } from '@shared/domain'
import { useMemo, useState } from 'react'
import { dayName, plural } from '../lib/format'
import { neighbour, useKeys } from '../lib/keys'
import { useNow } from '../lib/use-now'
import { Button } from '../parts/Button'
import { Prose } from '../parts/Prose'
import { Empty, Failed, Loaded, Loading } from '../parts/States'
import { VirtualList } from '../parts/VirtualList'
import { useApp } from '../state/app'
import { useArcs, useDays, useTimeline } from '../state/timeline'
import { ArcCard } from './ArcCard'
import { Histogram } from './Histogram'
import { ItemRow, RunRow, TailRow } from './ItemRow'
import { type TimelineRow, timelineRows } from './rows'

const estimates: Record<TimelineRow['type'], number> = { day: 48, arc: 92, item: 30, run: 28, tail: 32 }

export function ArcList() {
  const days = useDays()
  const { arcs, open, status, error } = useArcs()
  const selected = useTimeline((s) => s.selected)
  const now = useNow()
  const [top, setTop] = useState<string | null>(null)
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set())
  const rows = useMemo(() => timelineRows(arcs, open, unfolded), [arcs, open, unfolded])
  const reveal = useMemo(
    () => rows.find((row) => row.type === 'item' && row.item.handle === selected)?.key ?? null,
    [rows, selected],
  )
  useItemKeys(rows)

  if (status === 'failed' && arcs.length === 0 && error) {
    return <Failed error={error} retry={() => void useArcs.getState().start(useArcs.getState().before)} />
  }
  if (arcs.length === 0 && status !== 'ready') return <Loading label="Opening the timeline" />
  if (arcs.length === 0) return <NothingYet />
  return (
    <>
      <Loaded remote={days} label="Counting days">
        {(value) => <Histogram days={value} at={top ?? arcs[0]?.day} />}
      </Loaded>
      <VirtualList
        label="Arcs by day"
        className="arcs"
        rows={rows}
        rowKey={(row) => row.key}
        estimate={(row) => estimates[row.type]}
        reveal={reveal}
        onTop={(row) => setTop(dayOfRow(row) ?? top)}
        onEnd={() => void useArcs.getState().more()}
        render={(row) => (
          <Row
            row={row}
            now={now}
            selected={selected}
            unfold={(key) => setUnfolded(new Set([...unfolded, key]))}
          />
        )}
      />
    </>
  )
}

/** The day a row belongs to; an item's own row does not say, its arc's did. */
function dayOfRow(row: TimelineRow): string | undefined {
  if (row.type === 'day') return row.day
  return row.type === 'arc' ? row.arc.day : undefined
}

interface RowProps {
  row: TimelineRow
  now: number
  selected: Handle | null
  unfold: (key: string) => void
}

function Row({ row, now, selected, unfold }: RowProps) {
  switch (row.type) {
    case 'day':
      return (
        <>
          <h2 className="day">
            {dayName(row.day, now)}{' '}
            <span className="sub">
              · {plural(row.arcs, 'arc')}, {plural(row.projects, 'project')}
            </span>
          </h2>
          <Rollup day={row.day} />
        </>
      )
    case 'arc':
      return <ArcCard arc={row.arc} open={row.open} />
    case 'item':
      return <ItemRow item={row.item} on={row.item.handle === selected} />
    case 'run':
      return <RunRow items={row.items} onUnfold={() => unfold(row.key)} />
    case 'tail':
      return <TailRow arc={row.arc} state={row.state} left={row.left} />
  }
}

/** What came of a day, in one sentence. */
function Rollup({ day }: { day: string }) {
  const text = useDays((days) => days.value?.find((one) => one.day === day)?.rollup ?? null)
  return text === null ? null : (
    <p className="sub clip day-told">
      <Prose text={text} />
    </p>
  )
}

/** j and k walk the items that are open. */
function useItemKeys(rows: readonly TimelineRow[]): void {
  const step = (by: 1 | -1) => () => {
    const handles = rows.flatMap((row) => (row.type === 'item' ? [row.item.handle] : []))
    const next = neighbour(handles, useTimeline.getState().selected, by)
    if (next) useTimeline.getState().select(next)
  }
  useKeys({ j: step(1), k: step(-1) })
}

function NothingYet() {
  const { open, project } = useApp.getState()
  return (
    <Empty
      title={project ? `Nothing of ${project} is remembered yet` : 'Nothing is remembered yet'}
      actions={
        <Button look="go" onClick={() => open('add-source')}>
          Add a source…
        </Button>
      }
    >
      <p>Enrol a folder where your agents keep transcripts. What they did appears here, by day and goal.</p>
    </Empty>
  )
}
