import type { Outcome } from '@shared/domain'
import type { Distribution, GateDetail, Percept, Prediction } from '@shared/review'
import type { CSSProperties } from 'react'
import { plural, shortId } from '../lib/format'
import { outcomeName } from '../lib/words'
import { Button } from '../parts/Button'
import { Tag } from '../parts/Tags'
import { useDesk } from '../state/gates'
import { showEvidence } from './evidence'

const outcomes = ['approve', 'correct', 'reject'] as const satisfies readonly Outcome[]

/** Sealed until the person has decided; afterwards what was thought before and after reading, and what moved it. */
export function PredictionCard({ gate }: { gate: GateDetail }) {
  const view = gate.prediction
  if (!view) {
    return (
      <section className="card seal">
        <h2>Prediction</h2>
        <p className="sub">
          {gate.origin === 'transcript'
            ? 'None. This gate comes from a transcript: it teaches the proxy and is never scored.'
            : 'None was made for this gate.'}
        </p>
      </section>
    )
  }
  if (!view.revealed) {
    return (
      <section className="card seal">
        <div className="row">
          <h2 className="grow">Prediction</h2>
          <Tag title={view.seal}>sealed {shortId(view.seal, 2)}</Tag>
        </div>
        <p className="sub">
          Hidden until you decide, so that it is scored fairly. Peek, and this gate counts apart.
        </p>
        <div>
          <Button onClick={() => void useDesk.getState().peek()}>Peek</Button>
        </div>
      </section>
    )
  }
  return <Revealed gate={gate} prediction={view.revealed} />
}

function Revealed({ gate, prediction }: { gate: GateDetail; prediction: Prediction }) {
  const { prior, posterior, surprise } = prediction
  const view = gate.prediction
  return (
    <section className="card" aria-label="Prediction, revealed">
      <div className="row wrap">
        <h2 className="grow">Prediction</h2>
        {gate.foreseen === null ? null : (
          <Tag tone={gate.foreseen ? 'green' : 'red'}>{gate.foreseen ? 'foreseen' : 'not foreseen'}</Tag>
        )}
        {view?.peeked ? <Tag tone="amber">peeked, counts apart</Tag> : null}
      </div>
      <Pass name="Before reading" distribution={prior} outcome={gate.outcome} />
      <Pass name="After reading" distribution={posterior} outcome={gate.outcome} />
      <p>
        {surprise.fired
          ? `Reading it moved the prediction (by ${Math.round(100 * surprise.tv)} points).`
          : 'Reading it hardly moved the prediction.'}{' '}
        {prediction.salience}
      </p>
      {gate.decision?.surpriseBits == null ? null : (
        <p className="sub">Your decision carried {gate.decision.surpriseBits.toFixed(1)} bits of surprise.</p>
      )}
      {prediction.percepts.length > 0 ? <Percepts percepts={prediction.percepts} /> : null}
      {view?.intact === false ? (
        <p className="red-text">The seal does not match: this prediction was changed after it was made.</p>
      ) : null}
      <p className="sub" title={view?.salt ? `seal ${view.seal}, salt ${view.salt}` : undefined}>
        {prediction.engine === 'case' ? 'From' : 'By a model, from'}{' '}
        {plural(prediction.cases, 'remembered gate')}. {prediction.engineReason}
      </p>
    </section>
  )
}

interface PassProps {
  name: string
  distribution: Distribution
  outcome: Outcome | null
}

function Pass({ name, distribution, outcome }: PassProps) {
  return (
    <div className="pass">
      <h3>{name}</h3>
      <div className="pass-strip" aria-hidden="true">
        {outcomes.map((one) => (
          <span key={one} className={one} style={{ '--share': distribution[one] } as CSSProperties} />
        ))}
      </div>
      <dl className="pass-legend">
        {outcomes.map((one) => (
          <div key={one} className={one === outcome ? 'on' : ''}>
            <dt className={one}>{outcomeName[one]}</dt>
            <dd>{Math.round(100 * distribution[one])} %</dd>
          </div>
        ))}
      </dl>
      {distribution.reason ? <p className="sub">{distribution.reason}</p> : null}
    </div>
  )
}

/** Below this a percept is there but says nothing yet. */
const silent = 0.05

/** Whether a percept speaks against a plan passing as it stands (log-ratio above zero) or for it. */
function Push({ logRatio }: { logRatio: number }) {
  if (Math.abs(logRatio) < silent) return <Tag>says nothing yet</Tag>
  return <Tag tone={logRatio > 0 ? 'red' : 'green'}>{logRatio > 0 ? 'against' : 'for'}</Tag>
}

function Percepts({ percepts }: { percepts: readonly Percept[] }) {
  return (
    <div className="percepts">
      <h3>What moved it</h3>
      <ul>
        {percepts.map((percept, id) => (
          <li key={`${percept.phrase} ${percept.line}`}>
            <span className="row">
              {percept.present && percept.evidence ? (
                <button type="button" className="linkish" onClick={() => showEvidence(id)}>
                  {percept.phrase}
                </button>
              ) : (
                <span>{percept.phrase}</span>
              )}
              <span className="grow" />
              <Push logRatio={percept.logRatio} />
            </span>
            <span className="sub two-lines">
              {percept.present && percept.line !== null ? `line ${percept.line}: ` : ''}
              {percept.evidence}
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}
