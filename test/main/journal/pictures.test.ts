import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { encode } from 'fast-png'
import jpeg from 'jpeg-js'
import { describe, expect, test } from 'vitest'
import { hashDistance } from '../../../src/main/journal'
import { dimensions } from '../../../src/main/journal/images'
import { lookOf } from '../../../src/main/journal/pictures'
import { journalSql, migrate, openWrite } from '../../../src/main/store'
import { temporaryFolder } from '../../support'
import { contextOf, ingest, items, openJournal, put, scribe } from './transcripts'

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
interface GifWriter {
  addFrame(x: number, y: number, width: number, height: number, indexes: Uint8Array, options: object): void
  end(): number
}
const { GifWriter } = createRequire(import.meta.url)('omggif') as {
  GifWriter: new (into: Buffer, width: number, height: number, options: object) => GifWriter
}
/** The same picture in 256 greys; a further frame is white. */
function gif(width: number, height: number, frames = 1): Buffer {
  const into = Buffer.alloc(width * height * frames * 2 + 4_000)
  const palette = Array.from({ length: 256 }, (_, grey) => grey * 0x010101)
  const writer = new GifWriter(into, width, height, { palette, loop: 0 })
  const rgb = pixels(width, height)
  const greys = Uint8Array.from({ length: width * height }, (_, at) => rgb[at * 3] ?? 0)
  writer.addFrame(0, 0, width, height, greys, {})
  for (let frame = 1; frame < frames; frame++)
    writer.addFrame(0, 0, width, height, new Uint8Array(greys.length).fill(255), {})
  return into.subarray(0, writer.end())
}
// The same picture, 60 by 48, as an encoder wrote it.
const LOSSY = Buffer.from(
  'UklGRtgAAABXRUJQVlA4IMwAAACQCACdASo8ADAAPrVSnkwnJLO1qqkCsBaJaQAD4IpgAm7nXqEs4vn1VkChX8av0kNrvsWqBEchuOh8eNXeKHD2ulZU8+25gB5f070MRAD++RMhN0r1q9H7KlggK+VvWy620Av6RVwqwmET7RhOZcbqZ44BOqJ8r6ao2wSnqG+OJNB6eANmVu9FM94tOH2huG9Nn695J/KAUG2+z9ASEjG9pJMNM8pt/gXCg0i+gXFYj4hKTC1Fz/2EQ3xbJgJGUyxrgJUVlZ0O7iwAAAA=',
  'base64',
)
const LOSSLESS = Buffer.from(
  'UklGRtgAAABXRUJQVlA4TMsAAAAvO8ALAM10IKL/AViybZuuzrmdim3bbpht2056ZezaSR5/IkKR27aNCiSpTt39A2EoJFKGoTiRHAGRkCNO9DDkhc1Nj+Rl8cIrg4fC8k9Jr5eL2XQ8eoXebe5GM+h3Oy/V7SaqPjwdUaNWfem5qpSwNAs2qOJLz1Uhh6PZ0FFlcTQXSgZH86CkcDQfShJHC6AkcLQIShxHi6FEcbRE9tJ3Q64AgXePVOqXvpManf4JkUvGvEdGk+UB4Re8k1abw+n2+PzB7/cf/GfTbgA=',
  'base64',
)
/** As the first frame of a moving picture whose canvas is of the same size. */
function moving(still: Buffer): Buffer {
  const frame = Buffer.concat([Buffer.alloc(16), still.subarray(12)])
  const chunk = (name: string, data: Buffer): Buffer => {
    const head = Buffer.alloc(8)
    head.write(name, 'latin1')
    head.writeUInt32LE(data.length, 4)
    return Buffer.concat([head, data])
  }
  const canvas = Buffer.alloc(10)
  canvas[0] = 2
  canvas.writeUIntLE(59, 4, 3)
  canvas.writeUIntLE(47, 7, 3)
  const body = Buffer.concat([
    Buffer.from('WEBP'),
    chunk('VP8X', canvas),
    chunk('ANIM', Buffer.alloc(6)),
    chunk('ANMF', frame),
  ])
  return chunk('RIFF', body)
}
const seen = (bytes: Buffer) => lookOf(bytes, dimensions(bytes))
/** A copy with some bytes changed. */
function withBytes(bytes: Buffer, at: number, ...values: number[]): Buffer {
  const copy = Buffer.from(bytes)
  copy.set(values, at)
  return copy
}

const hashOf = (bytes: Buffer, width: number, height: number): string =>
  lookOf(bytes, { width, height })?.phash ?? ''

