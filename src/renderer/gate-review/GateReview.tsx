import { useEffect } from 'react'
import { neighbour, useKeys } from '../lib/keys'
import { Button } from '../parts/Button'
import { Empty, Loaded } from '../parts/States'
import { useApp } from '../state/app'
import { type GateQueue, useDesk, useGate, useQueue } from '../state/gates'
import { ArtifactPane } from './ArtifactPane'
import { importHistory } from './import-history'
import { Queue } from './Queue'
import { SidePane } from './SidePane'

export function GateReview() {
  const queue = useQueue()
  return (
    <div className="gates">
      <Loaded remote={queue} label="Looking for gates">
        {(value) => (value.open.length + value.decided.length === 0 ? <NoGates /> : <Desk queue={value} />)}
      </Loaded>
    </div>
  )
}

function Desk({ queue }: { queue: GateQueue }) {
  const selected = useDesk((s) => s.selected)
  const gate = useGate()
  const ids = [...queue.open, ...queue.decided].map((line) => line.id)
  const first = ids[0]

  useEffect(() => {
    const { selected: now, select, flush } = useDesk.getState()
    if ((now === null || !ids.includes(now)) && first) void select(first)
    return () => void flush()
  }, [first, ids.includes])

  const step = (by: 1 | -1) => () => {
    const next = neighbour(ids, useDesk.getState().selected, by)
    if (next) void useDesk.getState().select(next)
  }
  useKeys({ j: step(1), k: step(-1), ArrowDown: step(1), ArrowUp: step(-1) })

  return (
    <>
      <Queue queue={queue} selected={selected} />
      <section className="gate-main" aria-label="The artifact">
        <Loaded remote={gate} label="Opening the gate">
          {(value) => <ArtifactPane key={value.id} gate={value} />}
        </Loaded>
      </section>
      <aside className="scroll pane gate-side" aria-label="Beside the artifact">
        {gate.value ? <SidePane key={gate.value.id} gate={gate.value} /> : null}
      </aside>
    </>
  )
}

function NoGates() {
  const open = useApp((s) => s.open)
  const project = useApp((s) => s.project)
  return (
    <Empty
      title={project ? `No gate in ${project} yet` : 'No plan waits for you'}
      actions={
        <>
          <Button look="go" onClick={() => void importHistory()}>
            Import history
          </Button>
          <Button onClick={() => open('add-gate')}>Add a plan…</Button>
        </>
      }
    >
      <p>
        Plans you approved or sent back in the transcripts you enrolled can be imported: they teach the proxy
        what you look for. Or add a plan by hand.
      </p>
    </Empty>
  )
}
