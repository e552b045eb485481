import type { ReceiptId } from '@shared/domain'
import type { ReactNode } from 'react'
import { dateTime, shortId } from '../lib/format'
import { useNow } from '../lib/use-now'
import { openReceipt } from '../state/receipts'

interface CompareSideProps {
  name: string
  title: string
  /** The receipt a click opens; null when it has none. */
  id: ReceiptId | null
  at: number
  /** What it held, in a few words. */
  children: ReactNode
}

/** One side of a comparison: what it was for, when, and the way to it. */
export function CompareSide({ name, title, id, at, children }: CompareSideProps) {
  const now = useNow()
  return (
    <div className="side">
      <button
        type="button"
        className="linkish left"
        disabled={id === null}
        onClick={() => id !== null && openReceipt(id)}
      >
        <span className="side-name">{name}</span> <b className="two-lines">{title}</b>
      </button>
      <span className="sub">
        {id === null ? null : <span className="mono">{shortId(id)} · </span>}
        {dateTime(at, now)} · {children}
      </span>
    </div>
  )
}
