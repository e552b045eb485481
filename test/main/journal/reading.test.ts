import { describe, expect, test } from 'vitest'
import { LineReader, memoryLines } from '../../../src/main/journal/reading/lines'
import { recordsOf } from '../../../src/main/journal/reading/records'

function lines(bytes: Buffer, step: number, limit?: number) {
  let most = 0
  const reader = new LineReader(
    (into, at, length, position) => {
      most = Math.max(most, into.length)
      return bytes.copy(into, at, position, Math.min(bytes.length, position + Math.min(step, length)))
    },
    0,
    bytes.length,
    limit,
  )
  const found = []
  for (let line = reader.next(); line; line = reader.next()) {
    found.push({ ...line, text: line.bytes.toString(), bytes: undefined })
  }
  return { found, most }
}

describe('lines', () => {
  test('come out whole whatever the size of the pieces they are read in', () => {
    const bytes = Buffer.from('one\ntwo é😀\r\n\nlast')
    for (const step of [1, 2, 3, 7, 100]) {
      expect(lines(bytes, step).found.map((line) => [line.text, line.offset, line.terminated])).toEqual([
        ['one', 0, true],
        ['two é😀\r', 4, true],
        ['', 16, true],
        ['last', 17, false],
      ])
    }
  })

  test('a line separator of Unicode does not end a line', () => {
    const text = '{"a":"x\u2028y\u2029z"}\n'
    expect(lines(Buffer.from(text), 5).found).toHaveLength(1)
  })

  test('a line over the limit keeps its place and hash, and what follows is read as ever', () => {
    const long = 'x'.repeat(300_000)
    const { found } = lines(Buffer.from(`a\n${long}\nb\n`), 4096, 100_000)
    expect(found.map((line) => [line.text, line.offset, line.length, line.tooLong !== null])).toEqual([
      ['a', 0, 1, false],
      ['', 2, 300_000, true],
      ['b', 300_003, 1, false],
    ])
    const again = lines(Buffer.from(`a\n${long}\nb\n`), 99_999, 100_000).found
    expect(again.map((line) => line.tooLong)).toEqual(found.map((line) => line.tooLong))
  })

  test('a huge line is not held in memory', () => {
    const { most } = lines(Buffer.alloc(40_000_000, 120), 1 << 20, 1_000_000)
    expect(most).toBeLessThanOrEqual(4 << 20)
  })

  test('bytes in memory are read the same way', () => {
    const reader = memoryLines(Buffer.from('a\nbc'))
    expect([reader.next()?.length, reader.next()?.terminated, reader.next()]).toEqual([1, false, null])
  })
})

describe('the records of a line', () => {
  const of = (text: string | Buffer, unfinished = false) =>
    recordsOf(Buffer.from(text as string), 1, unfinished)

  test('two glued records are two', () => {
    expect(of('{"a":1}{"b":"}{"}')?.map((found) => found.value)).toEqual([{ a: 1 }, { b: '}{' }])
  })

  test('a cut record in front of a whole one costs itself only', () => {
    const found = of(
      '{"type":"user","message":{"content":[{"type":"text","text":"hal{"parentUuid":null,"type":"user"}',
    )
    expect(found?.map((one) => one.value ?? one.error)).toEqual([
      'broken JSON',
      { parentUuid: null, type: 'user' },
    ])
    expect(found?.[1]?.offset).toBe(63)
  })

  test('the inside of a broken record is never taken for a record', () => {
    const found = of('{"type":"user","x":"\\p","message":{"type":"text","text":"y"}}')
    expect(found?.map((one) => one.error)).toEqual(['broken JSON'])
  })

  test('what is no object is named as a loss', () => {
    expect(of('hello')?.map((one) => one.error)).toEqual(['not a JSON object'])
    expect(of('[1]')?.map((one) => one.error)).toEqual(['not a JSON object'])
    expect(of('  \r')).toEqual([])
  })

  test('NULs and bytes that are no UTF-8 are reported, and the rest of the record is kept', () => {
    const nul = of('{"a":"x\0y"}')
    expect(nul?.[0]).toMatchObject({ value: { a: 'xy' }, damage: expect.stringContaining('NUL') })
    const bytes = Buffer.concat([Buffer.from('{"a":"x'), Buffer.from([0xff, 0xc3]), Buffer.from('"}')])
    expect(recordsOf(bytes, 1)?.[0]).toMatchObject({
      value: { a: 'x\uFFFD\uFFFD' },
      damage: expect.stringContaining('UTF-8'),
    })
    expect(of('{"a":"\uFFFD"}')?.[0]?.damage).toBeUndefined()
    expect(of('\0\0\0\0')?.map((one) => one.error)).toEqual(['NUL bytes'])
    expect(of('\0\0{"type":"user"}')?.map((one) => one.value ?? one.error)).toEqual([
      'NUL bytes',
      { type: 'user' },
    ])
  })

  test('a byte order mark counts only at the very start of a file', () => {
    const bytes = Buffer.from('\uFEFF{"a":1}')
    expect(recordsOf(bytes, 0)?.[0]).toMatchObject({ offset: 3, value: { a: 1 } })
    expect(recordsOf(bytes, 10)?.[0]?.error).toBe('not a JSON object')
  })

  test('a last line without its newline counts when it is whole, and waits when it is not', () => {
    expect(of('{"a":1}', true)).toHaveLength(1)
    expect(of('{"a":1', true)).toBeNull()
    expect(of('{"a":1}{"b"', true)).toBeNull()
  })

  test('thousands of openers take no noticeable time', () => {
    const evil = `{"type":"user","x":[${'{"type":'.repeat(200_000)}`
    expect(of(evil)?.length).toBeLessThanOrEqual(2)
  })
})
