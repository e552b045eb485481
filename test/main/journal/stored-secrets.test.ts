import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { dumpLines } from '../../../src/main/journal'
import { temporaryFolder } from '../../support'
import { clock, conversation, cursorDatabase } from './cursor-support'
import { opencodeDatabase, opencodeSession, opencodeTree, said, tool } from './opencode-support'
import { brokenInvariants, ingest, type Json, jsonl, openJournal, put } from './transcripts'

// Keys planted in every field of what databases and small files hold are in no file of the data folder.

const keys: string[] = []
/** A key of a known kind, made up here so that none stands in this file. */
function key(): string {
  const hex = createHash('sha256').update(`planted ${keys.length}`).digest('hex')
  const kinds = [
    `AKIA${hex.toUpperCase().slice(0, 16)}`,
    `ghp_${hex.slice(0, 36)}`,
    `sk-ant-api03-${hex}${hex.slice(0, 16)}`,
  ]
  const made = kinds[keys.length % 3] as string
  keys.push(made)
  return made
}

/** Every string gets a key of its own, but for the words that make it a record. */
const FRAME = new Set(['type', 'role', 'status', 'tool', 'mime', 'reason', 'userDecision', 'mode'])
function planted(value: unknown, name = ''): unknown {
  if (typeof value === 'string' && !FRAME.has(name)) {
    // JSON in a string is planted inside.
    if (value.startsWith('{')) return JSON.stringify(planted(JSON.parse(value)))
    return `${value} ${key()}`
  }
  if (Array.isArray(value)) return value.map((one) => planted(one))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([at, one]) => [at, planted(one, at)]))
}

async function leaked(path: string): Promise<string[]> {
  const { db, journal } = openJournal({ clock })
  const report = await ingest(journal, path)
  expect(report.new).toBeGreaterThan(4)
  expect(report.masked).toBeGreaterThan(4)
  expect(brokenInvariants(db)).toEqual([])
  const files = readdirSync(join(db.path, '..')).map((file) => readFileSync(join(db.path, '..', file)))
  const bytes = Buffer.concat([...files, Buffer.from([...dumpLines(db)].join('\n'))])
  return keys.filter((secret) => bytes.includes(secret.slice(0, 60)))
}

function session() {
  const s = opencodeSession('ses_a1', planted({ title: 'Shop', directory: '/srv/shop' }) as Json)
  const parts = [
    tool('bash', { command: 'make', description: 'Make' }, { output: 'out', metadata: { exit: 1 } }),
    tool('edit', { filePath: '/a', oldString: 'a', newString: 'b' }),
    tool('strange', { a: 'b' }, { status: 'error', error: 'no' }),
    tool('question', { questions: [{ question: 'Which?' }] }, { metadata: { answers: [['csv']] } }),
    tool(
      'bash',
      { command: 'rm' },
      { status: 'error', error: 'The user rejected permission: following feedback: keep' },
    ),
    said('Done.'),
    { type: 'brand-new', a: 'b' },
  ]
  s.user(`sort ${key()}`, {
    type: 'file',
    mime: 'image/png',
    filename: `a ${key()}.png`,
    url: `file:///${key()}`,
  })
  s.agent(...parts.map((part) => planted(part) as Json))
  for (const message of s.session.messages)
    for (const part of message.parts) if (part.data.type === 'tool') part.data.callID = key()
  return s.session
}

test('opencode: its database and its files', async () => {
  const root = join(temporaryFolder(), 'opencode')
  const own = opencodeDatabase(join(root, 'opencode.db'))
  onTestFinished(() => void own.db.close())
  own.all(session())
  opencodeTree(root, session())
  expect(await leaked(root)).toEqual([])
})

test('Cursor: its database and its transcripts', async () => {
  const root = temporaryFolder()
  const own = cursorDatabase(join(root, 'globalStorage', 'state.vscdb'))
  onTestFinished(() => void own.db.close())
  const c = conversation(key(), { name: `The shop ${key()}`, createdOnBranch: `b-${key()}` })
  c.user('sort the names', { workspaceUris: [`file:///srv/${key()}`] })
  c.tool('run_terminal_cmd', { command: 'make' }, { result: '{"output":"no","exitCode":2}' })
  c.tool('search_replace', { file_path: '/a', old_string: 'a', new_string: 'b' })
  c.tool('mcp_strange', { a: 'b' }, { status: 'error', error: { message: 'no' } })
  c.tool('create_plan', { name: 'N', plan: 'P' }, { result: '{"rejected":{"reason":"keep"}}' })
  c.said('Sorted.')
  c.said('', { errorDetails: { message: 'lost' } })
  for (const bubble of c.bubbles) {
    bubble.id = `${bubble.id}${key()}`
    bubble.value = planted({ ...bubble.value, createdAt: null }) as Json
  }
  own.all(c)
  const lines = [
    { role: 'user', message: { content: 'sort the names' } },
    {
      role: 'assistant',
      message: { content: [{ type: 'tool_use', id: 'a', name: 'Shell', input: { command: 'm' } }] },
    },
    { role: 'assistant', message: { content: [{ type: 'text', text: 'Sorted.' }] } },
    { type: 'turn_ended', status: 'error', error: 'lost' },
  ]
  put(
    join(root, 'p', 'agent-transcripts', `${key()}.jsonl`),
    jsonl(lines.map((line) => planted(line) as Json)),
  )
  expect(await leaked(root)).toEqual([])
})
