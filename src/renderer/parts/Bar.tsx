import type { CSSProperties } from 'react'

interface BarProps {
  label: string
  /** 0 to 1: how full the bar is. */
  share: number
  value: string
  colour?: string
}

/** A labelled bar. Its length repeats the number beside it, so the bar itself is hidden from a screen reader. */
export function Bar({ label, share, value, colour }: BarProps) {
  const width = `${Math.round(100 * Math.min(1, Math.max(0, share)))}%`
  const style = { '--v': width, ...(colour ? { '--c': colour } : {}) } as CSSProperties
  return (
    <div className="bar">
      <span className="bar-label" title={label}>
        {label}
      </span>
      <span className="bar-track" style={style} aria-hidden="true" />
      <span className="bar-value">{value}</span>
    </div>
  )
}
