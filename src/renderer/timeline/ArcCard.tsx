import type { ArcLine } from '@shared/journal'
import { ChevronRight } from 'lucide-react'
import { plural, time } from '../lib/format'
import { agentName } from '../lib/words'
import { Prose } from '../parts/Prose'
import { RungChip, Tag } from '../parts/Tags'
import { useArcs } from '../state/timeline'

/** An arc with few items and no sentence of its own is one quiet line. */
const smallArc = 3

export function ArcCard({ arc, open }: { arc: ArcLine; open: boolean }) {
  const span =
    arc.endedAt - arc.startedAt < 60_000
      ? time(arc.startedAt)
      : `${time(arc.startedAt)} – ${time(arc.endedAt)}`
  const small = arc.items <= smallArc && !arc.summary
  const errors = arc.byKind.error ?? 0
  return (
    <button
      type="button"
      className={`arc ${open ? 'open' : ''} ${small ? 'small' : ''}`}
      aria-expanded={open}
      onClick={() => void useArcs.getState().toggle(arc.id)}
    >
      <span className="arc-meta">
        <ChevronRight className="chevron" aria-hidden="true" />
        <Tag tone={open ? 'iris' : 'plain'}>{arc.project ?? 'no project'}</Tag>
        {small ? <span className="arc-goal clip grow">{arc.goal}</span> : null}
        <span className="sub clip">
          {span} · {agentName[arc.agent]} · {plural(arc.items, 'item')}
        </span>
        {small ? null : <span className="grow" />}
        {errors > 0 ? <Tag tone="red">{plural(errors, 'error')}</Tag> : null}
      </span>
      {small ? null : <span className="arc-goal two-lines">{arc.goal}</span>}
      {arc.summary && arc.summary.trim() !== arc.goal.trim() ? (
        <span className="arc-summary">
          <span className="two-lines">
            <Prose text={arc.summary} />
          </span>
          <RungChip level="L1" />
        </span>
      ) : null}
    </button>
  )
}
