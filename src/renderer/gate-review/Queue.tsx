import type { GateLine } from '@shared/review'
import { Download, Plus } from 'lucide-react'
import { useMemo } from 'react'
import { ago, count } from '../lib/format'
import { useNow } from '../lib/use-now'
import { agentName, outcomeName, outcomeTone, stateName } from '../lib/words'
import { Tag } from '../parts/Tags'
import { VirtualList } from '../parts/VirtualList'
import { useApp } from '../state/app'
import { type GateQueue, useDesk } from '../state/gates'
import { importHistory } from './import-history'

type Row = { key: string; heading: string; size: number } | { key: string; gate: GateLine }

export function Queue({ queue, selected }: { queue: GateQueue; selected: string | null }) {
  const rows = useMemo<Row[]>(
    () => [
      { key: 'waiting', heading: 'Waiting for you', size: queue.open.length },
      ...queue.open.map((gate) => ({ key: gate.id, gate })),
      { key: 'decided', heading: 'Decided', size: queue.decided.length },
      ...queue.decided.map((gate) => ({ key: gate.id, gate })),
    ],
    [queue],
  )
  const open = useApp((s) => s.open)
  return (
    <section className="queue" aria-label="Queue of gates">
      <VirtualList
        label="Gates"
        rows={rows}
        rowKey={(row) => row.key}
        estimate={(row) => ('gate' in row ? 76 : 38)}
        reveal={selected}
        render={(row) =>
          'gate' in row ? (
            <GateRow gate={row.gate} on={row.gate.id === selected} />
          ) : (
            <div className="queue-heading">
              <h2>{row.heading}</h2>
              <span className="sub">{row.size === 0 ? 'none' : count(row.size)}</span>
            </div>
          )
        }
      />
      <div className="queue-tools">
        <button type="button" className="tool" onClick={() => open('add-gate')}>
          <Plus aria-hidden="true" /> Add a plan
        </button>
        <button type="button" className="tool" onClick={() => void importHistory()}>
          <Download aria-hidden="true" /> Import history
        </button>
      </div>
    </section>
  )
}

function GateRow({ gate, on }: { gate: GateLine; on: boolean }) {
  const now = useNow()
  const from = gate.agent
    ? agentName[gate.agent]
    : gate.origin === 'transcript'
      ? 'transcript'
      : 'added by hand'
  const details = [
    gate.foreseen === null ? null : gate.foreseen ? 'foreseen' : 'not foreseen',
    gate.round > 1 ? `round ${gate.round}` : null,
    gate.foreseen === null ? from : null,
    ago(gate.createdAt, now),
  ].filter((part) => part !== null)
  return (
    <button
      type="button"
      className={`gate-row ${on ? 'on' : ''}`}
      aria-current={on ? 'true' : undefined}
      onClick={() => void useDesk.getState().select(gate.id)}
    >
      <b className="two-lines">{gate.title}</b>
      <span className="gate-row-sub">
        {gate.outcome ? (
          <Tag tone={outcomeTone[gate.outcome]}>{outcomeName[gate.outcome]}</Tag>
        ) : gate.status === 'ended' ? (
          <Tag>not answered</Tag>
        ) : (
          <Tag tone={gate.state === 'ESCALATE' ? 'amber' : 'iris'}>{stateName[gate.state]}</Tag>
        )}
        <span className="clip">{details.join(' · ')}</span>
      </span>
    </button>
  )
}