describe('GIF and WebP', () => {
  const one = hashOf(png(60, 48), 60, 48)
  test.each([
    ['a GIF', gif(60, 48)],
    ['the first frame of a GIF', gif(60, 48, 3)],
    ['a lossy WebP', LOSSY],
    ['a lossless WebP', LOSSLESS],
    ['the first frame of a moving WebP', moving(LOSSY)],
    ['the first frame of a lossless moving WebP', moving(LOSSLESS)],
  ])('%s looks as the PNG does', (_name, bytes) => {
    expect(dimensions(bytes)).toEqual({ width: 60, height: 48 })
    const look = seen(bytes)
    expect(hashDistance(one, look?.phash ?? '')).toBeLessThanOrEqual(4)
    expect(jpeg.decode(look?.thumbnail.bytes ?? new Uint8Array())).toMatchObject({ width: 60, height: 48 })
  })

  const hostile: Record<string, Buffer> = {
    'no bytes': Buffer.alloc(0),
    'a GIF of 65,535 pixels a side': withBytes(gif(60, 48), 6, 0xff, 0xff, 0xff, 0xff),
    'a GIF whose frame is larger than its screen': withBytes(gif(60, 48), 6, 8, 0, 8, 0),
    'a GIF cut in its data': gif(60, 48).subarray(0, 900),
    'a GIF cut in its header': gif(60, 48).subarray(0, 40),
    'a GIF without a frame': Buffer.concat([gif(60, 48).subarray(0, 13 + 768), Buffer.from(';')]),
    'a WebP of 16,384 pixels a side': withBytes(LOSSLESS, 21, 0xff, 0xff, 0xff, 0x0f),
    'a WebP whose canvas is smaller than its picture': withBytes(moving(LOSSY), 24, 3, 0, 0, 3, 0, 0),
    'a WebP cut in its data': LOSSY.subarray(0, 120),
    'a WebP that is longer than it is': withBytes(LOSSY, 16, 0xff, 0xff, 0xff, 0x7f),
    'a WebP of noise': withBytes(LOSSLESS, 25, ...Array.from({ length: 190 }, (_, at) => (at * 89) & 0xff)),
    'a GIF that is a WebP': Buffer.concat([Buffer.from('GIF89a'), LOSSY.subarray(6)]),
    'a WebP that is a JPEG': Buffer.concat([Buffer.from('RIFF\0\0\0\0WEBP', 'latin1'), jpg(60, 48)]),
    'a PNG that is text': Buffer.from('\x89PNG and nothing of the kind, but long enough', 'latin1'),
  }
  test.each(Object.entries(hostile))('%s costs only itself', (_name, bytes) => {
    const before = process.memoryUsage().arrayBuffers
    expect(seen(bytes)).toBeNull()
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(48 * 1024 * 1024)
    expect(seen(LOSSY)).not.toBeNull()
    expect(seen(gif(60, 48))).not.toBeNull()
  })

  test('in a transcript each keeps its facts and a thumbnail, and no base64 is in any file of the database', async () => {
    const folder = temporaryFolder()
    const file = join(folder, 'fovea.db')
    const db = openWrite(file)
    migrate(db)
    const journal = contextOf(db)
    const given = { gif: gif(60, 48, 2), webp: LOSSY, png: png(60, 48), jpeg: jpg(60, 48) }
    const s = scribe()
    s.user([
      { type: 'text', text: 'which of these is right?' },
      ...[...Object.entries(given), ...Object.entries(hostile)].map(([name, bytes]) => ({
        type: 'image',
        source: {
          type: 'base64',
          media_type: name.includes(' ') ? 'image/webp' : `image/${name}`,
          data: bytes.toString('base64'),
        },
      })),
    ])
    s.said('The first one.')
    const report = await ingest(journal, put(join(temporaryFolder(), 'S1.jsonl'), s.text()))
    expect(report.records.errors).toBe(0)
    const all = items(db)
    expect(all.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['goal', 'conclusion']))
    const pictures = all.filter(({ kind }) => kind === 'image')
    // Nothing is no picture.
    expect(pictures).toHaveLength(Object.keys(given).length + Object.keys(hostile).length - 1)
    for (const { data } of pictures.filter((item) => 'phash' in item.data))
      expect(journalSql.thumbnail(db, String(data.sha256))).toMatchObject({ width: 60, height: 48 })
    expect(pictures.filter((item) => 'phash' in item.data)).toHaveLength(4)
    // Closing writes everything into the one file.
    db.close()
    const bytes = readFileSync(file)
    for (const picture of [...Object.values(given), ...Object.values(hostile)]) {
      const base64 = picture.toString('base64')
      for (const at of [0, 40, 80])
        if (base64.length > at + 24) expect(bytes.includes(base64.slice(at, at + 24))).toBe(false)
    }
  })
})

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
  db.run(`DELETE FROM item_rows WHERE kind = 'image'`)
  expect(db.all('SELECT * FROM thumbnails')).toEqual([])
})
