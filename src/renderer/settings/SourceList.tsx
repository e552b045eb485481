import type { SourceView } from '@shared/journal'
import { useState } from 'react'
import { call } from '../client'
import { bytes, dateTime, plural, since } from '../lib/format'
import { useNow } from '../lib/use-now'
import { agentName } from '../lib/words'
import { Button } from '../parts/Button'
import { Dialog } from '../parts/Dialog'
import { Path } from '../parts/Path'
import { Loaded } from '../parts/States'
import { Tag } from '../parts/Tags'
import { attempt, useApp } from '../state/app'
import { refreshMemory, useHealth, useSources } from '../state/memory'
import { HealthView } from './HealthView'

export function SourceList() {
  const sources = useSources()
  return (
    <section className="panel-block" aria-labelledby="settings-sources">
      <div className="row">
        <h2 id="settings-sources" className="grow">
          Sources
        </h2>
        <Button onClick={() => useApp.getState().open('add-source')}>Add a source…</Button>
      </div>
      <Loaded remote={sources} label="Looking up the sources">
        {(list) =>
          list.length === 0 ? (
            <p className="sub">
              None yet. Add a folder where your agents keep their transcripts, or the bundled sample.
            </p>
          ) : (
            <ul className="sources">
              {list.map((source) => (
                <SourceRow key={source.id} source={source} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </section>
  )
}

function SourceRow({ source }: { source: SourceView }) {
  const now = useNow()
  const health = useHealth()
  const [removing, setRemoving] = useState(false)
  const shown = health.args?.id === source.id && health.status !== 'idle'
  const paused = source.state === 'paused'
  const away = source.awaySince
  const toggle = async (): Promise<void> => {
    await attempt(() => call(paused ? 'sources.resume' : 'sources.pause', { id: source.id }))
    await refreshMemory()
  }
  const readNow = async (): Promise<void> => {
    const report = await attempt(() => call('ingest.run', { paths: [source.path], embed: false }))
    await refreshMemory()
    if (!report) return
    const found = useSources.getState().value?.find((one) => one.id === source.id)
    useApp
      .getState()
      .say(
        found?.awaySince
          ? 'It is still away, so nothing was read. What it brought before is kept.'
          : `Read: ${plural(report.new, 'new item')}, ${report.updated} updated.`,
        'plain',
        source.id,
      )
  }
  return (
    <li className="source-row">
      <div className="row wrap">
        <div className="grow min">
          <h3 className="mono clip">
            <Path path={source.path} max={70} />
          </h3>
          {away === null ? <Holds source={source} /> : <Kept source={source} />}
        </div>
        {away === null ? (
          <Tag tone={paused ? 'amber' : 'green'}>{paused ? 'paused' : 'watching'}</Tag>
        ) : (
          <Tag tone="amber">{`${paused ? 'paused, ' : ''}away since ${dateTime(away, now)}`}</Tag>
        )}
        {source.errors > 0 ? <Tag tone="red">{plural(source.errors, 'record')} skipped</Tag> : null}
      </div>
      <div className="row wrap source-actions">
        <Button
          aria-expanded={shown}
          onClick={() =>
            shown ? useHealth.getState().reset() : void useHealth.getState().load({ id: source.id })
          }
        >
          Health
        </Button>
        {paused || source.kind === 'stream' ? null : <Button onClick={() => void readNow()}>Read now</Button>}
        <Button onClick={() => void toggle()}>{paused ? 'Resume' : 'Pause'}</Button>
        <Button onClick={() => setRemoving(true)}>Remove…</Button>
      </div>
      {shown ? (
        <Loaded remote={health} label="Looking up its health">
          {(value) => <HealthView health={value} />}
        </Loaded>
      ) : null}
      {removing ? <RemoveDialog source={source} onClose={() => setRemoving(false)} /> : null}
    </li>
  )
}

function Holds({ source }: { source: SourceView }) {
  const now = useNow()
  return (
    <>
      <p className="sub">
        {source.format ? `${agentName[source.format]} · ` : ''}
        {plural(source.files, 'file')} · {bytes(source.bytes)} · {plural(source.sessions, 'session')} ·{' '}
        {plural(source.items, 'item')}
        {source.lastScanAt === null ? '' : ` · read ${since(source.lastScanAt, now)}`}
      </p>
      {source.lastError ? <p className="red-text">{source.lastError}</p> : null}
    </>
  )
}

/** Of a source that is away: what is kept of it. Its files cannot be counted, and that is no fault of theirs. */
function Kept({ source }: { source: SourceView }) {
  return (
    <>
      <p className="sub">
        {source.format ? `${agentName[source.format]} · ` : ''}
        {plural(source.sessions, 'session')} · {plural(source.items, 'item')} kept
      </p>
      <p className="sub">
        It is not where it was, a drive perhaps that is not connected.
        {source.state === 'paused' ? '' : ' It is read again by itself when it is back.'}
      </p>
    </>
  )
}

function RemoveDialog({ source, onClose }: { source: SourceView; onClose: () => void }) {
  const remove = async (keep: boolean): Promise<void> => {
    onClose()
    const result = await attempt(() => call('sources.remove', { id: source.id, keep }))
    if (result) {
      useApp
        .getState()
        .say(
          keep
            ? 'The source is removed. What it brought is kept.'
            : `The source is removed and ${plural(result.itemsForgotten, 'item')} forgotten.`,
          'plain',
          source.id,
        )
    }
    await refreshMemory()
  }
  return (
    <Dialog title="Remove this source?" onClose={onClose}>
      <p className="mono wrap-any">{source.path}</p>
      <p>
        Fovea stops reading it. Its files are not touched. Keep what it brought (
        {plural(source.items, 'item')}), or forget it: then it goes out of summaries, receipts, reviews and
        older copies of the database too. That cannot be undone, except by reading the source again.
      </p>
      <div className="dialog-actions">
        <Button look="quiet" onClick={onClose}>
          Cancel
        </Button>
        <Button look="danger" onClick={() => void remove(false)}>
          Remove and forget
        </Button>
        <Button look="go" onClick={() => void remove(true)}>
          Remove, keep the memory
        </Button>
      </div>
    </Dialog>
  )
}
