import type { Outcome, ReceiptId } from '@shared/domain'
import type { Distribution, GateDetail, Percept, Prediction } from '@shared/review'
import type { CSSProperties } from 'react'
import { plural, shortId } from '../lib/format'
import { outcomeName } from '../lib/words'
import { Button } from '../parts/Button'
import { Tag } from '../parts/Tags'
import { useDesk } from '../state/gates'
import { openReceipt } from '../state/receipts'
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
        {`Reading it moved the prediction by ${plural(Math.round(100 * surprise.tv), 'point')}${surprise.fired ? '.' : ', too little to count as a surprise.'}`}{' '}
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
      <WhatItRead receipts={prediction.receipts} />
    </section>
  )
}

/** The receipts of both passes: every bid for the context, and why it stood there or not. */
function WhatItRead({ receipts }: { receipts: Prediction['receipts'] }) {
  const passes = [
    { name: 'first', id: receipts.prior },
    { name: 'second', id: receipts.posterior },
  ]
  if (passes.every(({ id }) => id === null)) return null
  return (
    <p className="sub">
      What it attended to:{' '}
      {passes.map(({ name, id }, i) =>
        id === null ? null : (
          <span key={name}>
            {i > 0 ? ', ' : ''}
            <button type="button" className="linkish" onClick={() => openReceipt(id as ReceiptId)}>
              {name} pass
            </button>
          </span>
        ),
      )}
    </p>
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

/** Below this log-ratio a percept says nothing yet; above it speaks against a plan passing as it stands, or for it. */
const silent = 0.05

function Percepts({ percepts }: { percepts: readonly Percept[] }) {
  const all = percepts.map((percept, id) => ({ percept, id }))
  const moved = all.filter(({ percept }) => Math.abs(percept.logRatio) >= silent)
  const noticed = all.filter(({ percept }) => Math.abs(percept.logRatio) < silent)
  return (
    <div className="percepts">
      {moved.length > 0 ? (
        <>
          <h3>What moved it</h3>
          <ul>
            {moved.map(({ percept, id }) => (
              <PerceptLine key={id} percept={percept} id={id} />
            ))}
          </ul>
        </>
      ) : null}
      {noticed.length > 0 ? (
        <details>
          <summary>{plural(noticed.length, 'thing')} noticed that say nothing yet</summary>
          <ul>
            {noticed.map(({ percept, id }) => (
              <PerceptLine key={id} percept={percept} id={id} />
            ))}
          </ul>
        </details>
      ) : null}
    </div>
  )
}

function PerceptLine({ percept, id }: { percept: Percept; id: number }) {
  const { line, logRatio } = percept
  const name = percept.name ?? percept.phrase
  return (
    <li>
      <span className="row">
        {line === null ? (
          <span>{name}</span>
        ) : (
          <button type="button" className="linkish" onClick={() => showEvidence(id)}>
            {name}
          </button>
        )}
        <span className="grow" />
        {Math.abs(logRatio) < silent ? null : (
          <Tag tone={logRatio > 0 ? 'red' : 'green'}>{logRatio > 0 ? 'against' : 'for'}</Tag>
        )}
      </span>
      <span className="sub two-lines">
        {line === null ? '' : `line ${line}: `}
        {percept.evidence}
      </span>
    </li>
  )
}
