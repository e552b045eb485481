import { type Migration, script } from './migration'

// From a name to who names it, with how much: without the weight every row led to a second look-up, which in a memory of a
// million items is a page read from the disk.
export const namedWithWeights: Migration = {
  version: 33,
  name: 'named-with-weights',
  up: script(`
DROP INDEX item_entities_entity;
CREATE INDEX item_entities_entity ON item_entities (entity_id, item_id, weight);
`),
}
