import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { encode } from 'fast-png'
import jpeg from 'jpeg-js'
import { describe, expect, test } from 'vitest'
import { hashDistance } from '../../../src/main/journal'
import { lookOf } from '../../../src/main/journal/pictures'
import { journalSql } from '../../../src/main/store'
import { temporaryFolder } from '../../support'
import { ingest, items, openJournal, put, scribe } from './transcripts'

/** A picture with a bright disc on a ramp; `shift` moves the disc. */
function pixels(width: number, height: number, shift = 0): Uint8Array {
  const data = new Uint8Array(width * height * 3)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const disc = Math.hypot(x / width - 0.3 - shift, y / height - 0.4) < 0.2
      data.fill(
        disc ? 230 : Math.round((x / width) * 90 + (y / height) * 60),
        (y * width + x) * 3,
        (y * width + x) * 3 + 3,
      )
    }
  }
  return data
}
const png = (width: number, height: number, shift = 0): Buffer =>
  Buffer.from(encode({ width, height, data: pixels(width, height, shift), depth: 8, channels: 3 }))
function jpg(width: number, height: number): Buffer {
  const rgb = pixels(width, height)
  const data = Buffer.alloc(width * height * 4, 255)
  for (let i = 0; i < width * height; i++) for (let c = 0; c < 3; c++) data[i * 4 + c] = rgb[i * 3 + c] ?? 0
  return Buffer.from(jpeg.encode({ width, height, data }, 80).data)
}
const hashOf = (bytes: Buffer, width: number, height: number): string =>
  lookOf(bytes, { width, height })?.phash ?? ''

describe('how a picture looks', () => {
  test('the same picture larger, or as a JPEG, has nearly the same hash; another has another', () => {
    const one = hashOf(png(200, 160), 200, 160)
    expect(one).toMatch(/^[0-9a-f]{16}$/)
    expect(hashDistance(one, hashOf(png(640, 512), 640, 512))).toBeLessThanOrEqual(4)
    expect(hashDistance(one, hashOf(jpg(200, 160), 200, 160))).toBeLessThanOrEqual(6)
    expect(hashDistance(one, hashOf(png(200, 160, 0.4), 200, 160))).toBeGreaterThan(8)
    expect(hashOf(png(200, 160), 200, 160)).toBe(one)
  })

  test('what is too large, broken, or blown up behind a small header is not decoded', () => {
    expect(lookOf(png(20, 20), { width: 4_000, height: 4_000 })).toBeNull()
    expect(lookOf(png(200, 160).subarray(0, 400), { width: 200, height: 160 })).toBeNull()
    expect(
      lookOf(Buffer.from('GIF89a no picture at all, but long enough'), { width: 2, height: 2 }),
    ).toBeNull()
    const bomb = Buffer.from(png(8, 8))
    const at = bomb.indexOf('IDAT')
    const body = deflateSync(Buffer.alloc(64 * 1024 * 1024))
    const length = Buffer.alloc(4)
    length.writeUInt32BE(body.length)
    const blown = Buffer.concat([
      bomb.subarray(0, at - 4),
      length,
      Buffer.from('IDAT'),
      body,
      Buffer.alloc(4),
      bomb.subarray(-12),
    ])
    const before = process.memoryUsage().arrayBuffers
    expect(lookOf(blown, { width: 8, height: 8 })).toBeNull()
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(16 * 1024 * 1024)
  })
})

test('a picture in a transcript is its hash, its size, how it looks and a thumbnail, never its bytes', async () => {
  const { db, journal } = openJournal()
  const bytes = png(640, 512)
  const s = scribe()
  s.user([
    { type: 'text', text: 'what is wrong here?' },
    { type: 'image', source: { type: 'base64', media_type: 'image/png', data: bytes.toString('base64') } },
  ])
  await ingest(journal, put(join(temporaryFolder(), 'S1.jsonl'), s.text()))
  const item = items(db).find((one) => one.kind === 'image')
  expect(item?.data).toMatchObject({ width: 640, height: 512, phash: hashOf(bytes, 640, 512) })
  const small = journalSql.thumbnail(db, String(item?.data.sha256))
  expect(small).toMatchObject({ width: 96, height: 77 })
  expect(jpeg.decode(small?.jpeg ?? new Uint8Array()).width).toBe(96)
  expect(small?.jpeg.length).toBeLessThan(6_000)
  expect(JSON.stringify(db.all('SELECT * FROM items'))).not.toContain(bytes.toString('base64').slice(0, 60))
  db.run(`DELETE FROM items WHERE kind = 'image'`)
  expect(db.all('SELECT * FROM thumbnails')).toEqual([])
})
