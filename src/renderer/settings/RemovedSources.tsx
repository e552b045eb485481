import type { RemovedSource } from '@shared/journal'
import { useState } from 'react'
import { call } from '../client'
import { plural, since } from '../lib/format'
import { useNow } from '../lib/use-now'
import { Button } from '../parts/Button'
import { Dialog } from '../parts/Dialog'
import { Path } from '../parts/Path'
import { attempt, useApp } from '../state/app'
import { refreshMemory, useRemoved } from '../state/memory'

/** Sources that were removed while what they brought was kept: it can still be forgotten. */
export function RemovedSources() {
  const removed = useRemoved((state) => state.value) ?? []
  if (removed.length === 0) return null
  return (
    <section className="panel-block" aria-labelledby="settings-removed">
      <h2 id="settings-removed">Removed, memory kept</h2>
      <ul className="sources">
        {removed.map((source) => (
          <RemovedRow key={source.id} source={source} />
        ))}
      </ul>
    </section>
  )
}

function RemovedRow({ source }: { source: RemovedSource }) {
  const now = useNow()
  const [forgetting, setForgetting] = useState(false)
  return (
    <li className="source-row">
      <div className="row wrap">
        <div className="grow min">
          <h3 className="mono clip">
            <Path path={source.path} max={70} />
          </h3>
          <p className="sub">
            {plural(source.items, 'item')} kept · removed {since(source.removedAt, now)}
          </p>
        </div>
        <Button onClick={() => setForgetting(true)}>Forget…</Button>
      </div>
      {forgetting ? <ForgetDialog source={source} onClose={() => setForgetting(false)} /> : null}
    </li>
  )
}

function ForgetDialog({ source, onClose }: { source: RemovedSource; onClose: () => void }) {
  const forget = async (): Promise<void> => {
    onClose()
    const result = await attempt(() => call('sources.remove', { id: source.id, keep: false }))
    if (result)
      useApp.getState().say(`${plural(result.itemsForgotten, 'item')} forgotten.`, 'plain', source.id)
    await refreshMemory()
  }
  return (
    <Dialog title="Forget what this source brought?" onClose={onClose}>
      <p className="mono wrap-any">{source.path}</p>
      <p>
        What it brought ({plural(source.items, 'item')}) goes out of summaries, receipts, reviews and older
        copies of the database too. Its files are not touched. That cannot be undone, except by reading the
        source again.
      </p>
      <div className="dialog-actions">
        <Button look="quiet" onClick={onClose}>
          Cancel
        </Button>
        <Button look="danger" onClick={() => void forget()}>
          Forget
        </Button>
      </div>
    </Dialog>
  )
}
