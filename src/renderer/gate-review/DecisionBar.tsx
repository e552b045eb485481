import type { GateAction } from '@shared/domain'
import type { GateDetail } from '@shared/review'
import { useRef, useState } from 'react'
import { dateTime } from '../lib/format'
import { useKeys } from '../lib/keys'
import { useNow } from '../lib/use-now'
import { outcomeName, outcomeTone } from '../lib/words'
import { Button } from '../parts/Button'
import { Tag } from '../parts/Tags'
import { useDesk } from '../state/gates'
import { defaultAction } from './default-action'

export function DecisionBar({ gate }: { gate: GateDetail }) {
  if (gate.status !== 'open') return <Decided gate={gate} />
  return <Deciding gate={gate} />
}

function Deciding({ gate }: { gate: GateDetail }) {
  const notes = useDesk((s) => s.notes)
  const deciding = useDesk((s) => s.deciding)
  const field = useRef<HTMLTextAreaElement>(null)
  const [isWordless, setIsWordless] = useState(false)
  const missing = isWordless && notes.trim() === ''
  const ready = defaultAction(notes)

  const decide = (action: GateAction): void => {
    // A correction without words would tell the agent nothing.
    const wordless = action === 'correct' && useDesk.getState().notes.trim() === ''
    setIsWordless(wordless)
    if (wordless) field.current?.focus()
    else void useDesk.getState().decide(action)
  }
  useKeys({
    a: () => decide('approve'),
    c: () => decide('correct'),
    r: () => decide('reject'),
    n: () => field.current?.focus(),
    'ctrl+Enter': () => decide(defaultAction(useDesk.getState().notes)),
  })

  return (
    <div className="decide">
      <label className="notes">
        <span className="sr-only">Notes to the agent</span>
        <textarea
          ref={field}
          rows={notes === '' ? 1 : Math.min(6, notes.split('\n').length + 1)}
          value={notes}
          placeholder="Notes: what should change"
          aria-invalid={missing}
          aria-describedby={missing ? 'notes-missing' : undefined}
          onChange={(event) => useDesk.getState().type(event.target.value)}
          onBlur={() => void useDesk.getState().flush()}
          onKeyDown={(event) => {
            if (event.key === 'Escape') event.currentTarget.blur()
          }}
        />
      </label>
      {missing ? (
        <p id="notes-missing" className="red-text" role="alert">
          Say what is wrong: a correction needs notes.
        </p>
      ) : null}
      <div className="row wrap">
        {ready === 'correct' ? (
          <>
            <Button look="go" hint="C" disabled={deciding} onClick={() => decide('correct')}>
              Send correction
            </Button>
            <Button hint="A" disabled={deciding} onClick={() => decide('approve')}>
              Approve with notes
            </Button>
          </>
        ) : (
          <>
            <Button look="go" hint="A" disabled={deciding} onClick={() => decide('approve')}>
              Approve
            </Button>
            <Button hint="C" disabled={deciding} onClick={() => decide('correct')}>
              Correct
            </Button>
          </>
        )}
        <Button hint="R" disabled={deciding} onClick={() => decide('reject')}>
          Reject
        </Button>
        <span className="grow" />
        <span className="sub">
          {gate.project
            ? `Fovea learns from your answer for ${gate.project}`
            : 'Fovea learns from your answer'}
        </span>
      </div>
    </div>
  )
}

function Decided({ gate }: { gate: GateDetail }) {
  const now = useNow()
  const { decision } = gate
  if (!decision) {
    return (
      <div className="decide">
        <p className="sub">The session ended before this plan was answered.</p>
      </div>
    )
  }
  const where =
    decision.via === 'transcript'
      ? 'in the transcript'
      : decision.via === 'cli'
        ? 'on the command line'
        : 'here'
  return (
    <div className="decide" role="status">
      <div className="row wrap">
        <Tag tone={outcomeTone[decision.outcome]}>{outcomeName[decision.outcome]}</Tag>
        <span className="sub">
          {where}, {dateTime(decision.decidedAt, now)}
          {decision.speechAct === 'question' ? ' · asked as a question' : ''}
        </span>
      </div>
      {decision.notes ? <blockquote className="said">{decision.notes}</blockquote> : null}
    </div>
  )
}
