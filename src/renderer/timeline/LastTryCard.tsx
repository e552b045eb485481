import type { ItemDetail } from '@shared/journal'
import type { LastTry } from '@shared/recall'
import { useState } from 'react'
import { call } from '../client'
import { AttemptCard } from '../parts/AttemptCard'
import { Button } from '../parts/Button'
import { attempt } from '../state/app'
import { useTimeline } from '../state/timeline'

/** "Last time you tried this": the newest earlier goal like this one, how it ended, what changed since. */
export function LastTryCard({ item }: { item: ItemDetail }) {
  const [told, setTold] = useState<LastTry | null>(null)
  const own = item.kind === 'goal' ? { handle: item.handle, text: item.rungs[0]?.text } : item.goal
  if (!own?.text) return null
  const text = own.text.slice(0, 2000)
  const ask = (): Promise<unknown> =>
    attempt(async () => setTold(await call('lastTry.run', { text, except: own.handle, limit: 5 })))
  const last = told?.near ? told.attempts[0] : undefined
  return (
    <section>
      <h3>Last time you tried this</h3>
      {told === null ? <Button onClick={() => void ask()}>Look for it</Button> : null}
      {told && !last ? <p className="sub">{told.reason ?? 'Nothing like it was tried before.'}</p> : null}
      {last ? <AttemptCard attempt={last} open={useTimeline.getState().select} /> : null}
    </section>
  )
}
