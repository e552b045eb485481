import type { Handle, ReceiptId } from '@shared/domain'
import type { Feedback, FeedbackVerdict } from '@shared/recall'
import { useEffect, useState } from 'react'
import { call } from '../client'
import { Button } from '../parts/Button'
import { attempt } from '../state/app'

const verdicts: readonly { verdict: FeedbackVerdict; label: string; title: string }[] = [
  { verdict: 'useful', label: 'Useful', title: 'It counts more from now on' },
  { verdict: 'wrong', label: 'Wrong', title: 'It counts less from now on' },
  { verdict: 'pin', label: 'Pin', title: 'It stands in every frame it fits into' },
  { verdict: 'never', label: 'Never again', title: 'It stands in no frame any more' },
]

/** What the person says of a fact; the button that stands is pressed, and pressing it again takes it back. */
export function FeedbackRow({ handle, receipt }: { handle: Handle; receipt: ReceiptId }) {
  const [standing, setStanding] = useState<Feedback | null>(null)
  useEffect(() => {
    let shown = true
    setStanding(null)
    void attempt(async () => {
      const { feedback } = await call('feedback.list', { handles: [handle] })
      if (shown) setStanding(feedback[0] ?? null)
    })
    return () => {
      shown = false
    }
  }, [handle])
  const press = (verdict: FeedbackVerdict): Promise<unknown> =>
    attempt(async () => {
      if (standing?.verdict === verdict) {
        await call('feedback.undo', { id: standing.id })
        setStanding(null)
        return
      }
      setStanding((await call('feedback.give', { handle, verdict, receipt })).feedback)
    })
  return (
    <section>
      <h3>What do you say of it?</h3>
      <div className="row wrap">
        {verdicts.map(({ verdict, label, title }) => (
          <Button
            key={verdict}
            title={title}
            aria-pressed={standing?.verdict === verdict}
            look={standing?.verdict === verdict ? 'go' : 'plain'}
            onClick={() => void press(verdict)}
          >
            {label}
          </Button>
        ))}
      </div>
      {standing ? <p className="sub">Kept for the next frames; press again to take it back.</p> : null}
    </section>
  )
}
