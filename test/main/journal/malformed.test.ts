import { rmSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { enrol, ingestSources, targetAt } from '../../../src/main/journal'
import { temporaryFolder } from '../../support'
import { damage, mutation } from './damage'
import { rollout } from './rollouts'
import { brokenInvariants, type Json, jsonl, openJournal, put, scribe } from './transcripts'

// Transcripts that no program ever wrote: records of known names with values of any shape, and real ones damaged. The
// long form makes 3,000 of them.

const FILES = 60 * (process.env.FOVEA_SOAK ? 5 * Number(process.env.FOVEA_SOAK) : 1)

const NAMES =
  `type role content text uuid parentUuid sessionId session session_id id timestamp ts message payload cwd
  toolUseResult tool_use_id name input call_id arguments output parts data metadata mapping children messages sender
  chat_messages isMeta isSidechain isCompactSummary planContent turn_id item toolCalls args result status $set $rewindTo
  parentId toolRequests success say ask ordinal`.split(/\s+/)
const WORDS = `user assistant system tool progress attachment summary tool_use tool_result text thinking image
  response_item event_msg session_meta turn_context compacted user_message agent_message function_call message gemini
  info human session.start user.message assistant.message tool.execution_complete turn_ended ExitPlanMode Bash Edit
  TodoWrite apply_patch 2026-03-03T09:00:00Z plan`.split(/\s+/)

const value: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom<unknown>(...WORDS),
    fc.constantFrom<unknown>(
      null,
      true,
      0,
      -1,
      1e300,
      '',
      '\0',
      '\ud83d',
      {},
      [],
      [[]],
      '<user_query>',
      '{"a":',
    ),
    fc.string({ maxLength: 12 }),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom(...NAMES), tie('value'), { maxKeys: 6 }),
  ),
})).value
const record = fc.dictionary(fc.constantFrom(...NAMES), value, { minKeys: 1, maxKeys: 9 })
const made = fc.array(record, { minLength: 1, maxLength: 12 }).map(jsonl)

function written(): Record<string, string> {
  const s = scribe()
  s.user('build the cart')
  s.said('I look.')
  s.call('c1', 'Bash', { command: 'ls' })
  s.result('c1', 'a.ts', { toolUseResult: { stdout: 'a.ts', stderr: '' } })
  s.call('c2', 'ExitPlanMode', { plan: '1. Build it' })
  s.result('c2', 'User has approved your plan. You can now start coding.')
  s.said('Built.')
  const r = rollout(1)
  r.meta()
  r.turn()
  r.user('write the importer')
  r.said('It is written.')
  const said = (role: string, text: string): Json => ({
    role,
    message: { content: [{ type: 'text', text }] },
  })
  return {
    'claude.jsonl': s.text(),
    'codex.jsonl': jsonl(r.lines),
    'cursor.jsonl': jsonl([
      said('user', '<user_query>sort</user_query>'),
      said('assistant', 'Sorted.'),
      { type: 'turn_ended' },
    ]),
    'generic.jsonl': jsonl([
      { session: 's', id: '1', ts: 1772528400000, role: 'user', text: 'sort the names' },
      { session: 's', id: '2', role: 'assistant', text: 'Sorted.', goal: 'sort' },
    ]),
    'copilot.jsonl': jsonl([
      {
        type: 'session.start',
        id: 'a',
        timestamp: '2026-03-03T09:00:00Z',
        data: { sessionId: 'S', context: { cwd: '/srv' } },
      },
      {
        type: 'user.message',
        id: 'b',
        parentId: 'a',
        timestamp: '2026-03-03T09:00:01Z',
        data: { content: 'sort' },
      },
      { type: 'assistant.message', id: 'c', parentId: 'b', data: { content: 'Sorted.', toolRequests: [] } },
    ]),
    'gemini.jsonl': jsonl([
      { sessionId: 'S', projectHash: 'h', startTime: '2026-03-03T09:00:00Z', kind: 'main' },
      { id: 'a', type: 'user', timestamp: '2026-03-03T09:00:01Z', content: 'sort' },
      {
        id: 'b',
        type: 'gemini',
        content: 'Sorted.',
        toolCalls: [{ id: 't', name: 'shell', args: {}, status: 'success' }],
      },
      { $rewindTo: 'a' },
    ]),
    'chatgpt.json': JSON.stringify([
      {
        title: 't',
        conversation_id: 'c',
        current_node: 'b',
        mapping: {
          a: {
            id: 'a',
            parent: null,
            children: ['b'],
            message: { author: { role: 'user' }, content: { parts: ['sort'] } },
          },
          b: {
            id: 'b',
            parent: 'a',
            children: [],
            message: { author: { role: 'assistant' }, content: { parts: ['Sorted.'] } },
          },
        },
      },
    ]),
    'claude.json': JSON.stringify([
      { uuid: 'u', name: 'n', chat_messages: [{ uuid: 'm', sender: 'human', text: 'sort', content: [] }] },
    ]),
    'gemini.json': JSON.stringify({
      sessionId: 'S',
      projectHash: 'h',
      messages: [{ id: 'a', type: 'user', content: 'sort' }],
    }),
    '.aider.chat.history.md':
      '\n# aider chat started at 2026-03-01 10:00:00\n\n#### sort  \n\nSorted.\n\n> Applied edit to a.ts  \n',
    'talk.md': '## User\n\nsort the names\n\n## Assistant\n\nSorted.\n',
    'story.md':
      '<!-- Generated by SpecStory, Markdown v2.1.0 -->\n\n# 2026-03-01\n\n<!-- Claude Code Session 0b6d1f52-9a34-4c1e-8f77-3a2b1c0d9e8f (2026-03-01 10:00:00Z) -->\n\n_**User (2026-03-01 10:00:01Z)**_\n\nsort\n\n---\n\n_**Agent (m 2026-03-01 10:00:02Z)**_\n\nSorted.\n\n---\n',
  }
}

