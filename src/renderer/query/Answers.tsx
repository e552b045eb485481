import { Handle } from '@shared/domain'
import { inWords, type QueryResult, type QueryValue } from '@shared/logic'
import { dateTime } from '../lib/format'
import { useNow } from '../lib/use-now'
import { openItem } from '../state/timeline'

/** Answers as a table; a handle opens its item. */
export function Answers({ result }: { result: QueryResult }) {
  const now = useNow()
  const { variables, answers } = result
  if (answers.length === 0) return <p className="query-none">Nothing in the journal makes this true.</p>
  if (variables.length === 0) return <p className="query-none">Yes: this is true.</p>
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by the keyboard.
    <section className="scroll query-answers" aria-label="Answers" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {variables.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {answers.map((answer, row) => (
            <tr key={row}>
              {variables.map((name) => (
                <td key={name}>
                  <Value value={answer[name] ?? null} now={now} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** Times of the journal lie between 2001 and 2100; a number in that range is shown with its moment. */
const isMoment = (n: number): boolean => Number.isInteger(n) && n > 1e12 && n < 4.1e12

function Value({ value, now }: { value: QueryValue; now: number }) {
  if (value === null) return <span className="sub">–</span>
  if (typeof value === 'number') {
    if (isMoment(value))
      return (
        <span className="moment" title={String(value)}>
          {dateTime(value, now)}
        </span>
      )
    return <span className="num">{value}</span>
  }
  if (Array.isArray(value)) return <span className="foreign">{inWords(value, '–')}</span>
  const handle = Handle.safeParse(value)
  if (!handle.success) return <span className="foreign three-lines">{inWords(value, '–')}</span>
  return (
    <button type="button" className="linkish mono" title={value} onClick={() => openItem(handle.data)}>
      {value.slice(0, 12)}…
    </button>
  )
}
