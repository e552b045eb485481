import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { dumpLines } from '../../../src/main/journal'
import { temporaryFolder } from '../../support'
import { rollout } from './rollouts'
import { brokenInvariants, ingest, type Json, jsonl, openJournal, put } from './transcripts'

/** A key of a known kind, made up here so that none stands in this file. */
function key(n: number): string {
  const hex = createHash('sha256').update(`planted ${n}`).digest('hex')
  return [
    `AKIA${hex.toUpperCase().slice(0, 16)}`,
    `ghp_${hex.slice(0, 36)}`,
    `sk-ant-api03-${hex}${hex.slice(0, 16)}`,
  ][n % 3] as string
}

/** Every string of a record gets a key of its own, but for the words that make it a record. */
function plant(records: readonly Json[], keep: ReadonlySet<string>): { records: Json[]; keys: string[] } {
  const keys: string[] = []
  const walk = (value: unknown, name: string): unknown => {
    if (typeof value === 'string' && !keep.has(name)) {
      const secret = key(keys.length)
      keys.push(secret)
      return value.startsWith('{') ? value : `${value} ${secret}`
    }
    if (Array.isArray(value)) return value.map((one) => walk(one, name))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([at, one]) => [at, walk(one, at)]))
  }
  return { records: records.map((record) => walk(record, '') as Json), keys }
}

async function search(records: readonly Json[], keys: readonly string[], name: string): Promise<string[]> {
  const { db, journal } = openJournal()
  const path = put(join(temporaryFolder(), name), jsonl(records))
  const report = await ingest(journal, path)
  expect(report.new).toBeGreaterThan(3)
  expect(report.masked).toBeGreaterThan(3)
  expect(brokenInvariants(db)).toEqual([])
  const files = readdirSync(join(db.path, '..')).map((file) => readFileSync(join(db.path, '..', file)))
  const bytes = Buffer.concat([...files, Buffer.from([...dumpLines(db)].join('\n'))])
  return keys.filter((secret) => bytes.includes(secret.slice(0, 60)))
}

const FRAME = new Set(['type', 'role', 'timestamp', 'status'])

test('keys planted in every field of a Codex rollout are in no file of the data folder', async () => {
  const s = rollout(1)
  s.meta({ forked_from_id: 'another', source: 'cli' })
  const turn_id = s.turn('plan')
  s.user('write the exporter')
  s.call('call_0123456789abcdefgh', 'shell', { command: 'ls' })
  s.output('call_0123456789abcdefgh', 'Exit code: 1\nOutput:\nfailed')
  s.call('call_x', 'strange_tool', { a: 'b' })
  s.output('call_x', 'exec command rejected by user')
  s.call('call_y', 'apply_patch', '*** Begin Patch\n*** Update File: a.ts\n-a\n+b')
  s.event('item_completed', { turn_id, item: { type: 'Plan', id: 'p', text: '# Plan' } })
  s.event('thread_name_updated', { thread_name: 'A name' })
  s.event('a_new_event', { x: 'y' })
  s.said('Done.')
  const { records, keys } = plant(s.lines, FRAME)
  // Halfway through nothing may lie about in what is kept for the next reading either.
  for (const until of [records.length - 4, records.length])
    expect(await search(records.slice(0, until), keys, 'r.jsonl')).toEqual([])
})

test('keys planted in every field of Copilot’s events and Gemini’s messages are in no file either', async () => {
  const event = (type: string, data: Json, n: number): Json => ({
    type,
    data,
    id: `e${n}`,
    timestamp: `2026-06-22T10:00:0${n}Z`,
  })
  const events = [
    event('session.start', { sessionId: 's', context: { cwd: '/srv/shop', branch: 'main' } }, 1),
    event('user.message', { content: 'write it' }, 2),
    event(
      'assistant.message',
      { content: 'Yes', toolRequests: [{ toolCallId: 't1', name: 'bash', arguments: { command: 'ls' } }] },
      3,
    ),
    event('tool.execution_complete', { toolCallId: 't1', success: false, result: { content: 'x' } }, 4),
    event('session.title_changed', { title: 'A title' }, 5),
    event(
      'assistant.message',
      {
        content: 'Done',
        toolRequests: [{ toolCallId: 't2', name: 'exit_plan_mode', arguments: { summary: 'x' } }],
      },
      6,
    ),
  ]
  const copilot = plant(events, new Set([...FRAME, 'name', 'toolCallId']))
  expect(await search(copilot.records, copilot.keys, 'events.jsonl')).toEqual([])
  const messages = [
    { sessionId: 's', projectHash: 'f', startTime: '2026-06-22T10:00:00Z', directories: ['/srv/shop'] },
    { id: 'u1', timestamp: '2026-06-22T10:00:01Z', type: 'user', content: 'write it' },
    {
      id: 'g1',
      timestamp: '2026-06-22T10:00:02Z',
      type: 'gemini',
      content: 'Yes',
      toolCalls: [{ id: 'c', name: 'run_shell_command', args: { command: 'ls' }, status: 'cancelled' }],
    },
    { $set: { summary: 'A title', messages: [{ id: 'g2', type: 'gemini', content: 'Done' }] } },
  ]
  const gemini = plant(messages, FRAME)
  expect(await search(gemini.records, gemini.keys, 's.jsonl')).toEqual([])
})
