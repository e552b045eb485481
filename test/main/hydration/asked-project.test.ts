import { expect, test } from 'vitest'
import { hydrate, lastTry, search } from '../../../src/main/hydration'
import { projectSql } from '../../../src/main/store'
import { SearchRequest } from '../../../src/shared/recall'
import { temporaryDb } from '../../support'
import { memory, NOW, remember } from './memory'

const ask = (project: string) => ({
  goal: 'retry the webhook',
  plane: 'execution',
  budget: 600,
  tokenizer: 'chars4' as const,
  viewer: 'person' as const,
  asOf: NOW,
  project,
})

const filled = () => {
  const db = temporaryDb()
  remember(db, [
    { text: 'Retry the webhook three times', project: 'shop', kind: 'goal' },
    { text: 'The webhook now retries with backoff', project: 'shop' },
  ])
  return { db, ports: memory({ db }).ports }
}

test('a project nobody knows is said to be unknown, by a frame, a search and the last try', async () => {
  const { ports } = filled()
  const { frame, receipt } = await hydrate(ports, ask('nope'))
  expect(frame).toContain('Memory knows no project "nope".')
  expect(receipt.facts).toEqual([])
  expect(receipt.paths.talk?.reason).toBe('Memory knows no project "nope".')
  const found = await search(ports, SearchRequest.parse({ text: 'webhook', project: 'nope' }))
  expect(found).toMatchObject({ hits: [], reason: 'Memory knows no project "nope".' })
  const tried = await lastTry(ports, { text: 'retry the webhook', project: 'nope', limit: 3 })
  expect(tried).toMatchObject({ attempts: [], reason: 'Memory knows no project "nope".' })
})

test('a known project without anything of the kind keeps its own words', async () => {
  const { ports } = filled()
  const tried = await lastTry(ports, { text: 'paint the fence', project: 'shop', limit: 3 })
  expect(tried.reason ?? '').not.toContain('knows no project')
})

test('a project is found by the name it had before', async () => {
  const { db, ports } = filled()
  projectSql.putAlias(db, 'old-shop', 'shop', NOW)
  const { receipt } = await hydrate(ports, ask('old-shop'))
  expect(receipt.facts.length).toBeGreaterThan(0)
  expect(receipt.request.project).toBe('shop')
  const found = await search(ports, SearchRequest.parse({ text: 'webhook', project: 'old-shop' }))
  expect(found.hits.length).toBeGreaterThan(0)
})
