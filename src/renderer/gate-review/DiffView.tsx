import { useMemo } from 'react'
import { diffRows } from '../lib/diff'
import { Seen } from '../parts/Seen'
import { Empty } from '../parts/States'
import { VirtualList } from '../parts/VirtualList'

const sign = { same: ' ', added: '+', removed: '−' } as const
const spoken = { same: '', added: 'added: ', removed: 'removed: ' } as const

export function DiffView({ before, after }: { before: string; after: string }) {
  const rows = useMemo(
    () => diffRows(before, after)?.map((row, index) => ({ ...row, index })) ?? null,
    [before, after],
  )
  if (!rows) {
    return (
      <Empty title="Too different to compare">
        <p>The two versions have little in common. Read the new one as it stands.</p>
      </Empty>
    )
  }
  return (
    <VirtualList
      label="What changed since the last version"
      className="source diff"
      rows={rows}
      rowKey={(row) => String(row.index)}
      estimate={() => 20}
      render={(row) => (
        <div className={`source-line ${row.kind}`}>
          <span className="line-number">{row.before ?? ''}</span>
          <span className="line-number">{row.after ?? ''}</span>
          <span className="line-sign" aria-hidden="true">
            {sign[row.kind]}
          </span>
          <code className="line-text">
            <span className="sr-only">{spoken[row.kind]}</span>
            <Seen text={row.text || ' '} />
          </code>
        </div>
      )}
    />
  )
}
