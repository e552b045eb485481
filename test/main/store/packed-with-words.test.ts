import { join } from 'node:path'
import { deflateRawSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { dumpLines } from '../../../src/main/journal'
import { migrate, migrations, openWrite, packText, unpackText, type WriteDb } from '../../../src/main/store'
import { temporaryFolder } from '../../support'

const COMMAND =
  '# Run the tests\n$ npm test -- src/export/queue.test.ts 2>&1 | tail -20\nError: the retry of the export failed'
const LONG = Array.from(
  { length: 90 },
  (_, n) => `line ${n}: const total = await queue.add(order, ${n * 7919})`,
).join('\n')
/** No smaller when packed: all printable characters, in no order. */
const RANDOM = Array.from({ length: 120 }, (_, n) =>
  String.fromCharCode(33 + ((Math.imul(n * n + 17, 2_654_435_761) >>> 7) % 94)),
).join('')
const old = (text: string): Uint8Array => deflateRawSync(Buffer.from(text, 'utf8'))

/** Items as the version before stored them: short ones plain, the rest deflated by themselves. */
function before(): WriteDb {
  const db = openWrite(join(temporaryFolder(), 'fovea.db'))
  onTestFinished(() => db.close())
  migrate(
    db,
    migrations.filter(({ version }) => version < 31),
  )
  db.run("INSERT INTO sessions (id, native_id, agent, started_at, ended_at) VALUES ('a:s', 's', 'a', 1, 2)")
  const put = (id: number, text: string | null, packed: Uint8Array | null, chars: number): void => {
    db.run(
      `INSERT INTO items (id, handle, kind, session_id, position, ts, text, text_z, chars, line, byte_offset, byte_length, record_hash)
       VALUES (?, ?, 'note', 'a:s', ?, ?, ?, ?, ?, 1, 0, 1, '')`,
      [id, `itm_${String(id).padStart(26, '0')}`, id, id, text, packed, chars],
    )
  }
  put(1, 'short', null, 5)
  put(2, COMMAND, null, COMMAND.length)
  for (let n = 0; n < 1_200; n++)
    put(10 + n, null, old(`${n} ${COMMAND.repeat(3)}`), COMMAND.length * 3 + `${n} `.length)
  put(3, null, old(LONG), LONG.length)
  put(4, RANDOM, null, RANDOM.length)
  put(
    5,
    'A sentence that stands for what was let go, and is long enough to be packed were it a text of its own kind.',
    null,
    3_000,
  )
  db.run("INSERT INTO let_go (item_id, level, at) VALUES (5, 'L0', 1)")
  db.run('DELETE FROM curate_queue')
  return db
}

const stored = (db: WriteDb, id: number): { text: string | null; text_z: Buffer | null } | undefined =>
  db.get('SELECT text, text_z FROM items WHERE id = ?', [id])

test('texts from before say the same in less room, and nothing made from them goes', () => {
  const db = before()
  const dump = [...dumpLines(db)]
  const room = (): number =>
    db.get<{ n: number }>('SELECT sum(coalesce(length(text_z), octet_length(text))) AS n FROM items')?.n ?? 0
  const was = {
    room: room(),
    random: stored(db, 4),
    long: stored(db, 3),
    sentence: stored(db, 5),
    short: stored(db, 1),
  }
  migrate(db)
  expect([...dumpLines(db)]).toEqual(dump)
  expect(room()).toBeLessThan(was.room * 0.8)
  expect({
    random: stored(db, 4),
    long: stored(db, 3),
    sentence: stored(db, 5),
    short: stored(db, 1),
  }).toEqual({
    random: was.random,
    long: was.long,
    sentence: was.sentence,
    short: was.short,
  })
  expect(stored(db, 2)?.text).toBeNull()
  expect(db.get('SELECT count(*) AS n FROM curate_queue')).toEqual({ n: 0 })
  expect(db.get('SELECT count(*) AS n FROM retention_now')).toEqual({ n: 0 })
})

test('a text that cannot be unpacked is left as it is, and costs only itself', () => {
  const db = before()
  db.run("UPDATE item_rows SET text_z = x'ffee' WHERE id = 10")
  migrate(db)
  expect(stored(db, 10)?.text_z).toEqual(Buffer.from([0xff, 0xee]))
  expect(unpackText(stored(db, 11) ?? { text: '', text_z: null })).toBe(`1 ${COMMAND.repeat(3)}`)
})

test('a packed text names its words, whatever it begins with, and is told from one packed without', () => {
  for (const text of [
    COMMAND,
    COMMAND.repeat(20),
    LONG.slice(0, 4_000),
    'ü'.repeat(2_000),
    '\u0000'.repeat(200),
  ]) {
    const packed = packText(text)
    expect(packed.text_z?.[0]).toBe(0b1111)
    expect(unpackText(packed)).toBe(text)
    expect((old(text)[0] ?? 0) & 0b111).not.toBe(0b111)
    expect(unpackText({ text: null, text_z: old(text) })).toBe(text)
  }
  expect(packText(LONG).text_z?.[0]).not.toBe(0b1111)
})

test('a text packed with words of a later version is said to be unknown, not read wrongly', () => {
  const packed = Buffer.from(packText(COMMAND).text_z ?? [])
  packed[0] = 0b11111111
  expect(() => unpackText({ text: null, text_z: packed })).toThrow('words that this version does not know')
})
