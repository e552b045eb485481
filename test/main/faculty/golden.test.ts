import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { assemble, type Bid, CATALOGUE } from '../../../src/main/faculty'
import { historyBids } from '../../../src/main/gates/gate.bids'
import { ingestSources, journalContext, targetAt } from '../../../src/main/journal'
import { countTokens } from '../../../src/main/models'
import { traceSql } from '../../../src/main/store'
import { temporaryDb } from '../../support'
import { bid, chars4, request } from './support'

const shared = process.env.FOVEA_SHARED ?? resolve(import.meta.dirname, '../../../../shared')
const transcripts = join(shared, 'data/transcripts/claude-code')

/** The bids of golden assembly `n`: a few of every source, told by arithmetic alone. */
function bidsOf(n: number): Bid[] {
  return Object.values(CATALOGUE).flatMap(({ source, slot }) =>
    Array.from({ length: (n * 7 + slot * 3) % 4 }, (_, i) =>
      bid(`${source}-${i}`, {
        source,
        pin: false,
        order: (i * 5 + n) % 3,
        rank: (i + n) % 4,
        text: `${source} ${i} of ${n}: ${'ab cd '.repeat(((n + slot) * (i + 2)) % 9)}`.trim(),
      }),
    ),
  )
}

describe('fixed mode holds byte for byte', () => {
  test('sixty assemblies as they were', async () => {
    const made = Array.from({ length: 60 }, (_, n) => {
      const { context, trace } = assemble(bidsOf(n), request({ mode: 'fixed', budget: 60 + n * 8 }))
      return `## ${n}: ${trace.spent} of ${trace.budget}\n${context}\n`
    })
    await expect(made.join('\n')).toMatchFileSnapshot('golden/fixed.txt')
  })

  test('and so do the adaptive ones, with their order and their compression', async () => {
    const made = Array.from({ length: 60 }, (_, n) => {
      const bids = bidsOf(n).map((one, i) => ({
        ...one,
        terms: { relevance: ((i * 37 + n) % 11) / 11, importance: 0.5 },
      }))
      const { context, trace } = assemble(
        bids,
        request({ budget: 60 + n * 8, zone: n % 3 === 0 ? 'red' : 'green' }),
      )
      return `## ${n}: ${trace.spent} of ${trace.budget}\n${context}\n`
    })
    await expect(made.join('\n')).toMatchFileSnapshot('golden/adaptive.txt')
  })
})

test.skipIf(!existsSync(transcripts))(
  'on real sessions at least fifty fixed assemblies are plain concatenations, cut at the oldest by the budget alone',
  async () => {
    const db = temporaryDb()
    const journal = journalContext(db, {})
    const source = targetAt(journal, { path: transcripts, format: undefined, project: undefined })
    await ingestSources(journal, [source], { skip: [] })
    const goals = db.all<{ session_id: string; position: number; ts: number }>(
      "SELECT session_id, position, ts FROM items WHERE kind = 'goal' ORDER BY session_id, position",
    )
    const count = (text: string): number => countTokens(text, 'o200k')
    let held = 0
    for (const { session_id, position, ts } of goals) {
      const items = traceSql.historyBefore(db, session_id, { ts, position }, 40)
      const bids = historyBids(items, 'fix the failing test', count)
      if (bids.length === 0) continue
      const whole = assemble(bids, request({ mode: 'fixed', budget: 1e6, count })).context
      expect(whole).toBe(concatenation(bids))
      const { context, trace } = assemble(bids, request({ mode: 'fixed', budget: 800, count }))
      expect(count(context)).toBeLessThanOrEqual(800)
      const newest = trace.rows.filter(({ verdict }) => verdict !== 'dropped').length
      expect(context).toBe(concatenation(bids.slice(0, newest)))
      held += 1
    }
    expect(held).toBeGreaterThanOrEqual(50)
  },
  60_000,
)

/** Written apart from the assembler: the newest come first in `bids`, and the oldest is read first. */
function concatenation(bids: readonly Bid[]): string {
  let text = ''
  for (const { rungs } of bids) {
    const last = rungs[rungs.length - 1]
    const own = typeof last?.render === 'string' ? last.render : ''
    text = text === '' ? own : `${own}\n\n${text}`
  }
  return text
}

test('the golden files are there, so that they can differ', () => {
  for (const name of ['fixed', 'adaptive']) {
    const text = readFileSync(join(import.meta.dirname, `golden/${name}.txt`), 'utf8')
    expect(text.match(/^## /gm)).toHaveLength(60)
    expect(chars4(text)).toBeGreaterThan(1000)
  }
})
