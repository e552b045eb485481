import { useEffect } from 'react'
import { Loaded } from '../parts/States'
import {
  hasTrace,
  useComparison,
  useLastTry,
  useReceipt,
  useReceiptList,
  useReceipts,
  useTrace,
  useTracePair,
} from '../state/receipts'
import { AskBar } from './AskBar'
import { CompareView } from './CompareView'
import { CompareWhy } from './CompareWhy'
import { FrameView } from './FrameView'
import { LastTries } from './LastTries'
import { ReceiptList } from './ReceiptList'
import { TraceCompare } from './TraceCompare'
import { TraceCompareWhy } from './TraceCompareWhy'
import { TraceView } from './TraceView'
import { TraceWhy } from './TraceWhy'
import { WhyPane } from './WhyPane'

export function Receipts() {
  // Receipts are also left by the command line and by agents.
  useEffect(() => void useReceiptList.getState().load({}), [])
  return (
    <div className="receipts">
      <section className="receipts-main" aria-label="Frame">
        <AskBar />
        <Shown />
      </section>
      <aside className="scroll pane why" aria-label="Why">
        <Side />
      </aside>
    </div>
  )
}

/** One thing at a time: an opened receipt, two beside each other, earlier attempts, or the list. */
function Shown() {
  const receipt = useReceipt()
  const trace = useTrace()
  const comparison = useComparison()
  const pair = useTracePair()
  const attempts = useLastTry()
  if (comparison.status !== 'idle') {
    return (
      <Loaded remote={comparison} label="Comparing the receipts">
        {(value) => <CompareView comparison={value} />}
      </Loaded>
    )
  }
  if (pair.status !== 'idle') {
    return (
      <Loaded remote={pair} label="Comparing the traces">
        {(value) => <TraceCompare pair={value} />}
      </Loaded>
    )
  }
  if (attempts.status !== 'idle') {
    return (
      <Loaded remote={attempts} label="Looking for earlier attempts">
        {(value) => <LastTries told={value} />}
      </Loaded>
    )
  }
  if (receipt.status === 'idle' && trace.status !== 'idle') {
    return (
      <Loaded remote={trace} label="Opening the trace">
        {(stored) => <TraceView sent={null} stored={stored} />}
      </Loaded>
    )
  }
  if (receipt.status === 'idle') return <ReceiptList />
  return (
    <Loaded remote={receipt} label="Opening the receipt">
      {(value) =>
        hasTrace(value.receipt) ? (
          <Loaded remote={trace} label="Opening the trace">
            {(stored) => <TraceView sent={value} stored={stored} />}
          </Loaded>
        ) : (
          <FrameView receipt={value.receipt} frame={value.frame} />
        )
      }
    </Loaded>
  )
}

function Side() {
  const shown = useReceipt((s) => s.value?.receipt ?? null)
  const trace = useTrace((s) => s.value)
  const comparison = useComparison((s) => s.value)
  const pair = useTracePair((s) => s.value)
  const { fact, bid } = useReceipts()
  if (comparison) return <CompareWhy comparison={comparison} handle={fact} />
  if (pair) return <TraceCompareWhy pair={pair} bid={bid} />
  if (trace || (shown && hasTrace(shown))) return trace ? <TraceWhy stored={trace} /> : null
  return <WhyPane receipt={shown} />
}
