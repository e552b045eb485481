import type { Handle, ReceiptId, Rung } from '@shared/domain'
import type { ItemDetail } from '@shared/journal'
import { useState } from 'react'
import { call } from '../client'
import { count, dateTime, plural } from '../lib/format'
import { useNow } from '../lib/use-now'
import { agentName, kindName, rungName, rungs, statusName, statusTone } from '../lib/words'
import { Button } from '../parts/Button'
import { Pointer } from '../parts/Pointer'
import { Segmented } from '../parts/Segmented'
import { Empty, Loaded } from '../parts/States'
import { Tag } from '../parts/Tags'
import { attempt, useApp } from '../state/app'
import { openReceipt, useReceipts } from '../state/receipts'
import type { Remote } from '../state/remote'
import { useItem, useTimeline } from '../state/timeline'
import { ItemCell } from './ItemCell'
import { ItemFacts } from './ItemFacts'
import { LastTryCard } from './LastTryCard'

interface InspectorProps {
  remote: Remote<{ handle: Handle }, ItemDetail>
  selected: Handle | null
}

export function Inspector({ remote, selected }: InspectorProps) {
  if (selected === null) {
    return (
      <Empty title="No item chosen">
        <p>Open an arc and choose an item to see it at every rung, and where it lies.</p>
      </Empty>
    )
  }
  return (
    <Loaded remote={remote} label="Opening the item">
      {(item) => <Item key={item.handle} item={item} />}
    </Loaded>
  )
}

/** Verbatim text above this is shown in part; all of it stays in memory and in the source. */
const textLimit = 20_000

function Item({ item }: { item: ItemDetail }) {
  const now = useNow()
  const has = new Set(item.rungs.map((rung) => rung.level))
  const [level, setLevel] = useState<Rung>(() => rungs.find((rung) => has.has(rung)) ?? 'L0')
  const rung = item.rungs.find((one) => one.level === level)
  const { goal } = item
  return (
    <>
      <div className="row wrap">
        <h2 className="grow cap">{kindName[item.kind]}</h2>
        <Segmented
          label="Level of detail"
          value={level}
          onChange={setLevel}
          options={rungs.map((one) => ({
            value: one,
            label: one,
            title: has.has(one) ? rungName[one] : `no ${rungName[one]} yet`,
            disabled: !has.has(one),
          }))}
        />
      </div>
      {rung ? (
        <div className={`quote at-${level}`}>
          <p className={item.kind === 'command' || item.kind === 'file_op' ? 'mono foreign' : 'foreign'}>
            {rung.text.slice(0, textLimit) || '(no text)'}
          </p>
          <p className="sub">
            {rungName[level]} · {level === 'L0' ? '' : `${rung.model ?? rung.method} · `}
            {plural(rung.tokens, 'token')}
            {rung.text.length > textLimit
              ? ` · first ${count(textLimit)} of ${count(rung.text.length)} characters`
              : ''}
          </p>
          {rung.why ? <p className="sub">By rules, {rung.why}.</p> : null}
        </div>
      ) : null}
      {item.letGo ? (
        <p className="sub">
          {item.letGo.levels.map((one) => rungName[one]).join(' and ')} let go on{' '}
          {dateTime(item.letGo.at, now)}.{' '}
          {item.status === 'gone' ? 'Its file is gone too.' : 'The record is still in its file.'}
        </p>
      ) : null}
      <section>
        <h3>Where it lies</h3>
        <Pointer pointer={item.pointer} />
        <div className="row wrap">
          <Tag tone={statusTone[item.status]}>{statusName[item.status]}</Tag>
          <Button look="quiet" onClick={() => void verify(item.handle)}>
            Check again
          </Button>
        </div>
      </section>
      {goal && goal.handle !== item.handle ? (
        <section>
          <h3>Goal</h3>
          <button
            type="button"
            className="linkish left four-lines"
            onClick={() => useTimeline.getState().select(goal.handle)}
          >
            {goal.text}
          </button>
        </section>
      ) : null}
      <LastTryCard item={item} />
      <ItemCell item={item} />
      <ItemFacts item={item} />
      <section>
        <h3>In frames</h3>
        {item.frames.length === 0 ? (
          <p className="sub">In none yet.</p>
        ) : (
          <ul className="frames">
            {item.frames.map((frame) => (
              <li key={frame.receipt}>
                <button type="button" onClick={() => openReceipt(frame.receipt as ReceiptId)}>
                  <span className="grow clip">{frame.goal}</span>
                  <span className="sub">{dateTime(frame.createdAt, now)}</span>
                </button>
              </li>
            ))}
          </ul>
        )}
        <Button look="plain" onClick={() => renderFor(item)}>
          Render a frame for this
        </Button>
      </section>
      <section className="sub">
        <h3>Made in</h3>
        <p>
          {agentName[item.agent]} · {item.project ?? 'no project'} · {dateTime(item.ts, now)}
        </p>
        <p className="mono wrap-any">{item.handle}</p>
        {item.sessions.length > 1 ? (
          <p>Held by {plural(item.sessions.length, 'session')}; counted once.</p>
        ) : null}
        {item.labels.length > 0 ? <p>Labels: {item.labels.join(', ')}</p> : null}
      </section>
    </>
  )
}

async function verify(handle: Handle): Promise<void> {
  const report = await attempt(() => call('items.verify', { handles: [handle] }))
  const status = report?.items[0]?.status
  if (!status) return
  useApp.getState().say(`Checked just now: ${statusName[status]}.`)
  await useItem.getState().refresh()
}

function renderFor(item: ItemDetail): void {
  const text =
    item.goal?.text ?? item.rungs.find((rung) => rung.level !== 'L0')?.text ?? item.rungs[0]?.text ?? ''
  useApp.getState().go('receipts')
  useReceipts.getState().edit({ goal: text.slice(0, 500) })
  void useReceipts.getState().render()
}
