import type { LastTry } from '@shared/recall'
import { plural } from '../lib/format'
import { AttemptCard } from '../parts/AttemptCard'
import { Empty } from '../parts/States'
import { openReceipt, useReceipts } from '../state/receipts'
import { openItem } from '../state/timeline'

/** "When did we last try this": the attempts, the last one first, each with how it ended and what changed since. */
export function LastTries({ told }: { told: LastTry }) {
  const { attempts, near, reason, receipt } = told
  return (
    <>
      <div className="frame-head">
        <div className="row wrap">
          <button type="button" className="linkish" onClick={() => useReceipts.getState().back()}>
            ‹ All receipts
          </button>
          <span className="sub">
            {near
              ? `${plural(attempts.length, 'attempt')}, the last one first`
              : 'The nearest goals, the newest first'}
          </span>
          <span className="grow" />
          <button type="button" className="linkish" onClick={() => openReceipt(receipt)}>
            Receipt
          </button>
        </div>
        {near || attempts.length === 0 ? null : (
          <p className="sub amber-text">Nothing like it was tried, as far as memory tells.</p>
        )}
        {reason && attempts.length > 0 ? <p className="sub amber-text">{reason}</p> : null}
      </div>
      {attempts.length === 0 ? (
        <Empty title="Nothing like it was tried before">
          <p>
            {reason ?? 'No goal in memory comes close to these words. Name a file, an error or a project.'}
          </p>
        </Empty>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by the keyboard.
        <section className="scroll attempts" aria-label="Earlier attempts" tabIndex={0}>
          {attempts.map((attempt) => (
            <AttemptCard key={attempt.goal} attempt={attempt} open={openItem} />
          ))}
        </section>
      )}
    </>
  )
}
