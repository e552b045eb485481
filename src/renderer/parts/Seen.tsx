import { Fragment } from 'react'
import { pieces } from '../lib/unseen'

/** Foreign text as it stands, with the characters nobody would see written out. */
export function Seen({ text }: { text: string }) {
  const parts = pieces(text).map((piece, at) => ({ piece, at }))
  return parts.map(({ piece, at }) =>
    'code' in piece ? (
      <span key={at} className="unseen">
        {piece.code}
      </span>
    ) : (
      <Fragment key={at}>{piece.text}</Fragment>
    ),
  )
}
