import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { clock, conversation, field, ID, openCursor, T0 } from './cursor-support'
import { brokenInvariants, dump, ingest, items, type Json, openJournal } from './transcripts'

// Conversations whose messages are the agent's own rows only, under the hash of their content.

const asked = (text: string): Json => ({
  role: 'user',
  content: [{ type: 'text', text: `<user_query>${text}</user_query>` }],
})
const said = (...content: Json[]): Json => ({ role: 'assistant', content })
const text = (text: string): Json => ({ type: 'text', text })
const TURN: Json[] = [
  { role: 'system', content: 'You are an agent.' },
  asked('sort the names'),
  said(text('I sort them.'), {
    type: 'tool-call',
    toolCallId: 't',
    toolName: 'Shell',
    args: { command: 'sort names' },
  }),
  { role: 'tool', content: [{ type: 'tool-result', toolCallId: 't', result: 'ann' }] },
  said(text('Sorted.')),
]

type Own = ReturnType<typeof openCursor>['own']

/** Puts the messages, and answers what the conversation's own row says of them. */
function state(own: Own, messages: readonly Json[], as: 'base64' | 'hex' = 'base64', hex = false): string {
  const parts = messages.map((message) => {
    const bytes = Buffer.from(JSON.stringify(message))
    const id = createHash('sha256').update(bytes).digest()
    const key = `agentKv:blob:${id.toString('hex')}`
    own.db
      .prepare('INSERT OR REPLACE INTO cursorDiskKV (key, value) VALUES (?, ?)')
      .run(key, hex ? bytes.toString('hex') : bytes)
    return field(1, id)
  })
  const root = Buffer.concat([
    ...parts,
    field(8, Buffer.from('turns')),
    field(9, Buffer.from('file:///srv/my%20shop')),
  ])
  return as === 'base64' ? `~${root.toString('base64')}` : root.toString('hex')
}

const TOLD = [
  ['goal', 'sort the names'],
  ['note', 'I sort them.'],
  ['command', '$ sort names'],
  ['conclusion', 'Sorted.'],
]

test.each([
  ['base64', false],
  ['hex', false],
  ['base64', true],
] as const)('a list in %s, messages in hex: %s', async (as, hex) => {
  const { path, own } = openCursor()
  own.composer(conversation(), { conversationState: state(own, TURN, as, hex) })
  const { db, journal } = openJournal({ clock })
  const report = await ingest(journal, path)
  const all = items(db)
  expect(all.map(({ kind, text }) => [kind, text])).toEqual(TOLD)
  expect(report.records).toMatchObject({
    read: 5,
    used: 3,
    errors: 0,
    dropped: { system: 1, 'tool-result': 1 },
  })
  expect(all[0]).toMatchObject({ session: `cursor:${ID}`, project: 'my shop', ts: T0 })
  expect(brokenInvariants(db)).toEqual([])
})

test('read on as it grows, or in one go: the same journal', async () => {
  const { path, own } = openCursor()
  const live = openJournal({ clock })
  for (let n = 1; n <= TURN.length; n++) {
    own.composer(conversation(), { conversationState: state(own, TURN.slice(0, n)) })
    await ingest(live.journal, path)
  }
  const whole = openJournal({ clock })
  await ingest(whole.journal, path)
  expect(dump(live.db)).toBe(dump(whole.db))
  expect(items(live.db)).toHaveLength(TOLD.length)
})

test('where the messages are rows of the conversation, the agent’s copies of them count no second time', async () => {
  const { path, own } = openCursor()
  const c = conversation()
  c.user('sort the names')
  c.said('Sorted.')
  for (const bubble of c.bubbles) own.bubble(c, bubble)
  own.composer(c, { conversationState: state(own, TURN) })
  const { db, journal } = openJournal({ clock })
  const report = await ingest(journal, path)
  expect(items(db).map(({ kind }) => kind)).toEqual(['goal', 'conclusion'])
  expect(report.records.read).toBe(2)
})

test('a list that is none, messages that are gone and roles nobody foresaw cost themselves only', async () => {
  const { path, own } = openCursor()
  const list = state(own, [
    ...TURN,
    { role: 'oracle', content: 'hm' },
    { role: 'user' },
    { role: 'user', content: 'no' },
  ])
  own.composer(conversation(), { conversationState: list })
  const gone = createHash('sha256')
    .update(JSON.stringify(TURN.at(-1)))
    .digest('hex')
  own.db.prepare('DELETE FROM cursorDiskKV WHERE key = ?').run(`agentKv:blob:${gone}`)
  for (const [n, odd] of [
    '~',
    '~!!',
    'zz',
    7,
    null,
    { a: 1 },
    `~${Buffer.from([10, 200, 1]).toString('base64')}`,
  ].entries())
    own.composer(conversation(`odd-${n}`), { conversationState: odd })
  const { db, journal } = openJournal({ clock })
  const report = await ingest(journal, path)
  expect(items(db).map(({ text }) => text)).toEqual(['sort the names', 'I sort them.', '$ sort names', 'no'])
  expect(report.records.dropped).toMatchObject({ 'unknown: oracle': 1, empty: 1 })
  expect(db.all('SELECT reason FROM file_errors')).toEqual([{ reason: 'a message that is not there' }])
  expect(brokenInvariants(db)).toEqual([])
})
