import type { ItemDetail } from '@shared/journal'
import type { Attempt, LastTry } from '@shared/recall'
import { useState } from 'react'
import { call } from '../client'
import { dateTime, plural } from '../lib/format'
import { useNow } from '../lib/use-now'
import { Button } from '../parts/Button'
import { attempt } from '../state/app'
import { useTimeline } from '../state/timeline'

const outcomeName: Record<Attempt['outcome'], string> = {
  concluded: 'it was concluded',
  refused: 'you refused it',
  stopped: 'you stopped it',
  failed: 'it failed',
  open: 'it was left open',
}

/** "Last time you tried this": the newest earlier goal like this one, how it ended, what changed since. */
export function LastTryCard({ item }: { item: ItemDetail }) {
  const now = useNow()
  const [told, setTold] = useState<LastTry | null>(null)
  const own = item.kind === 'goal' ? { handle: item.handle, text: item.rungs[0]?.text } : item.goal
  if (!own?.text) return null
  const text = own.text.slice(0, 2000)
  const ask = (): Promise<unknown> =>
    attempt(async () => setTold(await call('lastTry.run', { text, except: own.handle, limit: 5 })))
  const last = told?.attempts[0]
  return (
    <section>
      <h3>Last time you tried this</h3>
      {told === null ? <Button onClick={() => void ask()}>Look for it</Button> : null}
      {told && !last ? <p className="sub">{told.reason ?? 'Nothing like it was tried before.'}</p> : null}
      {last ? (
        <>
          <button
            type="button"
            className="linkish left four-lines"
            onClick={() => useTimeline.getState().select(last.goal)}
          >
            {last.text}
          </button>
          <p className="sub">
            {dateTime(last.startedAt, now)}, {outcomeName[last.outcome]}
            {last.changedSince.length > 0
              ? `; ${plural(last.changedSince.length, 'file')} of it changed since`
              : ''}
          </p>
          {last.end ? <p className="foreign four-lines">{last.end.text}</p> : null}
        </>
      ) : null}
    </section>
  )
}
