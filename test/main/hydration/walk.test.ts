import { expect, test } from 'vitest'
import { PlanePolicy } from '../../../src/main/hydration'
import type { Seeds } from '../../../src/main/hydration/seeds'
import { walk } from '../../../src/main/hydration/walk'
import { hydrationSql } from '../../../src/main/store'
import { temporaryDb } from '../../support'
import { remember } from './memory'

test('what a hop reaches by next to nothing does not come in; what stood there already gains it', () => {
  const db = temporaryDb()
  const handles = remember(
    db,
    ['origin', 'names it as well', 'hardly names it', 'hardly, and was found before'].map((text) => ({
      text,
    })),
  )
  const [origin, near, faint, found] = hydrationSql
    .itemsByHandle(db, handles)
    .sort((a, b) => a.position - b.position)
  if (!origin || !near || !faint || !found) throw new Error('The items are not there.')
  db.run("INSERT INTO entities (id, kind, name) VALUES (1, 'symbol', 'retryWebhook')")
  for (const [item, weight] of [
    [origin, 1],
    [near, 1],
    [faint, 0.1],
    [found, 0.1],
  ] as const)
    db.run('INSERT INTO item_entities (item_id, entity_id, weight) VALUES (?, 1, ?)', [item.id, weight])
  const seeds: Seeds = new Map([
    [origin.id, { item: origin, score: 1, via: ['lexical'], hop: 0 }],
    [found.id, { item: found, score: 0.01, via: ['lexical'], hop: 0 }],
  ])

  walk(db, seeds, {
    policy: PlanePolicy.shape.walk.parse({ hops: 1, width: 1, floor: 0.02, links: { entity: 0.04 } }),
    filter: {},
    goal: new Set(),
    vector: null,
    items: 1000,
    count: () => 0,
  })

  expect([...seeds.keys()].sort()).toEqual([origin.id, near.id, found.id].sort())
  expect(seeds.get(near.id)).toMatchObject({ via: ['entity'], hop: 1 })
  expect(seeds.get(near.id)?.score).toBeCloseTo(0.04)
  expect(seeds.get(found.id)).toMatchObject({ via: ['lexical', 'entity'], hop: 0 })
  expect(seeds.get(found.id)?.score).toBeCloseTo(0.014)
})
