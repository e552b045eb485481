import { Fragment } from 'react'
import { inlineMarks } from '../lib/inline-marks'

/** Foreign prose in one or a few lines, its emphasis and code shown as such. Commands and file contents are not prose. */
export function Prose({ text }: { text: string }) {
  return inlineMarks(text).map(({ text: piece, mark }, at) => {
    const key = `${at} ${mark}`
    if (mark === 'strong') return <b key={key}>{piece}</b>
    if (mark === 'code') return <code key={key}>{piece}</code>
    return <Fragment key={key}>{piece}</Fragment>
  })
}
