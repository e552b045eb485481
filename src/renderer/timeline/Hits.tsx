import type { SearchHit, SearchResult } from '@shared/recall'
import { dateTime, plural } from '../lib/format'
import { neighbour, useKeys } from '../lib/keys'
import { useNow } from '../lib/use-now'
import { isProse } from '../lib/words'
import { Prose } from '../parts/Prose'
import { Empty, Loaded } from '../parts/States'
import { KindTag, Tag } from '../parts/Tags'
import { VirtualList } from '../parts/VirtualList'
import { openReceipt } from '../state/receipts'
import type { Remote } from '../state/remote'
import { type Query, useTimeline } from '../state/timeline'

export function Hits({ remote }: { remote: Remote<Query, SearchResult> }) {
  return (
    <Loaded remote={remote} label="Searching">
      {(result) => <HitList result={result} />}
    </Loaded>
  )
}

function HitList({ result }: { result: SearchResult }) {
  const now = useNow()
  const selected = useTimeline((s) => s.selected)
  const { select } = useTimeline.getState()
  const handles = result.hits.map((hit) => hit.handle)
  const step = (by: 1 | -1) => () => {
    const next = neighbour(handles, useTimeline.getState().selected, by)
    if (next) select(next)
  }
  useKeys({ j: step(1), k: step(-1), ArrowDown: step(1), ArrowUp: step(-1) })
  const { receipt } = result
  return (
    <>
      <div className="hits-head">
        <h2 className="title">{plural(result.hits.length, 'hit')}</h2>
        {result.leftOut > 0 ? (
          <span className="sub" title="They share no more than a frequent word with the question.">
            {result.leftOut} left out
          </span>
        ) : null}
        <Tag tone={result.path === 'hybrid' ? 'green' : 'amber'}>{result.path}</Tag>
        <span className="sub grow clip" title={result.reason ?? undefined}>
          {result.reason}
        </span>
        {receipt ? (
          <button type="button" className="linkish" onClick={() => openReceipt(receipt)}>
            Receipt
          </button>
        ) : null}
      </div>
      {result.hits.length === 0 ? (
        <Empty title="Nothing found">
          <p>
            Try fewer or other words, another kind or a longer time. What has not been enrolled cannot be
            found.
          </p>
        </Empty>
      ) : (
        <VirtualList
          label="Search results"
          rows={result.hits}
          rowKey={(hit) => hit.handle}
          estimate={() => 72}
          reveal={selected}
          render={(hit) => <HitRow hit={hit} now={now} on={hit.handle === selected} />}
        />
      )}
    </>
  )
}

function HitRow({ hit, now, on }: { hit: SearchHit; now: number; on: boolean }) {
  return (
    <button
      type="button"
      className={`hit ${on ? 'on' : ''}`}
      aria-current={on ? 'true' : undefined}
      onClick={() => useTimeline.getState().select(hit.handle)}
    >
      <span className="row">
        <KindTag kind={hit.kind} />
        <span className="sub clip">{hit.project ?? 'no project'}</span>
        <span className="grow" />
        <span className="sub">{dateTime(hit.ts, now)}</span>
      </span>
      <span className="two-lines">{isProse[hit.kind] ? <Prose text={hit.snippet} /> : hit.snippet}</span>
    </button>
  )
}
