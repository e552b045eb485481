import { readMove } from '@shared/figures'
import { term } from '../lib/format'
import { DECIMALS, signed } from './compare-rows'

interface Pair<T> {
  name: string
  a: T
  b: T
}

interface BothTermsProps {
  terms: readonly Pair<number | undefined>[]
  /** What the terms come to. */
  sum: Pair<number | undefined>
  /** What is told in words. */
  words: readonly Pair<string>[]
  /** Only then has anything moved. */
  inBoth: boolean
}

const cell = (value: number | undefined): string => (value === undefined ? '–' : term(value))
function moved({ a = 0, b = 0 }: Pair<number | undefined>): string {
  const move = readMove(a, b, DECIMALS)
  return move === 0 ? '' : signed(move)
}

/** The terms of one fact or one bid in two contexts, side by side. */
export function BothTerms({ terms, sum, words, inBoth }: BothTermsProps) {
  const figures = [...terms.map((pair) => ({ pair, last: false })), { pair: sum, last: true }]
  return (
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
        {figures.map(({ pair, last }) => (
          <tr key={pair.name} className={last ? 'sum' : ''}>
            <th scope="row">{pair.name}</th>
            <td>{cell(pair.a)}</td>
            <td>{cell(pair.b)}</td>
            <td>{inBoth ? moved(pair) : ''}</td>
          </tr>
        ))}
        {words.map(({ name, a, b }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{a}</td>
            <td>{b}</td>
            <td />
          </tr>
        ))}
      </tbody>
    </table>
  )
}
