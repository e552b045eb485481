import type {
  RetentionLevel,
  RetentionPreview,
  RetentionRan,
  RetentionRule,
  RetentionState,
} from '@shared/retention'
import { useCallback, useEffect, useState } from 'react'
import { call, toCallError } from '../client'
import { bytes, dateTime, plural } from '../lib/format'
import { Button } from '../parts/Button'
import { useApp } from '../state/app'
import { useSources } from '../state/memory'

const LEVELS: readonly { level: RetentionLevel; title: string; what: string }[] = [
  {
    level: 'L0',
    title: 'Verbatim texts',
    what: 'A sentence stands for each; its file still has the record.',
  },
  { level: 'L1', title: 'Sentences', what: 'A line of names and tags is left.' },
  { level: 'L2', title: 'Distillations', what: 'Decisions, outcomes and open questions.' },
]
const SPANS: readonly (number | null)[] = [null, 30, 90, 365, 1825]

/** How long each level of detail is kept, and what would go. Nothing goes unasked: by a button, or daily where switched on. */
export function Retention() {
  const sources = useSources((s) => s.value) ?? []
  const [source, setSource] = useState('')
  const [state, setState] = useState<RetentionState | null>(null)
  const [preview, setPreview] = useState<RetentionPreview | null>(null)
  const [busy, setBusy] = useState(false)

  const ask = useCallback(async (work: () => Promise<RetentionState>) => {
    setBusy(true)
    try {
      setState(await work())
      setPreview(await call('retention.preview', {}))
    } catch (thrown) {
      useApp.getState().say(toCallError(thrown).message, 'red')
    } finally {
      setBusy(false)
    }
  }, [])
  useEffect(() => void ask(() => call('retention.get', {})), [ask])

  const own = source === '' ? null : source
  const ruleOf = (level: RetentionLevel): RetentionRule | undefined =>
    state?.rules.find((rule) => rule.source === own && rule.level === level)
  const change = (level: RetentionLevel, text: string): void => {
    const others = (state?.rules ?? []).filter((rule) => rule.source !== own || rule.level !== level)
    const rule = text === 'none' ? [] : [{ source: own, level, days: text === 'keep' ? null : Number(text) }]
    void ask(() => call('retention.set', { rules: [...others, ...rule] }))
  }
  const follow = (automatic: boolean): void =>
    void ask(() => call('retention.set', { rules: state?.rules ?? [], automatic }))
  const go = (): void =>
    void ask(async () => {
      const report = await call('retention.run', { compact: true })
      useApp
        .getState()
        .say(`The database takes ${bytes(report.after.bytes)}; it took ${bytes(report.before.bytes)}.`)
      return call('retention.get', {})
    })
  const due = preview ? LEVELS.filter(({ level }) => preview.levels[level].items > 0) : []

  return (
    <section className="panel-block" aria-labelledby="settings-retention">
      <h2 id="settings-retention">Retention</h2>
      <p className="sub">
        Names, tags and pointers always stay. A text of up to 480 characters is its own sentence and stays
        too.
      </p>
      <label className="row setting">
        <span className="grow">
          <b>For</b>
        </span>
        <select value={source} onChange={(event) => setSource(event.target.value)}>
          <option value="">every source</option>
          {sources.map((one) => (
            <option key={one.id} value={one.id}>
              {one.path}
            </option>
          ))}
        </select>
      </label>
      {LEVELS.map(({ level, title, what }) => {
        const rule = ruleOf(level)
        const value = rule
          ? rule.days === null
            ? 'keep'
            : String(rule.days)
          : own === null
            ? 'keep'
            : 'none'
        return (
          <label key={level} className="row setting">
            <span className="grow">
              <b>{title}</b>
              <br />
              <span className="sub">{what}</span>
            </span>
            <select
              value={value}
              disabled={busy || !state}
              onChange={(event) => change(level, event.target.value)}
            >
              {own === null ? null : <option value="none">as every source</option>}
              {spans(rule).map((days) => (
                <option key={days ?? 'keep'} value={days ?? 'keep'}>
                  {days === null ? 'kept for ever' : `kept ${plural(days, 'day')}`}
                </option>
              ))}
            </select>
          </label>
        )
      })}
      <label className="row setting">
        <span className="grow">
          <b>By itself</b>
          <br />
          <span className="sub">
            What is due goes once a day while Fovea is open.
            {state?.ran ? ` Last time: ${lastTime(state.ran, Date.now())}.` : ''}
          </span>
        </span>
        <input
          type="checkbox"
          checked={state?.automatic ?? false}
          disabled={busy || !state}
          onChange={(event) => follow(event.target.checked)}
        />
      </label>
      <div className="row">
        <p className="sub grow" role="status">
          {due.length === 0 || !preview
            ? 'Nothing would go now.'
            : `Would go now: ${due.map(({ level, title }) => `${title.toLowerCase()} of ${plural(preview.levels[level].items, 'item')} (${bytes(preview.levels[level].bytes)})`).join(', ')}.`}
        </p>
        <Button disabled={busy || due.length === 0} onClick={go}>
          Let go now
        </Button>
      </div>
    </section>
  )
}

function lastTime(ran: RetentionRan, now: number): string {
  const went = LEVELS.filter(({ level }) => ran[level] > 0).map(
    ({ level, title }) => `${title.toLowerCase()} of ${plural(ran[level], 'item')}`,
  )
  return `${dateTime(ran.at, now)}, ${went.length === 0 ? 'nothing was due' : went.join(', ')}`
}

/** The usual spans, and the one that stands when it is another. */
function spans(rule: RetentionRule | undefined): readonly (number | null)[] {
  return rule && !SPANS.includes(rule.days) ? [...SPANS, rule.days] : SPANS
}
