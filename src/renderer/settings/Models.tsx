import type { CuratorStatus, ModelSettings } from '@shared/models'
import { useEffect, useState } from 'react'
import { call } from '../client'
import { curatorState, duration, leftText, resumes, tokens } from '../lib/curator-words'
import { count, plural } from '../lib/format'
import { useNow } from '../lib/use-now'
import { Bar } from '../parts/Bar'
import { Button } from '../parts/Button'
import { Loaded } from '../parts/States'
import { attempt, useApp } from '../state/app'
import { loadCurator, useCurator, useEstimate, useInstalled } from '../state/models'
import { BudgetField } from './BudgetField'

/** Which model writes summaries, what it may cost, what it does. Without one, rules write them and all else works. */
export function Models() {
  const models = useApp((s) => s.models)
  useEffect(() => {
    void useInstalled.getState().load({})
    void useEstimate.getState().load({})
    void loadCurator()
  }, [])
  return (
    <section className="panel-block" aria-labelledby="settings-models">
      <h2 id="settings-models">Language model</h2>
      {models === null ? null : (
        <>
          <Choice models={models} />
          {models.curator === null ? <Estimate /> : <Work models={models} />}
        </>
      )}
    </section>
  )
}

const save = (change: Partial<ModelSettings>): void => void useApp.getState().saveSettings({ models: change })

function Choice({ models }: { models: ModelSettings }) {
  const installed = useInstalled()
  const here = installed.value?.models ?? []
  const away = installed.value?.refused ?? []
  const missing = models.curator !== null && ![...here, ...away].includes(models.curator)
  return (
    <>
      <div className="row setting">
        <label className="grow" htmlFor="settings-model">
          <b>Summaries by</b>
          <br />
          <span className="sub">
            A model of Ollama on this machine writes the sentence and the distillation of what is worth it.
            Off until you choose one.
          </span>
        </label>
        <select
          id="settings-model"
          value={models.curator ?? ''}
          onChange={(event) => save({ curator: event.target.value === '' ? null : event.target.value })}
        >
          <option value="">rules, no model</option>
          {missing ? <option value={models.curator ?? ''}>{models.curator} (not there)</option> : null}
          {here.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
          {away.map((name) => (
            <option key={name} value={name} disabled={!models.allowCloud.includes(name)}>
              {name} (leaves this machine)
            </option>
          ))}
        </select>
      </div>
      <Loaded remote={installed} label="Asking Ollama">
        {({ reason }) =>
          reason === null ? null : (
            <p className="sub">
              {reason} Everything works without.{' '}
              <button type="button" className="linkish" onClick={() => void installed.refresh()}>
                Look again
              </button>
            </p>
          )
        }
      </Loaded>
    </>
  )
}

function Estimate() {
  const estimate = useEstimate((s) => s.value)
  if (estimate === null || estimate.tokens === 0) return null
  const parts = estimate.subjects.filter(({ n }) => n > 0).map(({ kind, n }) => plural(n, kind))
  return (
    <p className="sub">
      Worth a model’s summary here: {parts.join(', ')}. All of it would take about {tokens(estimate.tokens)}{' '}
      tokens, spread over days by the budget.
    </p>
  )
}

function Work({ models }: { models: ModelSettings }) {
  return (
    <>
      <Status paused={models.paused} />
      <BudgetField
        title="Budget for a day"
        what="Tokens, prompt and answer together. When it is spent the work stops and goes on the next day."
        least={1_000}
        most={1_000_000_000}
        value={models.dailyTokens}
        onChange={(dailyTokens) => save({ dailyTokens })}
      />
      <Toggle
        title="Rest on battery"
        what="Where the machine tells what it runs on."
        checked={models.pauseOnBattery}
        onChange={(pauseOnBattery) => save({ pauseOnBattery })}
      />
      <Toggle
        title="Rest while a gate is open"
        what="When the proxy uses the same model: your decision waits for nobody."
        checked={models.pauseForGates}
        onChange={(pauseForGates) => save({ pauseForGates })}
      />
    </>
  )
}

function Status({ paused }: { paused: boolean }) {
  const status = useCurator((s) => s.status)
  const now = useNow()
  if (status === null) return null
  const { today, total, left, made, kept, reason } = status
  const spent = today.promptTokens + today.answerTokens
  return (
    <div className="curator-work">
      <div className="row">
        <p className="grow" role="status">
          <b className={`curator-state ${status.state}`}>{curatorState(status)}</b>{' '}
          {reason === null ? null : (
            <span className="sub">
              {reason}
              {resumes(status, now)}
            </span>
          )}
        </p>
        <Button onClick={() => save({ paused: !paused })}>{paused ? 'Resume' : 'Pause'}</Button>
      </div>
      <Bar
        label="Today"
        share={spent / today.budget}
        value={`${tokens(spent)} of ${tokens(today.budget)} tokens`}
        {...(status.state === 'budget' ? { colour: 'var(--amber)' } : {})}
      />
      <dl className="facts-table">
        <Line name="Left">
          {leftText(left)}
          {left.tokens > 0 ? ` · about ${tokens(left.tokens)} tokens` : ''}
        </Line>
        <Line name="Today">
          {plural(today.requests, 'request')}
          {today.failed > 0 ? ` · ${plural(today.failed, 'call')} failed` : ''} · {duration(today.ms)}
        </Line>
        <Line name="So far">
          {plural(made, 'summary', 'summaries')} by the model in {plural(total.requests, 'request')} ·{' '}
          {tokens(total.promptTokens + total.answerTokens)} tokens · {duration(total.ms)}
        </Line>
        {kept.length > 0 ? (
          <Line name="By rules">
            <ul className="kept">
              {kept.map((one) => (
                <li key={one.reason}>
                  {count(one.n)}: {one.reason}
                </li>
              ))}
            </ul>
            <AskAgain kept={kept} />
          </Line>
        ) : null}
      </dl>
    </div>
  )
}

/** Offers the model once more what another answer may mend; the day's budget holds for it too. */
function AskAgain({ kept }: { kept: CuratorStatus['kept'] }) {
  const n = kept.reduce((sum, one) => sum + (one.again ? one.n : 0), 0)
  const [isAsking, setAsking] = useState(false)
  if (n === 0) return null
  const ask = async (): Promise<void> => {
    setAsking(true)
    const done = await attempt(() => call('curator.retry', {}))
    if (done) useApp.getState().say(`The model is asked again about ${plural(done.again, 'subject')}.`)
    await loadCurator()
    setAsking(false)
  }
  return (
    <button type="button" className="linkish" disabled={isAsking} onClick={() => void ask()}>
      Ask the model again about {count(n)}
    </button>
  )
}

function Line({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

interface ToggleProps {
  title: string
  what: string
  checked: boolean
  onChange: (checked: boolean) => void
}

function Toggle({ title, what, checked, onChange }: ToggleProps) {
  return (
    <label className="row setting">
      <span className="grow">
        <b>{title}</b>
        <br />
        <span className="sub">{what}</span>
      </span>
      <input
        type="checkbox"
        role="switch"
        checked={checked}
        aria-checked={checked}
        onChange={(event) => onChange(event.target.checked)}
      />
    </label>
  )
}
