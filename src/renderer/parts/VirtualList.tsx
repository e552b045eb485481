import { useVirtualizer } from '@tanstack/react-virtual'
import { memo, type ReactNode, useCallback, useEffect, useRef } from 'react'

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
    // Measured sizes are set outside React's own pass, as resize observers want it.
    useAnimationFrameWithResizeObserver: true,
  })
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
      <ul className="virtual" style={{ height: virtual.getTotalSize() }}>
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
              style={{ transform: `translateY(${slot.start}px)` }}
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
