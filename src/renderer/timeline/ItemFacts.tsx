import type { ItemDetail } from '@shared/journal'
import { plural } from '../lib/format'
import { Tag } from '../parts/Tags'

/** How many are shown; the rest is a query away. */
const few = 12

/** What an item says and names, as the curator's rules found it. */
export function ItemFacts({ item }: { item: ItemDetail }) {
  const { facts, entities } = item
  if (facts.length + entities.length === 0) return null
  const subject = (name: string): string => (name === item.session ? 'this session' : name)
  return (
    <section>
      <h3>Facts</h3>
      {facts.length > 0 ? (
        <ul className="facts">
          {facts.slice(0, few).map((fact) => (
            <li key={`${fact.subject} ${fact.predicate} ${fact.object}`}>
              <span className="foreign">{subject(fact.subject)}</span>{' '}
              <span className="sub">{fact.predicate.replaceAll('_', ' ')}</span>{' '}
              <span className="foreign">{fact.object}</span>
            </li>
          ))}
        </ul>
      ) : null}
      <div className="row wrap names">
        {entities.slice(0, few).map(({ kind, name, items }) => (
          <Tag key={`${kind} ${name}`} title={`${kind}, named by ${plural(items, 'item')}`}>
            {name}
          </Tag>
        ))}
      </div>
      {facts.length > few || entities.length > few ? (
        <p className="sub">
          {plural(facts.length, 'fact')}, {plural(entities.length, 'name')}; the first {few} of each are
          shown.
        </p>
      ) : null}
    </section>
  )
}
