import { useRef } from 'react'
import { count } from '../lib/format'
import { useKeys } from '../lib/keys'
import { Button } from '../parts/Button'
import { Failed } from '../parts/States'
import { usePlanes, useReceipts } from '../state/receipts'

/** A goal, a plane and a budget; a frame comes back. */
export function AskBar() {
  const { goal, plane, budget, rendering, error } = useReceipts()
  const { edit, render, askLastTry } = useReceipts.getState()
  const planes = usePlanes((s) => s.value) ?? []
  const own = planes.find((one) => one.name === plane)?.budget
  const field = useRef<HTMLInputElement>(null)
  useKeys({ g: () => field.current?.focus() })
  return (
    <>
      <form
        className="ask"
        onSubmit={(event) => {
          event.preventDefault()
          void render()
        }}
      >
        <input
          ref={field}
          className="goal-box"
          aria-label="Goal"
          placeholder="What are you about to do? The frame is rendered for this goal."
          value={goal}
          onChange={(event) => edit({ goal: event.target.value })}
          onKeyDown={(event) => {
            if (event.key === 'Escape') event.currentTarget.blur()
          }}
        />
        <select
          aria-label="Plane"
          title={planes.find((one) => one.name === plane)?.description}
          value={plane}
          onChange={(event) => edit({ plane: event.target.value })}
        >
          {planes.length === 0 ? <option value={plane}>{plane}</option> : null}
          {planes.map(({ name }) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
        <label className="budget">
          <input
            type="number"
            aria-label="Budget in tokens"
            min={50}
            max={200_000}
            step={50}
            value={budget ?? ''}
            placeholder={own ? count(own) : 'budget'}
            onChange={(event) =>
              edit({ budget: event.target.value === '' ? null : Number(event.target.value) })
            }
          />
          <span className="sub">tokens</span>
        </label>
        <Button look="go" type="submit" disabled={rendering || goal.trim() === ''}>
          {rendering ? 'Rendering…' : 'Render'}
        </Button>
        <Button
          title="When this was last tried, how it ended, and what changed since"
          disabled={goal.trim() === ''}
          onClick={() => void askLastTry()}
        >
          Last try
        </Button>
      </form>
      {error ? <Failed error={error} retry={() => void render()} /> : null}
    </>
  )
}
