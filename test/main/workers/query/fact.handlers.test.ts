import { expect, test } from 'vitest'
import { noKey } from '../../../../src/main/journal'
import { noEmbedder } from '../../../../src/main/models'
import { factHandlers } from '../../../../src/main/workers/query/fact.handlers'
import { calls } from '../../../../src/shared/contract'
import { temporaryDb } from '../../../support'
import { handleOf, insertItem } from '../../models/journal-rows'

const SECRET = 'ghp_9fK2mQ7xT4vB8nR1cW6yZ3dL5hJ0sPaEuGoI'

function desk() {
  const db = temporaryDb()
  let now = 10
  const handlers = factHandlers({
    home: '/nowhere',
    read: db,
    write: db,
    embedder: noEmbedder('none'),
    clock: () => now++,
    emit: () => undefined,
    key: noKey,
  })
  const assert = async (fact: object) =>
    handlers['facts.assert'](
      calls['facts.assert'].input.parse({ agent: 'claude', predicate: 'must', ...fact }),
    )
  return { db, assert }
}

test('an agent’s fact is kept once, masked, with the labels of the item it rests on', async () => {
  const { db, assert } = desk()
  insertItem(db, { name: 'a', project: 'shop', labels: ['private'] })
  const fact = {
    kind: 'constraint',
    subject: `token ${SECRET}`,
    object: 'stay out of the log',
    handle: handleOf('a'),
  }
  const first = await assert(fact)
  expect(first).toMatchObject({ renewed: false, masked: 1 })
  expect(await assert(fact)).toEqual({ id: first.id, renewed: true, masked: 1 })
  const rows = db.all<Record<string, unknown>>('SELECT * FROM agent_facts')
  expect(rows).toHaveLength(1)
  expect(rows[0]).toMatchObject({
    kind: 'constraint',
    project: 'shop',
    labels: '["private"]',
    asserted_at: 11,
  })
  expect(JSON.stringify(rows)).not.toContain(SECRET)
})

test('what is no fact is refused at the door, and so is one about an item that is not there', async () => {
  const { assert } = desk()
  await expect(assert({ subject: ' ', object: 'x' })).rejects.toThrow()
  await expect(assert({ subject: 'a', object: 'x', predicate: 'Drop Table' })).rejects.toThrow()
  await expect(assert({ subject: 'a', object: 'x', agent: 'a b\n' })).rejects.toThrow()
  await expect(assert({ subject: 'a', object: 'x'.repeat(3_000) })).rejects.toThrow()
  await expect(assert({ subject: 'a', object: 'x', handle: handleOf('none') })).rejects.toMatchObject({
    code: 'not-found',
  })
})
