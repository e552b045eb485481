import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../support'
import { brokenInvariants, ingest, items, jsonl, openJournal, put } from './transcripts'

test('a record with an absurd time is undated and stops nothing', async () => {
  const absurd = ['1e300', '-1e300', '1e17', '-5', '"99999-01-01T00:00:00Z"', '"+099999-01-01T00:00:00Z"']
  const odd = [
    ...absurd,
    '"-000300-01-01T00:00:00Z"',
    '"NaN"',
    '1e999',
    '1772528401000.5',
    '{}',
    'true',
    '9e15',
  ]
  const line = (ts: string, n: number): string =>
    `{"session":"s","id":"${n}","ts":${ts},"role":"tool","text":"word ${n}"}\n`
  const path = put(
    join(temporaryFolder(), 'talk.jsonl'),
    `${line('1772528400000', 900)}${odd.map(line).join('')}${line('1772528409000', 901)}`,
  )
  const { db, journal } = openJournal()
  const report = await ingest(journal, path)
  expect(brokenInvariants(db)).toEqual([])
  expect(report.records).toMatchObject({ used: odd.length + 2, errors: 0 })
  const times = db.all<{ ts: number }>('SELECT ts FROM items').map(({ ts }) => ts)
  expect(times.every((ts) => ts >= 1772528400000 && ts <= 1772528409000)).toBe(true)
})

test.each(['claude-code', 'codex', 'copilot-cli'] as const)('absurd times do not stop %s', async (format) => {
  const absurd = [1e300, -1e300, 1e17, '99999-01-01T00:00:00Z', '+275760-09-13T00:00:00.000Z', null]
  const records = absurd.flatMap((timestamp, n) => [
    {
      type: 'user',
      uuid: `u${n}`,
      sessionId: 's',
      timestamp,
      message: { role: 'user', content: `say ${n}` },
    },
    { type: 'event_msg', timestamp, payload: { type: 'user_message', message: `say ${n}` } },
    { type: 'user.message', id: `i${n}`, timestamp, data: { content: `say ${n}` } },
  ])
  const path = put(join(temporaryFolder(), 'x.jsonl'), jsonl(records))
  const { db, journal } = openJournal()
  await ingest(journal, path, { format })
  expect(brokenInvariants(db)).toEqual([])
  expect(new Set(items(db).map((item) => item.text)).size).toBe(absurd.length)
})

test('an item that cannot be stored costs its record, named by line, and no other', async () => {
  const { db, journal } = openJournal()
  db.run(`CREATE TRIGGER refuse BEFORE INSERT ON item_rows WHEN NEW.record_id = 'bad'
    BEGIN SELECT RAISE(ABORT, 'no'); END`)
  const record = (id: string) => ({ session: 's', id, role: 'tool', text: `word ${id}` })
  const folder = temporaryFolder()
  put(join(folder, 'a.jsonl'), jsonl(['1', 'bad', '2'].map(record)))
  put(join(folder, 'b.jsonl'), jsonl(['3', '4'].map(record)))
  const report = await ingest(journal, folder)
  expect(
    items(db)
      .map((item) => item.text)
      .sort(),
  ).toEqual(['word 1', 'word 2', 'word 3', 'word 4'])
  expect(report.records).toMatchObject({ read: 5, used: 4, errors: 1 })
  expect(report.errors).toEqual([
    { file: join(folder, 'a.jsonl'), line: 2, reason: 'an item of it cannot be stored' },
  ])
  expect(brokenInvariants(db)).toEqual([])
})
