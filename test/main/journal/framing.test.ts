import { closeSync, mkdtempSync, openSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { JsonRecord } from '../../../src/main/journal/drafts'
import { Fences } from '../../../src/main/journal/reading/fences'
import type { Piece } from '../../../src/main/journal/reading/frames'
import { JsonFrames } from '../../../src/main/journal/reading/json-frames'
import { TextFrames } from '../../../src/main/journal/reading/text-frames'
import { put } from './transcripts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fovea-test-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function piecesOf(content: string | Buffer, streamed: readonly string[] = ['messages']): Piece[] {
  const path = put(join(folder, 'x.json'), content)
  const fd = openSync(path, 'r')
  try {
    const frames = new JsonFrames(fd, statSync(path).size, streamed)
    const found: Piece[] = []
    for (let step = frames.next(); step; step = frames.next()) found.push(...step.pieces)
    return found
  } finally {
    closeSync(fd)
  }
}
const elements = (pieces: readonly Piece[]): unknown[] =>
  pieces.flatMap((piece) => {
    const record = piece.value as JsonRecord | undefined
    return record?.part === 'element' ? [record.value] : []
  })

describe('one big JSON value', () => {
  test('gives its elements one by one, each with its bytes, however it is written', () => {
    fc.assert(
      fc.property(
        fc.array(fc.jsonValue(), { maxLength: 8 }),
        fc.constantFrom(0, 2),
        fc.boolean(),
        (array, indent, root) => {
          const written = JSON.stringify(root ? array : { a: 1, messages: array, z: 'end' }, null, indent)
          const bytes = Buffer.from(written)
          const pieces = piecesOf(bytes)
          // -0 is written as 0.
          expect(elements(pieces)).toEqual(JSON.parse(JSON.stringify(array)))
          for (const piece of pieces) {
            expect(piece.error).toBeUndefined()
            const record = piece.value as JsonRecord
            const own = bytes.subarray(piece.offset, piece.offset + piece.length).toString()
            if (record.part === 'element') expect(JSON.parse(own)).toEqual(record.value)
            expect(bytes.subarray(0, piece.offset).filter((byte) => byte === 10).length).toBe(piece.line - 1)
          }
        },
      ),
      { numRuns: 200 },
    )
  })

  test('the members beside the array come before its elements, and those behind it after them', () => {
    const pieces = piecesOf('{"sessionId":"s","n":[1,{"messages":[]}],"messages":[{"id":1}],"kind":"main"}')
    expect(pieces.map((piece) => piece.value)).toEqual([
      { part: 'members', value: { sessionId: 's', n: [1, { messages: [] }] } },
      { part: 'element', value: { id: 1 } },
      { part: 'members', value: { kind: 'main' } },
    ])
  })

  test('cut at any byte it gives every whole element and one error', () => {
    const array = [{ id: 'a', text: 'é "quoted" ]}\\' }, { id: 'b', list: [[], {}, null, -1.5e3] }, 'c', true]
    const bytes = Buffer.from(JSON.stringify(array, null, 1))
    for (let size = 0; size < bytes.length; size++) {
      const pieces = piecesOf(bytes.subarray(0, size))
      const whole = elements(pieces)
      expect(whole, String(size)).toEqual(array.slice(0, whole.length))
      expect(pieces.filter((piece) => piece.error !== undefined)).toHaveLength(1)
    }
  })

  test('an element that is broken, and text behind the end, cost themselves only', () => {
    expect(piecesOf('[{"a":1},{"a":},{"a":3}] x').map((piece) => piece.error ?? 'ok')).toEqual([
      'ok',
      'broken JSON',
      'ok',
      'more text behind the end of the JSON value',
    ])
    expect(piecesOf('hello').map((piece) => piece.error)).toEqual(['not a JSON array or object'])
    expect(piecesOf('\uFEFF[1,2]').map((piece) => piece.error)).toEqual([undefined, undefined])
  })

  test('a file far larger than its blocks is never held as a whole', () => {
    const element = { text: 'x'.repeat(300_000) }
    const many = `[${Array.from({ length: 40 }, () => JSON.stringify(element)).join(',')}]`
    const path = put(join(folder, 'large.json'), many)
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    /** Bytes of buffers that something still holds. */
    const held = (): number => {
      collect()
      return process.memoryUsage().arrayBuffers
    }
    const before = held()
    const fd = openSync(path, 'r')
    const frames = new JsonFrames(fd, statSync(path).size, [])
    let count = 0
    let most = 0
    for (let step = frames.next(); step; step = frames.next()) {
      count += step.pieces.length
      most = Math.max(most, held() - before)
      expect(step.offset).toBeLessThanOrEqual(many.length)
    }
    closeSync(fd)
    expect(count).toBe(40)
    expect(most).toBeLessThan(many.length / 2)
  })
})

describe('a text document', () => {
  const cut = (content: string | Buffer) => {
    const path = put(join(folder, 'x.txt'), content)
    const fd = openSync(path, 'r')
    const frames = new TextFrames(fd, statSync(path).size, { begins: (line) => line.startsWith('# ') })
    const found: Piece[] = []
    for (let step = frames.next(); step; step = frames.next()) found.push(...step.pieces)
    closeSync(fd)
    return found
  }

  test('is cut where a record begins, without losing a byte; only the last one may grow', () => {
    const text = 'before\r\n\r\n# one\r\nbody é\r\n# two\r\n'
    const found = cut(text)
    expect(found.map((piece) => piece.value)).toEqual([
      { text: 'before\n\n', closed: true },
      { text: '# one\nbody é\n', closed: true },
      { text: '# two\n', closed: false },
    ])
    expect(found.map((piece) => piece.line)).toEqual([1, 3, 5])
    const bytes = Buffer.from(text)
    expect(
      Buffer.concat(found.map((piece) => bytes.subarray(piece.offset, piece.offset + piece.length))),
    ).toEqual(bytes)
  })

  test('bytes that are no UTF-8 are reported and kept', () => {
    const found = cut(Buffer.concat([Buffer.from('# one\n'), Buffer.from([0xff, 0x0a])]))
    expect(found[0]?.damage).toContain('not UTF-8')
    expect(found[0]?.value).toEqual({ text: '# one\n\uFFFD\n', closed: false })
  })
})

test('fences end with as many marks as they began with, or more', () => {
  const fences = new Fences()
  const seen = ['text', '````md', '```', 'x', '~~~~', '````', 'out', '~~~', '```', '~~~', '``` `a` ```'].map(
    (line) => fences.see(line),
  )
  expect(seen).toEqual([false, true, true, true, true, true, false, true, true, true, false])
})
