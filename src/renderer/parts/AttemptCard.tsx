import type { Handle } from '@shared/domain'
import type { Attempt } from '@shared/recall'
import { dateTime, plural } from '../lib/format'
import { useNow } from '../lib/use-now'
import { attemptOutcome, attemptTone } from '../lib/words'
import { Path } from './Path'
import { Tag } from './Tags'

interface AttemptCardProps {
  attempt: Attempt
  open: (handle: Handle) => void
}

const changesShown = 5

/** One earlier attempt at a goal: what was asked, how it ended, and which of its files changed since. */
export function AttemptCard({ attempt, open }: AttemptCardProps) {
  const now = useNow()
  const { goal, text, startedAt, outcome, end, project, changedSince } = attempt
  const rest = changedSince.length - changesShown
  return (
    <article className="attempt">
      <button type="button" className="linkish left four-lines" onClick={() => open(goal)}>
        {text}
      </button>
      <p className="row wrap sub">
        <Tag tone={attemptTone[outcome]}>{attemptOutcome[outcome]}</Tag>
        <span>
          {dateTime(startedAt, now)}
          {project === null ? '' : ` · ${project}`}
        </span>
      </p>
      {end ? (
        <button type="button" className="foreign left four-lines" onClick={() => open(end.handle)}>
          {end.text}
        </button>
      ) : null}
      {changedSince.length > 0 ? (
        <div className="sub">
          Changed since:
          <ul>
            {changedSince.slice(0, changesShown).map(({ path, changes, last }) => (
              <li key={path} className="row">
                <Path path={path} /> <span className="nowrap">{plural(changes, 'change')}</span>
                <span className="nowrap">{dateTime(last, now)}</span>
              </li>
            ))}
          </ul>
          {rest > 0 ? <p>and {plural(rest, 'more', 'more')}</p> : null}
        </div>
      ) : null}
    </article>
  )
}
