import { useMemo } from 'react'
import { plural } from '../lib/format'
import type { Evidence } from '../lib/markdown'
import { Seen } from '../parts/Seen'
import { VirtualList } from '../parts/VirtualList'

/** A line longer than this is cut on screen only, and says so; the artifact keeps it. */
const lineLimit = 4000

export function SourceView({ text, evidence }: { text: string; evidence: readonly Evidence[] }) {
  const rows = useMemo(() => text.split('\n').map((line, index) => ({ line, number: index + 1 })), [text])
  const marked = useMemo(() => new Map(evidence.map((one) => [one.line, one.id])), [evidence])
  return (
    <VirtualList
      label="Source of the artifact"
      className="source"
      rows={rows}
      rowKey={(row) => String(row.number)}
      estimate={() => 20}
      render={({ line, number }) => {
        const id = marked.get(number)
        return (
          <div className="source-line">
            <span className="line-number">{number}</span>
            {id === undefined ? (
              <code className="line-text">
                <Line text={line} />
              </code>
            ) : (
              <code className="line-text">
                <mark data-percept={id}>
                  <Line text={line} />
                </mark>
              </code>
            )}
          </div>
        )
      }}
    />
  )
}

function Line({ text }: { text: string }) {
  const rest = text.length - lineLimit
  return (
    <>
      <Seen text={text.slice(0, lineLimit) || ' '} />
      {rest > 0 ? <span className="unseen">{plural(rest, 'more character')} on this line</span> : null}
    </>
  )
}
