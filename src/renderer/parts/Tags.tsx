import type { ItemKind, Rung } from '@shared/domain'
import type { ReactNode } from 'react'
import { kindName, kindTone, rungName, type Tone } from '../lib/words'

export function Tag({
  tone = 'plain',
  title,
  children,
}: {
  tone?: Tone
  title?: string
  children: ReactNode
}) {
  return (
    <span className={`tag ${tone}`} title={title}>
      {children}
    </span>
  )
}

export function KindTag({ kind }: { kind: ItemKind }) {
  return <Tag tone={kindTone[kind]}>{kindName[kind]}</Tag>
}

/** A rung, in its strength of the one accent. */
export function RungChip({ level }: { level: Rung }) {
  return (
    <span className={`rung ${level}`} title={`${level}: ${rungName[level]}`}>
      {level}
    </span>
  )
}
