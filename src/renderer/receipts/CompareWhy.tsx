import type { Handle } from '@shared/domain'
import type { Comparison } from '@shared/recall'
import { shortId, term } from '../lib/format'
import { omitName, rungName } from '../lib/words'
import { Button } from '../parts/Button'
import { Empty } from '../parts/States'
import { openItem } from '../state/timeline'
import { signed } from './compare-rows'

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
  const cell = (value: number | undefined): string => (value === undefined ? '–' : term(value))
  return (
    <>
      <div>
        <h2>Why do they differ?</h2>
        <p className="sub mono">{shortId(handle)}</p>
      </div>
      <table className="both-terms">
        <thead>
          <tr>
            <th scope="col">term</th>
            <th scope="col">A</th>
            <th scope="col">B</th>
            <th scope="col">moved</th>
          </tr>
        </thead>
        <tbody>
          {names.map((name) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{cell(a?.terms[name])}</td>
              <td>{cell(b?.terms[name])}</td>
              <td>{a && b ? moved(a.terms[name], b.terms[name]) : ''}</td>
            </tr>
          ))}
          <tr className="sum">
            <th scope="row">score</th>
            <td>{cell(a?.score)}</td>
            <td>{cell(b?.score)}</td>
            <td>{a && b ? moved(a.score, b.score) : ''}</td>
          </tr>
          <tr>
            <th scope="row">rung</th>
            <td>{a ? rungName[a.level] : '–'}</td>
            <td>{b ? rungName[b.level] : '–'}</td>
            <td />
          </tr>
        </tbody>
      </table>
      {a ? null : <Absent name="A" reason={before.omitted.find((one) => one.handle === handle)?.reason} />}
      {b ? null : <Absent name="B" reason={after.omitted.find((one) => one.handle === handle)?.reason} />}
      <section>
        <Button onClick={() => openItem(handle)}>Open the item</Button>
      </section>
    </>
  )
}

const moved = (from = 0, to = 0): string => (Math.abs(to - from) < 0.005 ? '' : signed(to - from))

function Absent({ name, reason }: { name: string; reason: keyof typeof omitName | undefined }) {
  return (
    <p>
      Not in {name}:{' '}
      {reason ? `it came near and was left out (${omitName[reason]}).` : 'it did not come near.'}
    </p>
  )
}
