import { useEffect } from 'react'
import { Loaded } from '../parts/States'
import { useReceipt, useReceiptList } from '../state/receipts'
import { AskBar } from './AskBar'
import { FrameView } from './FrameView'
import { ReceiptList } from './ReceiptList'
import { WhyPane } from './WhyPane'

export function Receipts() {
  // Receipts are also left by the command line and by agents.
  useEffect(() => void useReceiptList.getState().load({}), [])
  const receipt = useReceipt()
  return (
    <div className="receipts">
      <section className="receipts-main" aria-label="Frame">
        <AskBar />
        {receipt.status === 'idle' ? (
          <ReceiptList />
        ) : (
          <Loaded remote={receipt} label="Opening the receipt">
            {(value) => <FrameView receipt={value.receipt} frame={value.frame} />}
          </Loaded>
        )}
      </section>
      <aside className="scroll why" aria-label="Why">
        <WhyPane receipt={receipt.value?.receipt ?? null} />
      </aside>
    </div>
  )
}
