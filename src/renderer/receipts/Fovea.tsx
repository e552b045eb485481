import type { Handle } from '@shared/domain'
import type { ReceiptFact } from '@shared/recall'
import { memo, useMemo } from 'react'
import { plural } from '../lib/format'
import { type FoveaPoint, foveaLayout, foveaRings } from './fovea-layout'

const size = 200
const pad = 12
const ringNames = ['focus', 'one hop', 'periphery'] as const

interface FoveaProps {
  facts: readonly ReceiptFact[]
  selected: Handle | null
  onSelect: (handle: Handle) => void
}

/** The motif itself. The facts are also a list beside it, so the drawing needs no keys of its own. */
export function Fovea({ facts, selected, onSelect }: FoveaProps) {
  const rings = useMemo(() => foveaRings(facts), [facts])
  const points = useMemo(() => foveaLayout(facts, size), [facts])
  const chosen = points.find((point) => point.handle === selected)
  const box = size + pad
  return (
    <svg
      className="fovea"
      viewBox={`${-box} ${-box} ${2 * box} ${2 * box}`}
      role="img"
      aria-label={`The frame drawn: ${plural(facts.length, 'fact')} by distance from the goal`}
    >
      {rings.map((share, index) => (
        <g key={ringNames[index]}>
          <circle className="ring" r={share * size} />
        </g>
      ))}
      <Dots points={points} facts={facts} onSelect={onSelect} />
      {chosen ? (
        <circle className={`dot ${chosen.level} on`} cx={chosen.x} cy={chosen.y} r={chosen.r} />
      ) : null}
      {rings.map((share, index) => (
        <text key={ringNames[index]} y={-share * size - 3} textAnchor="middle">
          {ringNames[index]}
        </text>
      ))}
    </svg>
  )
}

interface DotsProps {
  points: readonly FoveaPoint[]
  facts: readonly ReceiptFact[]
  onSelect: (handle: Handle) => void
}

/** Drawn once for a receipt: of a thousand facts only the chosen one changes with each key. */
const Dots = memo(function Dots({ points, facts, onSelect }: DotsProps) {
  const text = new Map(facts.map((fact) => [fact.handle, fact.text]))
  return points.map((point) => (
    // biome-ignore lint/a11y/noStaticElementInteractions: a shortcut for the mouse; the list is the way for keys.
    <circle
      key={point.handle}
      className={`dot ${point.level}`}
      cx={point.x}
      cy={point.y}
      r={point.r}
      onClick={() => onSelect(point.handle)}
    >
      <title>{text.get(point.handle)?.slice(0, 160)}</title>
    </circle>
  ))
})
