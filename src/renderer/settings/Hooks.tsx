import type { HookPlace, HookScope, HookSettings } from '@shared/hooks'
import { useEffect, useState } from 'react'
import { call } from '../client'
import { Button } from '../parts/Button'
import { Path } from '../parts/Path'
import { Loaded } from '../parts/States'
import { attempt, useApp } from '../state/app'
import { useHooks } from '../state/hooks'
import { BudgetField } from './BudgetField'

/** Memory beside each prompt of an agent. Off until the person puts the hook into the agent's settings. */
export function Hooks() {
  const hooks = useApp((s) => s.hooks)
  const places = useHooks()
  useEffect(() => {
    void useHooks.getState().load({})
  }, [])
  return (
    <section className="panel-block" aria-labelledby="settings-hooks">
      <h2 id="settings-hooks">Memory for Claude Code</h2>
      <p className="sub">
        A hook gives each prompt what memory holds for it, and a compacted session what it lost. It says
        nothing when nothing comes near, waits five seconds at most, and never stands in the agent’s way.
        Nothing is installed until you do it here.
      </p>
      <Loaded remote={places} label="Looking at Claude Code’s settings">
        {({ places: list }) => list.map((place) => <Place key={place.file} place={place} />)}
      </Loaded>
      <div className="row setting">
        <div className="grow">
          <b>In one project only</b>
          <br />
          <span className="sub">In the settings of that project that are not committed.</span>
        </div>
        <Button onClick={() => void addProject()}>Choose a folder…</Button>
      </div>
      {hooks === null ? null : (
        <>
          <BudgetField
            title="Tokens for a prompt"
            what="What one answer of the hook may take. Less, when there is less to say."
            least={200}
            most={1_500}
            value={hooks.budget}
            onChange={(budget) => save({ budget })}
          />
          <Phrases value={hooks.phrases} />
        </>
      )}
    </section>
  )
}

const save = (change: Partial<HookSettings>): void => void useApp.getState().saveSettings({ hooks: change })

const NAMES: Record<HookScope, string> = { user: 'In all your projects', project: 'In this project' }
const STATES: Record<HookPlace['state'], string> = {
  absent: 'not installed',
  installed: 'installed',
  other: 'installed by another copy of Fovea, or for another data folder',
  unreadable: 'cannot be read as settings, so it is left alone',
}

function Place({ place }: { place: HookPlace }) {
  const { scope, file, state } = place
  return (
    <div className="row setting">
      <div className="grow">
        <b>{NAMES[scope]}</b>
        <br />
        <span className="sub">
          <span role="status">{STATES[state]}</span> · <Path path={file} />
        </span>
      </div>
      {state === 'absent' || state === 'other' ? (
        <Button onClick={() => void change('hooks.install', scope)}>
          {state === 'other' ? 'Take its place' : 'Install'}
        </Button>
      ) : null}
      {state === 'installed' || state === 'other' ? (
        <Button onClick={() => void change('hooks.remove', scope)}>Remove</Button>
      ) : null}
    </div>
  )
}

async function change(name: 'hooks.install' | 'hooks.remove', scope: HookScope): Promise<void> {
  const folder = scope === 'project' ? useHooks.getState().args?.folder : undefined
  const done = await attempt(() => call(name, { scope, ...(folder === undefined ? {} : { folder }) }))
  if (done) {
    const where = scope === 'user' ? 'Claude Code' : 'Claude Code in this project'
    useApp
      .getState()
      .say(
        name === 'hooks.install' ? `${where} is given memory from its next session on.` : 'The hook is gone.',
      )
  }
  await useHooks.getState().refresh()
}

async function addProject(): Promise<void> {
  const picked = await attempt(() => call('app.pickFolder', {}))
  if (picked?.path) await useHooks.getState().load({ folder: picked.path })
}

/** One a line; kept when the field is left. */
function Phrases({ value }: { value: readonly string[] }) {
  const kept = value.join('\n')
  const [text, setText] = useState(kept)
  useEffect(() => setText(kept), [kept])
  const keep = (): void => {
    const phrases = [...new Set(text.split('\n').map((line) => line.trim().slice(0, 200)))].filter(Boolean)
    if (phrases.join('\n') !== kept) save({ phrases: phrases.slice(0, 50) })
    else setText(kept)
  }
  return (
    <div className="setting">
      <label htmlFor="settings-phrases">
        <b>Only when asked</b>
        <br />
        <span className="sub">
          With phrases here, one a line, only a prompt that holds one of them is given memory. Empty: every
          prompt.
        </span>
      </label>
      <textarea
        id="settings-phrases"
        className="phrases"
        rows={3}
        value={text}
        placeholder="For instance: do you remember"
        onChange={(event) => setText(event.target.value)}
        onBlur={keep}
      />
    </div>
  )
}
