import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Heap } from '../../../src/main/faculty/heap'

test('gives what it holds from the smallest on, however it came in and whatever was left out meanwhile', () => {
  const numbers = fc.array(fc.integer())
  fc.assert(
    fc.property(numbers, numbers, fc.integer({ min: 2, max: 5 }), (first, later, divisor) => {
      const heap = new Heap<number>((a, b) => a < b, [...first])
      for (const number of later) heap.push(number)
      const passes = (number: number): boolean => number % divisor !== 0
      heap.keep(passes)
      const kept = [...first, ...later].filter(passes).sort((a, b) => a - b)
      expect(heap.size).toBe(kept.length)
      expect(heap.peek()).toBe(kept[0])
      expect(kept.map(() => heap.pop())).toEqual(kept)
      expect(heap.pop()).toBeUndefined()
    }),
  )
})
