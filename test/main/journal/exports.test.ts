import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../support'
import { brokenInvariants, dump, ingest, items, type Json, openJournal, put } from './transcripts'

async function read(files: Record<string, unknown>) {
  const root = temporaryFolder()
  for (const [name, value] of Object.entries(files)) put(join(root, name), JSON.stringify(value))
  const { db, journal } = openJournal()
  const report = await ingest(journal, root, { perFile: true })
  expect(brokenInvariants(db)).toEqual([])
  return { db, journal, root, report, kept: items(db) }
}

const claudeMessage = (uuid: string, sender: string, text: string, extra: Json = {}): Json => ({
  uuid,
  text,
  content: [{ type: 'text', text }],
  sender,
  created_at: `2026-02-01T10:00:0${uuid.at(-1)}Z`,
  attachments: [],
  files: [],
  ...extra,
})
const claudeConversation = (uuid: string, chat_messages: Json[]): Json => ({
  uuid,
  name: `About ${uuid}`,
  created_at: '2026-02-01T10:00:00Z',
  updated_at: '2026-02-01T11:00:00Z',
  account: { uuid: 'acc' },
  chat_messages,
})
const CLAUDE = [
  claudeConversation('c1', [
    claudeMessage('c1-1', 'human', 'sort these', {
      attachments: [{ file_name: 'list.txt', extracted_content: 'b\na' }],
    }),
    claudeMessage('c1-2', 'assistant', 'a, b', {
      content: [
        { type: 'thinking', thinking: 'easy' },
        { type: 'tool_use', id: 't', name: 'web_search', input: { query: 'sort' } },
        { type: 'tool_result', tool_use_id: 't', content: [] },
        { type: 'text', text: 'a, b' },
      ],
    }),
    claudeMessage('c1-3', 'human', 'thanks'),
  ]),
  claudeConversation('c2', []),
]

const node = (
  id: string,
  parent: string | null,
  children: string[],
  role: string | null,
  parts: unknown[],
  extra: Json = {},
): Json => ({
  id,
  parent,
  children,
  message:
    role === null
      ? null
      : {
          id,
          author: { role },
          create_time: 1_767_225_600 + Number(id.slice(1)),
          content: { content_type: 'text', parts },
          recipient: 'all',
          metadata: {},
          ...extra,
        },
})
const CHATGPT: Json[] = [
  {
    title: 'Trees',
    conversation_id: 'g1',
    create_time: 1_767_225_600.5,
    update_time: 1_767_229_200,
    current_node: 'n6',
    mapping: Object.fromEntries(
      [
        node('n6', 'n5', [], 'assistant', ['Pines.']),
        node('n0', null, ['n1'], null, []),
        node('n1', 'n0', ['n2', 'n3'], 'user', [
          'name a tree',
          { content_type: 'image_asset_pointer', asset_pointer: 'file-service://x' },
        ]),
        node('n2', 'n1', [], 'assistant', ['Oaks, the answer that was asked for again.']),
        node('n3', 'n1', ['n4'], 'assistant', [], {
          content: { content_type: 'code', text: 'search("tree")' },
          recipient: 'browser',
        }),
        node('n4', 'n3', ['n5'], 'tool', [], {
          content: { content_type: 'execution_output', text: '3 results' },
          author: { role: 'tool', name: 'browser' },
        }),
        node('n5', 'n4', ['n6'], 'assistant', [], { content: { content_type: 'thoughts', thoughts: [] } }),
      ].map((one) => [String(one.id), one]),
    ),
  },
]

