import type { ReceiptLine } from '@shared/recall'
import { expect, test } from 'vitest'
import { sameMinute } from '../../src/renderer/lib/same-minute'

const line = (id: string, goal: string, createdAt: number) => ({ id, goal, createdAt }) as ReceiptLine

test('only receipts of one goal and one minute need their seconds', () => {
  const lines = [
    line('a', 'x', 61_000),
    line('b', 'x', 119_000),
    line('c', 'y', 62_000),
    line('d', 'x', 120_000),
  ]
  expect([...sameMinute(lines)]).toEqual(['a', 'b'])
})
