import { describe, expect, test } from 'vitest'
import { hydrate, openReceipt, savePlane, search } from '../../../src/main/hydration'
import { cellSql, type WriteDb } from '../../../src/main/store'
import { HydrateRequest, SearchRequest } from '../../../src/shared/recall'
import { memory, NOW, remember } from './memory'

/** Three notes on the retry queue, of which two stand in a cell, and a goal beside them that no word leads to. */
function filled(): { db: WriteDb; ports: ReturnType<typeof memory>['ports']; handles: string[] } {
  const { db, ports } = memory()
  const handles = remember(db, [
    { text: 'The retry queue drops events of the webhook', session: 'generic:a' },
    { text: 'The retry queue keeps events since yesterday', session: 'generic:b' },
    { text: 'The retry queue has another colour now', session: 'generic:c' },
    { text: 'Nobody pays for lost orders', session: 'generic:d', kind: 'goal' },
  ])
  cellSql.putCell(db, 'cel_aaaaaaaaaaaaaaaa', 'shop')
  db.run("UPDATE cells SET name = 'Lost events', items = 3")
  for (const handle of [handles[0], handles[1], handles[3]])
    db.run("INSERT INTO cell_items SELECT id, 'cel_aaaaaaaaaaaaaaaa', 1 FROM items WHERE handle = ?", [
      handle ?? '',
    ])
  return { db, ports, handles }
}

describe('a cell', () => {
  test('narrows a search, by its id and by its name, and the receipt says so', async () => {
    const { db, ports, handles } = filled()
    for (const cell of ['cel_aaaaaaaaaaaaaaaa', 'Lost events']) {
      const found = await search(ports, SearchRequest.parse({ text: 'retry queue', cell }))
      expect(new Set(found.hits.map((hit) => hit.handle))).toEqual(new Set([handles[0], handles[1]]))
      const id = found.receipt
      expect(id && openReceipt(db, id).receipt.request.cell).toBe(cell)
    }
    await expect(search(ports, SearchRequest.parse({ text: 'retry', cell: 'Unheard of' }))).rejects.toThrow(
      'There is no cell "Unheard of".',
    )
  })

  test('is mounted as a segment of a plane', async () => {
    const { db, ports, handles } = filled()
    savePlane(
      db,
      {
        name: 'mounted',
        budget: 500,
        segments: [{ name: 'lost', cells: ['Lost events'], share: 1 }],
        weights: { relevance: 1 },
      },
      NOW,
    )
    const { receipt } = await hydrate(ports, HydrateRequest.parse({ goal: 'retry queue', plane: 'mounted' }))
    const shown = receipt.facts.map((fact) => fact.handle)
    expect(shown).toEqual(expect.arrayContaining([handles[0], handles[1]]))
    expect(shown).not.toContain(handles[2])
    expect(receipt.facts.every((fact) => fact.segment === 'lost')).toBe(true)
  })

  test('is walked only when the plane says so', async () => {
    const { db, ports, handles } = filled()
    const frame = async (cell: number): Promise<{ handle: string; seededBy: string[] }[]> => {
      savePlane(
        db,
        {
          name: 'walked',
          budget: 500,
          segments: [{ name: 'all', share: 1 }],
          walk: { hops: 1, links: { cell, word: 0, near: 0, arc: 0, entity: 0 } },
          weights: { relevance: 1 },
          floor: 0,
        },
        NOW,
      )
      return (await hydrate(ports, HydrateRequest.parse({ goal: 'retry queue webhook', plane: 'walked' })))
        .receipt.facts
    }
    expect((await frame(0)).map((fact) => fact.handle)).not.toContain(handles[3])
    const reached = (await frame(0.5)).find((fact) => fact.handle === handles[3])
    expect(reached?.seededBy).toEqual(['cell'])
  })
})
