import { useEffect, useId, useState } from 'react'

const LEAST = 1_000
const MOST = 1_000_000_000

/** Tokens for one day. It is kept when the field is left or Enter is pressed, and only when it is a number that goes. */
export function BudgetField({ value, onChange }: { value: number; onChange: (value: number) => void }) {
  const [text, setText] = useState(String(value))
  const id = useId()
  useEffect(() => setText(String(value)), [value])
  const number = /^\d{1,10}$/.test(text.trim()) ? Number(text) : Number.NaN
  const wrong = !(number >= LEAST && number <= MOST)
  const keep = (): void => {
    if (!wrong && number !== value) onChange(number)
  }
  return (
    <>
      <div className="row setting">
        <label className="grow" htmlFor={id}>
          <b>Budget for a day</b>
          <br />
          <span className="sub">
            Tokens, prompt and answer together. When it is spent the work stops and goes on the next day.
          </span>
        </label>
        <input
          id={id}
          className="budget-field mono"
          inputMode="numeric"
          value={text}
          aria-invalid={wrong}
          aria-describedby={wrong ? `${id}-wrong` : undefined}
          onChange={(event) => setText(event.target.value)}
          onBlur={keep}
          onKeyDown={(event) => {
            if (event.key === 'Enter') keep()
            if (event.key === 'Escape') setText(String(value))
          }}
        />
      </div>
      {wrong ? (
        <p className="sub wrong" id={`${id}-wrong`} role="alert">
          A whole number from 1,000 to 1,000,000,000. {value.toLocaleString('en-US')} stays until then.
        </p>
      ) : null}
    </>
  )
}
