import type { CallOutput } from '@shared/contract'
import { useEffect, useId, useState } from 'react'
import { call } from '../client'
import { plural } from '../lib/format'
import { Button } from '../parts/Button'
import { attempt, useApp } from '../state/app'
import { refreshMemory, useAliases, useProjects } from '../state/memory'

type Project = CallOutput<'projects.list'>['projects'][number]

/** Names that are one project: its folder was renamed or moved. Each merge can be undone. */
export function Projects() {
  const projects = useProjects((s) => s.value) ?? []
  const aliases = useAliases((s) => s.value) ?? []
  const id = useId()
  useEffect(() => {
    void useProjects.getState().load({})
    void useAliases.getState().load({})
  }, [])
  return (
    <section className="panel-block" aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>Projects</h2>
      <p className="sub">
        A project goes by the name of its folder; work trees count with their repository. When a folder was
        renamed or moved, put the old name under the new one. What is read later follows.
      </p>
      {projects.length < 2 && aliases.length === 0 ? (
        <p className="sub">There are no two projects yet that could be one.</p>
      ) : null}
      {projects.length > 1 ? <MergeForm projects={projects} /> : null}
      {aliases.length > 0 ? (
        <ul className="sources" aria-label="Merged names">
          {aliases.map(({ alias, name }) => (
            <li key={alias} className="source-row">
              <div className="row wrap">
                <span className="grow min wrap-any">
                  <strong>{alias}</strong> is <strong>{name}</strong>
                </span>
                <Button onClick={() => void unmerge(alias)} aria-label={`Undo: ${alias} is ${name}`}>
                  Undo
                </Button>
              </div>
            </li>
          ))}
        </ul>
      ) : null}
    </section>
  )
}

function MergeForm({ projects }: { projects: readonly Project[] }) {
  const [from, setFrom] = useState('')
  const [into, setInto] = useState('')
  const ready = from !== '' && into !== '' && from !== into
  const submit = async (): Promise<void> => {
    if (await merge(from, into)) {
      setFrom('')
      setInto('')
    }
  }
  return (
    <form
      className="row wrap"
      onSubmit={(event) => {
        event.preventDefault()
        if (ready) void submit()
      }}
    >
      <Choice label="Old name" projects={projects} value={from} onChange={setFrom} />
      <span className="sub">is now</span>
      <Choice
        label="New name"
        projects={projects.filter(({ name }) => name !== from)}
        value={into}
        onChange={setInto}
      />
      <span className="grow" />
      <Button look="go" type="submit" disabled={!ready}>
        Merge
      </Button>
    </form>
  )
}

interface ChoiceProps {
  label: string
  projects: readonly Project[]
  value: string
  onChange: (name: string) => void
}

function Choice({ label, projects, value, onChange }: ChoiceProps) {
  return (
    <select aria-label={label} value={value} onChange={(event) => onChange(event.target.value)}>
      <option value="">{label.toLowerCase()}…</option>
      {projects.map(({ name, items }) => (
        <option key={name} value={name}>
          {name} ({plural(items, 'item')})
        </option>
      ))}
    </select>
  )
}

async function merge(from: string, into: string): Promise<boolean> {
  const done = await attempt(() => call('projects.merge', { from, into }))
  if (done) useApp.getState().say(`${plural(done.items, 'item')} of ${from} are under ${into} now.`)
  await reload()
  return done !== undefined && done !== null
}

async function unmerge(name: string): Promise<void> {
  const done = await attempt(() => call('projects.unmerge', { name }))
  if (done) useApp.getState().say(`${plural(done.items, 'item')} are under ${name} again.`)
  await reload()
}

const reload = (): Promise<unknown> => Promise.all([refreshMemory(), useAliases.getState().load({})])