describe('exports', () => {
  test('claude.ai: conversations with attachments and tools', async () => {
    const { kept, report, db } = await read({ 'conversations.json': CLAUDE })
    expect(kept.map((item) => [item.kind, item.role, item.text])).toEqual([
      ['note', 'user', 'Attached list.txt\nb\na'],
      ['goal', 'user', 'sort these'],
      ['note', 'assistant', 'web_search sort'],
      ['conclusion', 'assistant', 'a, b'],
      ['note', 'user', 'thanks'],
    ])
    expect(report.perFile?.[0]?.format).toBe('claude-export')
    expect(report.perFile?.[0]?.records).toMatchObject({ read: 2, used: 1, dropped: { empty: 1 } })
    expect(db.get('SELECT id, title, ended_at - started_at AS ms FROM sessions')).toEqual({
      id: 'claude-export:c1',
      title: 'About c1',
      ms: 3_600_000,
    })
  })

  test('ChatGPT: the tree is walked to its current node, branches that were left are notes', async () => {
    const { kept, report } = await read({ 'conversations-000.json': CHATGPT })
    expect(kept.map((item) => [item.kind, item.role, item.text])).toEqual([
      ['goal', 'user', 'name a tree\n[picture]'],
      ['note', 'assistant', 'browser\nsearch("tree")'],
      ['note', 'tool', '3 results'],
      ['conclusion', 'assistant', 'Pines.'],
      ['note', 'assistant', 'Oaks, the answer that was asked for again.'],
    ])
    expect(report.perFile?.[0]?.format).toBe('chatgpt-export')
    expect(kept[0]?.ts).toBe((1_767_225_600 + 1) * 1000)
  })

  test('a tree whose parents are missing or go in circles ends', async () => {
    const circle = {
      ...CHATGPT[0],
      current_node: 'n2',
      mapping: {
        n1: node('n1', 'n2', ['n2'], 'user', ['ping']),
        n2: node('n2', 'n1', ['n1'], 'assistant', ['pong']),
      },
    }
    const orphan = {
      ...CHATGPT[0],
      conversation_id: 'g2',
      current_node: null,
      mapping: { n8: node('n8', 'gone', [], 'user', ['alone']) },
    }
    const { kept } = await read({ 'conversations.json': [circle, orphan] })
    expect(kept.map((item) => item.text)).toEqual(['ping', 'pong', 'alone'])
  })

  test('a later export of the same conversations adds what is new; a cut one loses nothing that is whole', async () => {
    const { db, journal, root } = await read({ 'conversations.json': CLAUDE })
    const before = items(db).length
    const later = structuredClone(CLAUDE) as { chat_messages: Json[] }[]
    later[1]?.chat_messages.push(claudeMessage('c2-1', 'human', 'a new wish'))
    put(join(root, 'later/conversations.json'), JSON.stringify(later))
    await ingest(journal, root)
    expect(items(db)).toHaveLength(before + 1)
    const text = JSON.stringify(later)
    put(join(root, 'later/conversations.json'), text.slice(0, text.length - 20))
    const report = await ingest(journal, root, { perFile: true })
    const cut = report.perFile?.find((file) => file.file.includes('later'))
    expect(cut?.records).toMatchObject({ read: 2, errors: 1 })
    expect(items(db)).toHaveLength(before + 1)
    expect(brokenInvariants(db)).toEqual([])
  })

  test('a conversation of more messages than a record has slots keeps their order', async () => {
    const many = Array.from({ length: 1_500 }, (_, n) =>
      claudeMessage(`m-${n}`, n % 2 ? 'assistant' : 'human', `word ${n}`, {
        created_at: '2026-02-01T10:00:00Z',
      }),
    )
    const { db } = await read({
      'conversations.json': [
        claudeConversation('c1', many),
        claudeConversation('c9', [claudeMessage('z-1', 'human', 'x')]),
      ],
    })
    expect(
      items(db)
        .filter((item) => item.session.endsWith('c1'))
        .map((item) => item.text),
    ).toEqual(many.map((one) => one.text))
  })

  test('an export of 60 MB is streamed: memory grows by far less than the file', async () => {
    const root = temporaryFolder()
    const path = join(root, 'conversations.json')
    const stream = createWriteStream(path)
    const filler = 'lorem ipsum dolor sit amet '.repeat(400)
    stream.write('[')
    for (let n = 0; n < 500; n++) {
      const messages = Array.from({ length: 11 }, (_, at) =>
        claudeMessage(`u${n}-${at}`, at % 2 ? 'assistant' : 'human', `${n} ${at} ${filler}`),
      )
      stream.write(
        `${n === 0 ? '' : ','}${JSON.stringify(
          claudeConversation(
            `k${n}`,
            messages.map((one) => ({ ...one, content: [] })),
          ),
        )}`,
      )
    }
    stream.end(']')
    await finished(stream)
    const { db, journal } = openJournal()
    const before = process.memoryUsage().rss
    const report = await ingest(journal, path)
    expect(report.records).toMatchObject({ read: 500, used: 500, errors: 0 })
    expect(report.bytes).toBeGreaterThan(55_000_000)
    expect(process.memoryUsage().rss - before).toBeLessThan(300_000_000)
    expect(items(db)).toHaveLength(5_500)
    expect(dump(db).length).toBeGreaterThan(0)
  }, 120_000)
})
