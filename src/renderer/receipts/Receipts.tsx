import { useEffect } from 'react'
import { Loaded } from '../parts/States'
import { isPass, useReceipt, useReceiptList, useTrace } from '../state/receipts'
import { AskBar } from './AskBar'
import { FrameView } from './FrameView'
import { ReceiptList } from './ReceiptList'
import { TraceView } from './TraceView'
import { TraceWhy } from './TraceWhy'
import { WhyPane } from './WhyPane'

export function Receipts() {
  // Receipts are also left by the command line and by agents.
  useEffect(() => void useReceiptList.getState().load({}), [])
  const receipt = useReceipt()
  const trace = useTrace()
  const shown = receipt.value?.receipt ?? null
  const pass = shown !== null && isPass(shown)
  return (
    <div className="receipts">
      <section className="receipts-main" aria-label="Frame">
        <AskBar />
        {receipt.status === 'idle' ? (
          <ReceiptList />
        ) : (
          <Loaded remote={receipt} label="Opening the receipt">
            {(value) =>
              isPass(value.receipt) ? (
                <Loaded remote={trace} label="Opening the trace">
                  {(stored) => <TraceView receipt={value.receipt} frame={value.frame} stored={stored} />}
                </Loaded>
              ) : (
                <FrameView receipt={value.receipt} frame={value.frame} />
              )
            }
          </Loaded>
        )}
      </section>
      <aside className="scroll why" aria-label="Why">
        {pass ? trace.value ? <TraceWhy stored={trace.value} /> : null : <WhyPane receipt={shown} />}
      </aside>
    </div>
  )
}
