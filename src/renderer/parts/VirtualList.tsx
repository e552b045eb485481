import { useVirtualizer } from '@tanstack/react-virtual'
import { memo, type ReactNode, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'

interface VirtualListProps<T> {
  label: string
  rows: readonly T[]
  /** Better the same function every time, as `estimate`: with another one all rows are gone through again. */
  rowKey: (row: T) => string
  estimate: (row: T) => number
  render: (row: T) => ReactNode
  /** Keeps the row with this key in view when it changes. */
  reveal?: string | null
  /** Called with the row at the top of what is in sight, when it changes. */
  onTop?: (row: T) => void
  /** Called when the last rows come near. */
  onEnd?: () => void
  className?: string
  header?: ReactNode
}

/** A list of which only what is in sight exists. Heights are measured; the estimate is the first guess. */
export function VirtualList<T>(props: VirtualListProps<T>) {
  const { label, rows, rowKey, estimate, render, reveal = null, onTop, onEnd, className = '', header } = props
  const scroller = useRef<HTMLDivElement>(null)
  const list = useRef<HTMLUListElement>(null)
  // What stands above the rows: without it a row that is to be seen ends as far below the edge as that is high.
  const [above, setAbove] = useState(0)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => {
      const row = rows[index]
      return row === undefined ? 40 : estimate(row)
    },
    getItemKey: useCallback(
      (index: number) => {
        const row = rows[index]
        return row === undefined ? index : rowKey(row)
      },
      [rows, rowKey],
    ),
    overscan: 8,
    scrollMargin: above,
    // Measured sizes are set outside React's own pass, as resize observers want it.
    useAnimationFrameWithResizeObserver: true,
  })
  const width = virtual.scrollRect?.width
  // biome-ignore lint/correctness/useExhaustiveDependencies: a header takes other lines at another width.
  useLayoutEffect(() => setAbove(heightAbove(scroller.current, list.current)), [width, header === undefined])
  const shown = virtual.getVirtualItems()
  const last = shown[shown.length - 1]?.index ?? -1

  useEffect(() => {
    if (onEnd && rows.length > 0 && last >= rows.length - 10) onEnd()
  }, [last, rows.length, onEnd])

  const edge = virtual.scrollOffset ?? 0
  const top = shown.find((slot) => slot.end > edge + 1)?.index ?? -1
  const told = useRef(onTop)
  told.current = onTop
  useEffect(() => {
    const row = rows[top]
    if (row !== undefined) told.current?.(row)
  }, [top, rows])

  const keyed = useRef({ rows, rowKey })
  keyed.current = { rows, rowKey }
  useEffect(() => {
    if (reveal === null) return
    const index = keyed.current.rows.findIndex((row) => keyed.current.rowKey(row) === reveal)
    if (index !== -1) virtual.scrollToIndex(index, { align: 'auto' })
  }, [reveal, virtual])

  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by the keyboard.
    <section className={`scroll pane list ${className}`} ref={scroller} aria-label={label} tabIndex={0}>
      {header}
      <ul className="virtual" ref={list} style={{ height: virtual.getTotalSize() }}>
        {shown.map((slot) => {
          const row = rows[slot.index]
          if (row === undefined) return null
          return (
            <li
              key={slot.key}
              ref={virtual.measureElement}
              data-index={slot.index}
              aria-setsize={rows.length}
              aria-posinset={slot.index + 1}
              style={{ transform: `translateY(${slot.start - above}px)` }}
            >
              <Row row={row} render={render} />
            </li>
          )
        })}
      </ul>
    </section>
  )
}

/** While the list is only scrolled, the rows that stay in sight are not drawn again. */
const Row = memo(function Row<T>({ row, render }: { row: T; render: (row: T) => ReactNode }) {
  return render(row)
}) as <T>(props: { row: T; render: (row: T) => ReactNode }) => ReactNode

/** Pixels between the top of what is scrolled and the first row. */
function heightAbove(scroller: HTMLElement | null, list: HTMLElement | null): number {
  if (!scroller || !list) return 0
  return list.getBoundingClientRect().top - scroller.getBoundingClientRect().top + scroller.scrollTop
}
