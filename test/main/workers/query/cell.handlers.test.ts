import { expect, test } from 'vitest'
import { noKey } from '../../../../src/main/journal'
import { noEmbedder } from '../../../../src/main/models'
import { cellSql, receiptSql } from '../../../../src/main/store'
import { cellHandlers } from '../../../../src/main/workers/query/cell.handlers'
import { calls } from '../../../../src/shared/contract'
import { temporaryDb } from '../../../support'
import { handleOf, insertItem } from '../../models/journal-rows'

const id = 'cel_aaaabbbbccccdddd'
const now = 1_800_000_000_000

test('cells are listed with their heat, opened with their members and renamed by the person', async () => {
  const db = temporaryDb()
  cellSql.putCell(db, id, 'shop')
  for (const position of [1, 2, 3])
    cellSql.joinCell(db, insertItem(db, { position, project: 'shop' }).id, id, 1)
  const facts = { tags: ['retry'], entities: [], provenance: [], labels: [] }
  cellSql.settleCell(db, id, {
    name: 'retry',
    namedItems: 3,
    items: 3,
    sessions: 1,
    startedAt: 1,
    endedAt: 2,
    ...facts,
  })
  receiptSql.insertReceipt(db, {
    id: 'rcp_one',
    kind: 'hydrate',
    goal: 'g',
    plane: 'execution',
    path: 'lexical',
    budget: 1,
    spent: 1,
    viewer: 'person',
    createdAt: now - 14 * 86_400_000,
    body: '{}',
    frame: '',
    facts: [{ handle: handleOf('generic:s1/1'), level: 'L0' }],
    labels: [],
  })
  const handlers = cellHandlers({
    home: '/nowhere',
    read: db,
    write: db,
    embedder: noEmbedder('none'),
    clock: () => now,
    emit: () => undefined,
    key: noKey,
  })
  const list = calls['cells.list'].output.parse(await handlers['cells.list']({ limit: 10 }))
  expect(list).toMatchObject({
    total: 1,
    cells: [{ id, name: 'retry', heat: 0.5, items: 3, project: 'shop' }],
  })
  const renamed = await handlers['cells.rename']({ cell: id, name: 'Lost events' })
  expect(calls['cells.rename'].output.parse(renamed).cell).toMatchObject({ name: 'Lost events', named: true })
  const detail = calls['cells.get'].output.parse(await handlers['cells.get']({ cell: 'Lost events' }))
  expect(detail.members.map((one) => one.title)).toEqual([
    'Item 3 of generic:s1.',
    'Item 2 of generic:s1.',
    'Item 1 of generic:s1.',
  ])
  expect(() => handlers['cells.rename']({ cell: 'cel_zzzzzzzzzzzzzzzz', name: 'x' })).toThrow(
    'There is no cell cel_zzzzzzzzzzzzzzzz.',
  )
  expect(() => handlers['cells.get']({ cell: 'Dotfiles' })).toThrow('There is no cell named "Dotfiles".')
  const odd = await handlers['cells.rename']({ cell: id, name: 'Lost\u001b[2J\u0007\nand found' })
  expect(odd.cell.name).toBe('Lost[2J and found')
  expect(() => handlers['cells.rename']({ cell: id, name: '\u001b\u0007' })).toThrow('can be seen')
  const other = 'cel_bbbbbbbbbbbbbbbb'
  cellSql.putCell(db, other, 'shop')
  await handlers['cells.rename']({ cell: other, name: 'Lost[2J and found' })
  expect(() => handlers['cells.get']({ cell: 'Lost[2J and found' })).toThrow(`by its id: ${id}, ${other}`)
})
