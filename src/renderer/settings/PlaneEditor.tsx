import type { Plane } from '@shared/recall'
import { useEffect, useId, useState } from 'react'
import { call, toCallError } from '../client'
import { Button } from '../parts/Button'
import { attempt } from '../state/app'
import { usePlanes } from '../state/receipts'

/** Planes as JSON: choose one, change it, save it under its own or a new name. What is wrong names its field. */
export function PlaneEditor() {
  const planes = usePlanes((s) => s.value) ?? []
  const [name, setName] = useState('execution')
  const [draft, setDraft] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const id = useId()
  useEffect(() => void usePlanes.getState().load({}), [])
  const plane = planes.find((one) => one.name === name)
  const text = draft ?? (plane ? JSON.stringify(plane.policy, null, 2) : '')
  const choose = (next: string): void => {
    setName(next)
    setDraft(null)
    setProblem(null)
  }
  const save = async (): Promise<void> => {
    const policy = parsed(text)
    if (typeof policy === 'string') return setProblem(policy)
    try {
      const saved = (await call('planes.save', { policy })).plane
      await usePlanes.getState().load({})
      choose(saved.name)
    } catch (thrown) {
      setProblem(toCallError(thrown).message)
    }
  }
  return (
    <section className="panel-block" aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>Planes</h2>
      <p className="sub">
        A plane says how a frame is made: which memory it draws from, with what budget, how far it walks, and
        what counts. Change one, or give it a new name.
      </p>
      <div className="row wrap">
        <select aria-label="Plane to edit" value={name} onChange={(event) => choose(event.target.value)}>
          {planes.map((one) => (
            <option key={one.name} value={one.name}>
              {one.name}
              {one.shipped ? '' : ' (yours)'}
            </option>
          ))}
        </select>
        <span className="grow" />
        {plane && !plane.shipped ? (
          <Button look="danger" onClick={() => void remove(plane, () => choose('execution'))}>
            Remove
          </Button>
        ) : null}
        <Button look="go" disabled={draft === null} onClick={() => void save()}>
          Save the plane
        </Button>
      </div>
      <textarea
        className="mono plane-json"
        aria-label="The plane as JSON"
        aria-invalid={problem !== null}
        aria-describedby={`${id}-problem`}
        spellCheck={false}
        rows={18}
        value={text}
        onChange={(event) => setDraft(event.target.value)}
      />
      <p id={`${id}-problem`} role="alert" className="sub">
        {problem}
      </p>
    </section>
  )
}

/** The object, or what is wrong with the text in a sentence. */
function parsed(text: string): Record<string, unknown> | string {
  try {
    const value: unknown = JSON.parse(text)
    if (value !== null && typeof value === 'object' && !Array.isArray(value))
      return value as Record<string, unknown>
    return 'A plane is one JSON object: { "name": …, "segments": [ … ] }.'
  } catch (error) {
    return `This is not JSON yet: ${error instanceof Error ? error.message : 'it cannot be read'}.`
  }
}

const remove = (plane: Plane, then: () => void): Promise<unknown> =>
  attempt(async () => {
    await call('planes.remove', { name: plane.name })
    await usePlanes.getState().load({})
    then()
  })
