import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { detect, health, itemData, listSources } from '../../../src/main/journal'
import { temporaryFolder } from '../../support'
import { field } from './cursor-support'
import { brokenInvariants, dump, ingest, items, type Json, jsonl, openJournal, put } from './transcripts'

const ID = 'f1ff7b74-0a28-4dd4-a452-e01ae080eb20'
const T0 = Date.parse('2026-06-12T09:00:00Z')
const LATER = T0 + 3_600_000

/** `store.db` of Cursor's agent in the terminal, as it is described in public: written for the test. */
function chat(path: string, messages: readonly Json[], meta: Json = {}) {
  put(path, '')
  const db = new Database(path)
  db.pragma('journal_mode = WAL')
  db.exec('CREATE TABLE IF NOT EXISTS blobs (id TEXT PRIMARY KEY, data BLOB)')
  db.exec('CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT)')
  const blob = (data: Buffer): string => {
    const id = createHash('sha256').update(data).digest('hex')
    db.prepare('INSERT OR IGNORE INTO blobs VALUES (?, ?)').run(id, data)
    return id
  }
  const told: Json[] = []
  const say = (...more: readonly Json[]): void => {
    told.push(...more)
    const ids = told.map((message) => blob(Buffer.from(JSON.stringify(message))))
    const root = Buffer.concat([
      ...ids.map((id) => field(1, Buffer.from(id, 'hex'))),
      Buffer.from([2 * 8, 0x96, 0x01]),
      field(9, Buffer.from('file:///srv/shop')),
    ])
    const value = { agentId: ID, name: 'Retries', createdAt: T0, latestRootBlobId: blob(root), ...meta }
    db.prepare('INSERT OR REPLACE INTO meta VALUES (?, ?)').run(
      '0',
      Buffer.from(JSON.stringify(value)).toString('hex'),
    )
  }
  say(...messages)
  return { db, say }
}

const asked = (text: string): Json => ({
  role: 'user',
  content: [
    {
      type: 'text',
      text: `<user_info>\nWorkspace Path: /srv/shop\n</user_info>\n<user_query>${text}</user_query>`,
    },
  ],
})
const said = (...content: Json[]): Json => ({ role: 'assistant', content })
const text = (text: string): Json => ({ type: 'text', text })
const call = (toolName: string, args: Json): Json => ({
  type: 'tool-call',
  toolCallId: `t_${toolName}`,
  toolName,
  args,
})
const result = (result: string): Json => ({
  role: 'tool',
  content: [{ type: 'tool-result', toolCallId: 't', toolName: 'Shell', result }],
})
const TURN = [
  { role: 'system', content: 'You are an agent.' },
  asked('make the retry idempotent'),
  said({ type: 'reasoning', text: 'hm' }, text('I look.'), call('Shell', { command: 'npm test' })),
  result('3 passed'),
  said(call('Write', { path: '/srv/shop/a.ts', contents: 'x' })),
  result('ok'),
  said(text('The retry is idempotent now.')),
]

const place = (root: string): string => join(root, '.cursor', 'chats', 'a'.repeat(32), ID, 'store.db')

test('a conversation of the agent in the terminal, from its own database', async () => {
  const path = place(temporaryFolder())
  const { db: own } = chat(path, TURN)
  const { db, journal } = openJournal({ clock: () => LATER })
  const report = await ingest(journal, path, { perFile: true })
  own.close()
  expect(items(db).map(({ kind, text }) => [kind, text])).toEqual([
    ['goal', 'make the retry idempotent'],
    ['note', 'I look.'],
    ['command', '$ npm test'],
    ['file_op', expect.stringContaining('/srv/shop/a.ts')],
    ['conclusion', 'The retry is idempotent now.'],
  ])
  for (const item of items(db)) itemData[item.kind as keyof typeof itemData].parse(item.data)
  expect(report.records.dropped).toEqual({ system: 1, 'tool-result': 2 })
  expect(db.get('SELECT native_id, title, cwd, started_at FROM sessions')).toEqual({
    native_id: ID,
    title: 'Retries',
    cwd: '/srv/shop',
    started_at: T0,
  })
  expect(brokenInvariants(db)).toEqual([])
})