const WRITTEN = Object.entries(written())
const file = fc.oneof(
  made.map((text) => ({ name: 'made.jsonl', bytes: Buffer.from(text) })),
  fc.tuple(made, fc.array(mutation, { minLength: 1, maxLength: 4 })).map(([text, changes]) => ({
    name: 'made.jsonl',
    bytes: damage(text, changes),
  })),
  fc
    .tuple(fc.constantFrom(...WRITTEN), fc.array(mutation, { minLength: 1, maxLength: 8 }))
    .map(([[name, text], changes]) => ({
      name,
      bytes: damage(text, changes),
    })),
  // A known record in which one value is another.
  fc
    .tuple(
      fc.constantFrom(...WRITTEN.filter(([name]) => name.endsWith('.jsonl'))),
      fc.nat(),
      fc.constantFrom(...NAMES),
      value,
    )
    .map(([[name, text], at, key, odd]) => {
      const lines = text.trim().split('\n')
      const where = at % lines.length
      lines[where] = JSON.stringify({ ...(JSON.parse(lines[where] ?? '{}') as Json), [key]: odd })
      return { name, bytes: Buffer.from(`${lines.join('\n')}\n`) }
    }),
)

test(
  `${FILES} malformed transcripts: none crashes or hangs, and every record is accounted for`,
  async () => {
    const root = temporaryFolder()
    const { db, journal } = openJournal()
    enrol(journal, { path: root })
    let n = 0
    await fc.assert(
      fc.asyncProperty(file, async ({ name, bytes }) => {
        const path = put(join(root, `f${n++}`, name), bytes)
        const { records } = await ingestSources(journal, [targetAt(journal, { path })])
        const dropped = Object.values(records.dropped).reduce((sum, one) => sum + one, 0)
        expect(records.used + records.attached + dropped + records.duplicates + records.errors).toBe(
          records.read,
        )
        if (n % 50 === 0) expect(brokenInvariants(db)).toEqual([])
        rmSync(path)
      }),
      { numRuns: FILES },
    )
    expect(brokenInvariants(db)).toEqual([])
  },
  FILES * 2_000,
)
