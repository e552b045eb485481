import { closeSync, openSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { zstdCompressSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { verifyPointer } from '../../../src/main/journal'
import { ZstContent } from '../../../src/main/journal/reading/zst'
import { temporaryFolder } from '../../support'
import { rollout } from './rollouts'
import { brokenInvariants, dump, ingest, items, jsonl, openJournal, put } from './transcripts'

function session(turns = 3, filler = 0): string {
  const s = rollout(1)
  s.meta()
  for (let n = 0; n < turns; n++) {
    s.turn()
    s.user(`please change part ${n}, héllo 😀`)
    s.call(`call_partpartpart${n}`, 'exec_command', { cmd: `make ${n}` })
    s.output(`call_partpartpart${n}`, `Exit code: 0\nOutput:\n${noise(n, filler)}`)
    s.said(`Part ${n} is changed.`)
    s.done()
  }
  return jsonl(s.lines)
}

/** Text that does not compress well, the same each time. */
function noise(seed: number, length: number): string {
  let state = seed + 1
  let out = ''
  while (out.length < length) {
    state = (state * 1103515245 + 12345) & 0x7fffffff
    out += state.toString(36)
  }
  return out
}

const paths = (name: string) => {
  const root = temporaryFolder()
  return { root, plain: join(root, `${name}.jsonl`), packed: join(root, `${name}.jsonl.zst`) }
}
const unnamed = (text: string): string => text.replaceAll('.jsonl.zst"', '.jsonl"')

describe('compressed rollouts', () => {
  test('give the same journal as plain ones, with pointers into the content', async () => {
    const { root, plain, packed } = paths('rollout')
    const text = session(4, 300_000)
    put(plain, text)
    const whole = openJournal()
    await ingest(whole.journal, root)
    rmSync(plain)
    put(packed, zstdCompressSync(text))
    const zst = openJournal()
    const report = await ingest(zst.journal, root, { perFile: true })
    expect(report.perFile?.[0]?.format).toBe('codex')
    expect(brokenInvariants(zst.db)).toEqual([])
    expect(unnamed(dump(zst.db))).toBe(dump(whole.db))
    for (const { pointer } of items(zst.db)) {
      const status = await verifyPointer({
        file_path: packed,
        byte_offset: pointer.byteOffset,
        byte_length: pointer.byteLength,
        record_hash: pointer.hash,
      })
      expect(status).toBe('unchanged')
    }
    const again = await ingest(zst.journal, root)
    expect(again.records.read).toBe(0)
  })

  test('a plain rollout that is replaced by its compressed self, or lies beside it, counts once', async () => {
    const { root, plain, packed } = paths('rollout')
    const text = session()
    put(plain, text)
    const { db, journal } = openJournal()
    await ingest(journal, root)
    const before = dump(db)
    put(packed, zstdCompressSync(text))
    await ingest(journal, root)
    expect(dump(db)).toBe(before)
    rmSync(plain)
    await ingest(journal, root)
    await ingest(journal, root)
    expect(
      items(db)
        .map((item) => item.handle)
        .sort(),
    ).toEqual(before.split('\n').map((line) => (JSON.parse(line) as { handle: string }).handle))
    // Resumed: back to plain, and it grows.
    rmSync(packed)
    put(plain, session(5))
    await ingest(journal, root)
    const fresh = openJournal()
    await ingest(fresh.journal, root)
    expect(items(db).map((item) => item.handle)).toEqual(items(fresh.db).map((item) => item.handle))
  })

  test('a cut file gives what stands before the cut, says so, and is not tried again until it changes', async () => {
    const { root, packed } = paths('rollout')
    const text = session(30, 40_000)
    const bytes = zstdCompressSync(text)
    put(packed, bytes)
    truncateSync(packed, Math.floor(bytes.length / 2))
    const { db, journal } = openJournal()
    await ingest(journal, root)
    const row = () => db.get<{ status: string; reason: string }>('SELECT status, reason FROM files')
    expect(row()).toEqual({ status: 'unreadable', reason: 'the compressed file is cut or damaged' })
    expect((await ingest(journal, root)).records.read).toBe(0)
    expect(row()?.status).toBe('unreadable')
    writeFileSync(packed, bytes)
    await ingest(journal, root)
    expect(row()).toEqual({ status: 'ok', reason: null })
    const fresh = openJournal()
    await ingest(fresh.journal, root)
    expect(dump(db)).toBe(dump(fresh.db))
  })

  test('is not one at all: reported, nothing else lost', async () => {
    const { root, packed } = paths('rollout')
    put(packed, 'this is no archive')
    put(join(root, 'other.jsonl'), session(1))
    const { db, journal } = openJournal()
    await ingest(journal, root)
    expect(items(db).length).toBeGreaterThan(0)
    expect(db.all("SELECT status FROM files WHERE path LIKE '%.zst'")).toEqual([{ status: 'unreadable' }])
  })

  test('the runtime’s own decompressor and the one in JavaScript read the same bytes, forward and back', () => {
    const { packed } = paths('x')
    const content = Buffer.from(noise(7, 700_000))
    const one = zstdCompressSync(content)
    const halves = [content.subarray(0, 200_000), content.subarray(200_000)]
    for (const bytes of [one, Buffer.concat(halves.map((half) => zstdCompressSync(half)))]) {
      put(packed, bytes)
      const fd = openSync(packed, 'r')
      for (const native of [true, false]) {
        const zst = new ZstContent(fd, native)
        for (const [from, length] of [
          [0, 10],
          [650_000, 100],
          [199_990, 20],
          [5, 600_000],
          [content.length, 5],
        ] as const) {
          const into = Buffer.alloc(length)
          const got = zst.read(into, 0, length, from)
          expect(into.subarray(0, got).equals(content.subarray(from, from + length))).toBe(true)
        }
      }
      closeSync(fd)
    }
  })
})
