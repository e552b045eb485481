import { useEffect, useId, useState } from 'react'

interface BudgetFieldProps {
  title: string
  what: string
  least: number
  most: number
  value: number
  onChange: (value: number) => void
}

const figure = (n: number): string => n.toLocaleString('en-US')

/** A number of tokens. It is kept when the field is left or Enter is pressed, and only when it is one that goes. */
export function BudgetField({ title, what, least, most, value, onChange }: BudgetFieldProps) {
  const [text, setText] = useState(String(value))
  const id = useId()
  useEffect(() => setText(String(value)), [value])
  const number = /^\d{1,10}$/.test(text.trim()) ? Number(text) : Number.NaN
  const wrong = !(number >= least && number <= most)
  const keep = (): void => {
    if (!wrong && number !== value) onChange(number)
  }
  return (
    <>
      <div className="row setting">
        <label className="grow" htmlFor={id}>
          <b>{title}</b>
          <br />
          <span className="sub">{what}</span>
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
          A whole number from {figure(least)} to {figure(most)}. {figure(value)} stays until then.
        </p>
      ) : null}
    </>
  )
}
