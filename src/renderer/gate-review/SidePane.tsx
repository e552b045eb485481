import type { AttentionLine, GateDetail } from '@shared/review'
import { date } from '../lib/format'
import { useNow } from '../lib/use-now'
import { outcomeName, outcomeTone } from '../lib/words'
import { Bar } from '../parts/Bar'
import { Seen } from '../parts/Seen'
import { Tag } from '../parts/Tags'
import { useDesk } from '../state/gates'
import { attentionShownOf, lookedAt } from './attention'
import { PredictionCard } from './PredictionCard'

export function SidePane({ gate }: { gate: GateDetail }) {
  return (
    <>
      <PredictionCard gate={gate} />
      {gate.upstream.length > 0 ? <Upstream gate={gate} /> : null}
      <EarlierNotes gate={gate} />
      <Attention lines={gate.attention} />
      {gate.similar.length > 0 ? <Similar gate={gate} /> : null}
    </>
  )
}

function Upstream({ gate }: { gate: GateDetail }) {
  return (
    <section className="card">
      <h2>Intent this answers</h2>
      {gate.upstream.map(({ name, text }) => (
        <details key={name} className="upstream" open={gate.upstream.length === 1}>
          <summary>{name}</summary>
          <p className="foreign">
            <Seen text={text.length > 1200 ? `${text.slice(0, 1200)}…` : text} />
          </p>
        </details>
      ))}
    </section>
  )
}

function EarlierNotes({ gate }: { gate: GateDetail }) {
  const earlier = gate.notes.filter((note) => note.version < gate.round)
  if (earlier.length === 0) return null
  return (
    <section className="card">
      <h2>Your earlier notes</h2>
      {earlier.map((note) => (
        <blockquote key={`${note.version} ${note.ts}`} className="said">
          <span className="sub">on version {note.version}</span>
          <br />
          {note.text}
        </blockquote>
      ))}
    </section>
  )
}

const attentionShown = 6

/** Never a percept that only was there: what was looked at, then what was there often and never looked at. */
function Attention({ lines }: { lines: AttentionLine[] }) {
  const { looked, passed } = attentionShownOf(lines, attentionShown)
  return (
    <section className="card">
      <h2>What you looked at here before</h2>
      {looked.map((line) => (
        <Bar
          key={line.phrase}
          label={line.phrase}
          share={Math.min(1, lookedAt(line).count / line.present)}
          value={lookedAt(line).words}
          colour={line.listed ? 'var(--l0)' : 'var(--l1)'}
        />
      ))}
      {looked.length === 0 ? (
        <p className="sub">Nothing has been learned yet about what you look at. It fills as you decide.</p>
      ) : null}
      {passed.length > 0 ? (
        <>
          <h3>There often, never looked at</h3>
          <p className="sub">{passed.map((line) => `${line.phrase} (${line.present}×)`).join(', ')}</p>
        </>
      ) : null}
    </section>
  )
}

function Similar({ gate }: { gate: GateDetail }) {
  const now = useNow()
  const hidden = gate.similar.some(({ outcome }) => outcome === null)
  return (
    <section className="card">
      <h2>Similar gates</h2>
      <ul className="similar">
        {gate.similar.map((other) => (
          <li key={other.id}>
            <button type="button" onClick={() => void useDesk.getState().select(other.id)}>
              {other.outcome === null ? null : (
                <Tag tone={outcomeTone[other.outcome]}>{outcomeName[other.outcome]}</Tag>
              )}
              <span className="grow two-lines">
                <Seen text={other.title} />
              </span>
              <span className="sub">
                {isRepeated(gate, other) ? `round ${other.round} · ` : ''}
                {date(other.ts, now)}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {hidden ? <p className="sub">How they ended is shown once you have decided.</p> : null}
    </section>
  )
}

/** Another gate here has the same title, so only its round tells it apart. */
const isRepeated = (gate: GateDetail, other: GateDetail['similar'][number]): boolean =>
  other.round > 1 || [gate, ...gate.similar].some(({ id, title }) => id !== other.id && title === other.title)
