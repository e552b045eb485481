import type { Handle } from '../../shared/domain'
import { type Bid, type Count, clip, ladder, rung } from '../faculty'
import { type ReadDb, turnSql, unpackText } from '../store'

/** A person pins a few things, not a hundred; of what agents set down the newest count. */
const PINS = 12
const ASSERTED = 8

/** What the person pinned, and what agents set down for the project as constraints and checkpoints. */
export function oracleBids(
  db: ReadDb,
  project: string | null,
  { relevance, count }: { relevance: (text: string) => number; count: Count },
): Bid[] {
  const pins = turnSql.pinnedItems(db, project, PINS).map((item, order): Bid => {
    const text = unpackText(item).trim() || '(nothing said)'
    return {
      id: `pin:${item.handle}`,
      source: 'oracle',
      title: `Pinned by the person: ${clip(text, 70)}`,
      key: item.handle,
      order,
      at: item.givenAt,
      terms: { relevance: relevance(text), importance: 1 },
      rungs: ladder((own) => `The person pinned this: ${own}`, text, count),
      handles: [item.handle as Handle],
    }
  })
  const asserted = turnSql.assertedFor(db, project, ASSERTED).map((fact, order): Bid => {
    const said = `${fact.subject} ${fact.predicate} ${fact.object}`
    return {
      id: `asserted:${fact.id}`,
      source: 'oracle',
      title: `${fact.kind === 'constraint' ? 'A constraint' : 'A checkpoint'}: ${clip(said, 70)}`,
      order: PINS + order,
      at: fact.at,
      terms: { relevance: relevance(said), importance: fact.kind === 'constraint' ? 0.7 : 0.5 },
      rungs: [rung('L0', `${fact.agent} set down a ${fact.kind}: ${clip(said, 400)}`, count)],
      handles: fact.handle === null ? [] : [fact.handle as Handle],
    }
  })
  return [...pins, ...asserted]
}
