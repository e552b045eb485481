import { type KeyboardEvent, useRef } from 'react'

interface SegmentedProps<T extends string> {
  label: string
  value: T
  options: readonly { value: T; label: string; title?: string; disabled?: boolean }[]
  onChange: (value: T) => void
}

/** One choice of a few, as radio buttons in a row: arrows move, Tab passes by. */
export function Segmented<T extends string>({ label, value, options, onChange }: SegmentedProps<T>) {
  const group = useRef<HTMLDivElement>(null)
  const move = (event: KeyboardEvent): void => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key]
    if (!step) return
    event.preventDefault()
    event.stopPropagation()
    const free = options.filter((option) => !option.disabled)
    const at = free.findIndex((option) => option.value === value)
    const next = free[(at + step + free.length) % free.length]
    if (!next) return
    onChange(next.value)
    group.current?.querySelector<HTMLElement>(`[data-value="${next.value}"]`)?.focus()
  }
  return (
    <div className="seg" role="radiogroup" aria-label={label} ref={group} onKeyDown={move}>
      {options.map((option) => (
        // biome-ignore lint/a11y/useSemanticElements: a segmented control; a native radio cannot be styled as one piece.
        <button
          key={option.value}
          type="button"
          role="radio"
          aria-checked={option.value === value}
          data-value={option.value}
          tabIndex={option.value === value ? 0 : -1}
          disabled={option.disabled}
          title={option.title}
          onClick={() => onChange(option.value)}
        >
          {option.label}
        </button>
      ))}
    </div>
  )
}
