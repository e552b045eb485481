import type { CallOutput } from '@shared/contract'
import type { Handle } from '@shared/domain'
import type { Receipt } from '@shared/recall'
import { shortId } from '../lib/format'
import { Button } from '../parts/Button'
import { Loaded } from '../parts/States'
import { RungChip } from '../parts/Tags'
import { useReplay } from '../state/receipts'
import { openItem } from '../state/timeline'

/** The same request against today's memory: what stayed, what came, what went. */
export function Replay({ receipt }: { receipt: Receipt }) {
  const replay = useReplay()
  return (
    <section className="replay">
      <Button
        disabled={replay.status === 'loading'}
        onClick={() => void useReplay.getState().load({ id: receipt.id })}
      >
        Replay today
      </Button>
      {replay.status === 'idle' ? null : (
        <Loaded remote={replay} label="Rendering it again">
          {(value) => <Difference before={receipt} value={value} />}
        </Loaded>
      )}
    </section>
  )
}

interface DifferenceProps {
  before: Receipt
  value: CallOutput<'receipts.replay'>
}

function Difference({ before, value }: DifferenceProps) {
  if (value.same) return <p role="status">The same frame: nothing came, nothing went.</p>
  const text = new Map([...before.facts, ...value.receipt.facts].map((fact) => [fact.handle, fact.text]))
  const line = (handle: Handle) => (
    <button type="button" className="grow two-lines" onClick={() => openItem(handle)}>
      {text.get(handle) ?? shortId(handle)}
    </button>
  )
  return (
    <ul className="misses" aria-label="What changed">
      {value.added.map((handle) => (
        <li key={`+${handle}`} className="came">
          <span className="sign">came</span>
          {line(handle)}
        </li>
      ))}
      {value.removed.map((handle) => (
        <li key={`-${handle}`} className="went">
          <span className="sign">went</span>
          {line(handle)}
        </li>
      ))}
      {value.changed.map(({ handle, from, to }) => (
        <li key={`~${handle}`}>
          <span className="sign nowrap">
            <RungChip level={from} /> → <RungChip level={to} />
          </span>
          {line(handle)}
        </li>
      ))}
    </ul>
  )
}
