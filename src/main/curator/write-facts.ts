import { type curatorSql, factSql, type WriteDb } from '../store'
import { itemEntities, type NamedEntity } from './item-entities'
import { itemFacts } from './item-facts'

/** Change it when the rules of entities or facts change; all are then made anew, with the rungs. */
export const FACT_VERSION = 3

/** What has the same name in every project. */
const EVERYWHERE = new Set<NamedEntity['kind']>([
  'package',
  'url',
  'error',
  'version',
  'person',
  'model',
  'tool',
])

/** Makes the entities and facts of an item in place of those it had. Call it in the transaction of its rungs. */
export function writeFacts(db: WriteDb, item: curatorSql.RungSource): void {
  const place = factSql.factPlace(db, item.handle)
  if (!place) return
  const entities = itemEntities(item)
  const facts = itemFacts(item, entities, place.session)
  factSql.putFacts(
    db,
    { id: place.id, handle: item.handle, labels: [...item.labels].sort() },
    {
      entities: entities.map((entity) => ({
        ...entity,
        // An issue with its repository before it, or a key of letters, is one issue wherever it is named.
        project:
          EVERYWHERE.has(entity.kind) || (entity.kind === 'issue' && !entity.name.startsWith('#'))
            ? ''
            : (place.project ?? ''),
      })),
      facts,
    },
  )
}
