import type { Handle } from '@shared/domain'
import type { Comparison } from '@shared/recall'
import { shortId } from '../lib/format'
import { omitName, rungName } from '../lib/words'
import { Button } from '../parts/Button'
import { Empty } from '../parts/States'
import { openItem } from '../state/timeline'
import { BothTerms } from './BothTerms'

/** One fact in both receipts: its terms side by side, and why it is not in the frame that lacks it. */
export function CompareWhy({ comparison, handle }: { comparison: Comparison; handle: Handle | null }) {
  const { before, after } = comparison
  const a = before.facts.find((fact) => fact.handle === handle)
  const b = after.facts.find((fact) => fact.handle === handle)
  if (handle === null || !(a || b)) {
    return (
      <Empty title="Why do they differ?">
        <p>Choose a fact: its terms in both frames, and why one of them left it out, are shown here.</p>
      </Empty>
    )
  }
  const names = [...new Set([...Object.keys(a?.terms ?? {}), ...Object.keys(b?.terms ?? {})])]
  return (
    <>
      <div>
        <h2>Why do they differ?</h2>
        <p className="sub mono">{shortId(handle)}</p>
      </div>
      <BothTerms
        terms={names.map((name) => ({ name, a: a?.terms[name], b: b?.terms[name] }))}
        sum={{ name: 'score', a: a?.score, b: b?.score }}
        words={[{ name: 'rung', a: a ? rungName[a.level] : '–', b: b ? rungName[b.level] : '–' }]}
        inBoth={a !== undefined && b !== undefined}
      />
      {a ? null : <Absent name="A" reason={before.omitted.find((one) => one.handle === handle)?.reason} />}
      {b ? null : <Absent name="B" reason={after.omitted.find((one) => one.handle === handle)?.reason} />}
      <section>
        <Button onClick={() => openItem(handle)}>Open the item</Button>
      </section>
    </>
  )
}

function Absent({ name, reason }: { name: string; reason: keyof typeof omitName | undefined }) {
  return (
    <p>
      Not in {name}:{' '}
      {reason ? `it came near and was left out (${omitName[reason]}).` : 'it did not come near.'}
    </p>
  )
}