test('read on as it grows, or in one go: the same journal', async () => {
  const root = temporaryFolder()
  const path = place(root)
  const { db: own, say } = chat(path, TURN.slice(0, 3))
  const live = openJournal({ clock: () => LATER })
  for (const message of TURN.slice(3)) {
    await ingest(live.journal, path)
    say(message)
  }
  say(asked('make the retry idempotent'), said(text('It is already.')))
  await ingest(live.journal, path)
  const whole = openJournal({ clock: () => LATER })
  await ingest(whole.journal, path)
  own.close()
  expect(dump(live.db)).toBe(dump(whole.db))
  expect(items(live.db).filter(({ text }) => text === 'make the retry idempotent')).toHaveLength(2)
  expect(brokenInvariants(live.db)).toEqual([])
})

test('its transcript beside it tells nothing twice', async () => {
  const root = temporaryFolder()
  const path = place(root)
  const { db: own } = chat(path, TURN)
  const lines = [
    { role: 'user', message: { content: [text('<user_query>make the retry idempotent</user_query>')] } },
    {
      role: 'assistant',
      message: {
        content: [text('I look.'), { type: 'tool_use', name: 'Shell', input: { command: 'npm test' } }],
      },
    },
    { role: 'assistant', message: { content: [text('The retry is idempotent now.')] } },
  ]
  put(join(root, '.cursor', 'projects', 'srv-shop', 'agent-transcripts', ID, `${ID}.jsonl`), jsonl(lines))
  const { db, journal } = openJournal({ clock: () => LATER })
  await ingest(journal, join(root, '.cursor'))
  own.close()
  expect(items(db)).toHaveLength(5)
  expect(db.get('SELECT count(*) AS n FROM sessions')).toEqual({ n: 1 })
})

test('it is proposed where it lies; what is damaged in it is told, and costs no more than itself', async () => {
  const home = temporaryFolder()
  const path = place(home)
  const { db: own } = chat(path, TURN)
  own
    .prepare('DELETE FROM blobs WHERE id = (SELECT id FROM blobs WHERE CAST(data AS TEXT) LIKE ?)')
    .run('%3 passed%')
  own.pragma('wal_checkpoint(TRUNCATE)')
  own.close()
  const { db, journal } = openJournal({ clock: () => LATER })
  expect(
    detect(db, { HOME: home }, home).map(({ path, agent, files }) => ({ path, agent, files })),
  ).toContainEqual({
    path: join(home, '.cursor', 'chats'),
    agent: 'cursor',
    files: 1,
  })
  await ingest(journal, join(home, '.cursor'))
  expect(items(db)).toHaveLength(5)
  const source = listSources(db)[0]
  expect(health(db, source?.id ?? '', 10).errors.map(({ reason }) => reason)).toEqual([
    'a message that is not there',
  ])
  // Somebody else's database of that name is none.
  const other = join(temporaryFolder(), 'store.db')
  new Database(other).exec('CREATE TABLE things (id TEXT)').close()
  const report = await ingest(journal, other)
  expect(report.records.read).toBe(0)
})

test('keys in every field of it are in no file of the data folder', async () => {
  const keys: string[] = []
  const key = (): string => {
    keys.push(`ghp_${createHash('sha256').update(`chat ${keys.length}`).digest('hex').slice(0, 36)}`)
    return keys.at(-1) ?? ''
  }
  const path = place(temporaryFolder())
  const { db: own } = chat(
    path,
    [
      { role: 'system', content: key() },
      asked(`mend ${key()}`),
      said(
        { type: 'reasoning', text: key() },
        text(key()),
        call('Shell', { command: key(), description: key() }),
      ),
      result(key()),
      said(call('Write', { path: `/srv/${key()}`, contents: key() }), call(key(), { deep: [key()] })),
      { role: key(), content: key() },
      said(text(`Done ${key()}`)),
    ],
    { name: key(), mode: key() },
  )
  const { db, journal } = openJournal({ clock: () => LATER })
  const report = await ingest(journal, path)
  own.close()
  expect(report.masked).toBeGreaterThan(6)
  const files = readdirSync(dirname(db.path)).map((name) => readFileSync(join(dirname(db.path), name)))
  const bytes = Buffer.concat([...files, Buffer.from(dump(db))])
  expect(keys.filter((one) => bytes.includes(one))).toEqual([])
})
