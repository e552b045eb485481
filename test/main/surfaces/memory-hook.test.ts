import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { takeTurn } from '../../../src/main/gates'
import { newReceiptId, type RecallPorts } from '../../../src/main/hydration'
import { strip, wrap } from '../../../src/main/journal'
import { countTokens, noEmbedder } from '../../../src/main/models'
import { traceSql, type WriteDb } from '../../../src/main/store'
import { memoryHook } from '../../../src/main/surfaces/hooks'
import { Trace } from '../../../src/shared/attention'
import { calls } from '../../../src/shared/contract'
import { HookSettings } from '../../../src/shared/hooks'
import { temporaryDb, temporaryFolder } from '../../support'
import { busy, liveRoom, receiptsIn } from '../gates/turn-support'
import { brokenInvariants, ingest, items, openJournal, put, scribe } from '../journal/transcripts'

/** The calls the hook makes, answered by the rooms themselves over one database. */
function callOver(ports: RecallPorts, settings: Partial<HookSettings> = {}) {
  const asked: string[] = []
  const call = async (name: string, input: unknown): Promise<unknown> => {
    asked.push(name)
    if (name === 'settings.get') return { hooks: { ...HookSettings.parse({}), ...settings } }
    if (name === 'turn.run') return takeTurn(ports, calls['turn.run'].input.parse(input))
    const { id } = calls['traces.get'].input.parse(input) as { id: string }
    return { trace: Trace.parse(JSON.parse(traceSql.traceById(ports.read, id)?.body ?? '')) }
  }
  return { call: call as Parameters<typeof memoryHook>[1], asked }
}

const prompted = (prompt: unknown, more: object = {}): string =>
  JSON.stringify({
    session_id: 'aaaaaaaa-1111',
    transcript_path: '/home/a/.claude/projects/-p-shop/aaaaaaaa-1111.jsonl',
    cwd: '/p/shop',
    permission_mode: 'default',
    hook_event_name: 'UserPromptSubmit',
    prompt,
    ...more,
  })
const started = (source: string, more: object = {}): string =>
  JSON.stringify({
    session_id: 'aaaaaaaa-1111',
    transcript_path: '/t.jsonl',
    cwd: '/p/shop',
    hook_event_name: 'SessionStart',
    source,
    ...more,
  })

const contextIn = (output: string): string => JSON.parse(output).hookSpecificOutput.additionalContext

function busyRoom(settings: Partial<HookSettings> = {}) {
  const room = liveRoom()
  busy(room)
  return { room, ...callOver(room.ports, settings) }
}

describe('a prompt', () => {
  test('is given what memory holds for it, in the agent’s own form and in an envelope, and no more', async () => {
    const { room, call } = busyRoom()
    const { event, outcome, output } = await memoryHook(prompted('Is the webhook retry in a queue?'), call)
    expect([event, outcome]).toEqual(['UserPromptSubmit', 'told'])
    expect(JSON.parse(output)).toEqual({
      hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext: expect.any(String) },
    })
    const context = contextIn(output)
    expect(strip(`before ${context} after`, receiptsIn(room.ports.read)).replace(/\s+/g, ' ')).toBe(
      'before after',
    )
    expect(context).toContain('The webhook retry was moved into a queue.')
    // Its own session and the prompt stand before the agent already.
    expect(context).not.toMatch(/npm test|Add a key|Is the webhook retry in a queue/)
  })

  test('costs at most what the person allows', async () => {
    for (const budget of [200, 400, 1500]) {
      const { room, call } = busyRoom({ budget })
      for (let i = 0; i < 40; i++)
        room.put({
          session: 'claude-code:eeeeeeee-5555',
          kind: 'conclusion',
          text: `Webhook retry ${i} waits in the queue ${'and waits '.repeat(i)}.`,
        })
      const { output } = await memoryHook(prompted('webhook retry in the queue'), call)
      const tokens = countTokens(contextIn(output), 'o200k')
      expect(tokens).toBeLessThanOrEqual(budget)
      expect(tokens).toBeGreaterThan(budget / 3)
    }
  })

  test.each([
    ['of nothing', '   '],
    ['of one word', 'yes'],
    ['to the agent’s own program', '/review the webhook retry'],
    ['that a tool made', '<task-notification>\nwebhook retry queue\n</task-notification>'],
  ])('%s asks for nothing, and nothing is made', async (_what, prompt) => {
    const { room, call, asked } = busyRoom()
    expect(await memoryHook(prompted(prompt), call)).toMatchObject({ outcome: 'not-asked', output: '' })
    expect(asked).toEqual([])
    expect(room.db.get('SELECT count(*) AS n FROM receipts')).toEqual({ n: 0 })
  })

  test('a path is no order to the agent’s program', async () => {
    const { call } = busyRoom()
    const { outcome } = await memoryHook(prompted('/p/retry.ts holds the webhook retry queue, why?'), call)
    expect(outcome).toBe('told')
  })

  test('that nothing in memory comes near is given nothing', async () => {
    const room = liveRoom()
    room.put({ session: 'claude-code:dddddddd-4444', kind: 'conclusion', text: 'The retry waits.' })
    const { call } = callOver(room.ports)
    const payload = prompted('banana bread with walnuts and raisins please', { session_id: 'new-one' })
    expect(await memoryHook(payload, call)).toMatchObject({ outcome: 'nothing-near', output: '' })
  })

  test('is given memory only when it holds a phrase, where the person set some', async () => {
    const { call } = busyRoom({ phrases: ['Do you remember'] })
    expect((await memoryHook(prompted('webhook retry in a queue?'), call)).outcome).toBe('no-phrase')
    const payload = prompted('do you remember the webhook retry in a queue?')
    expect((await memoryHook(payload, call)).outcome).toBe('told')
    expect((await memoryHook(started('compact'), call)).outcome).toBe('no-phrase')
  })

  test('of five megabytes is answered by its two ends', async () => {
    const { room, call } = busyRoom()
    const long = `Why is this so?\n${'log line 17 of nothing\n'.repeat(230_000)}Is the webhook retry in a queue?`
    const { output } = await memoryHook(prompted(long), call)
    expect(contextIn(output)).toContain('The webhook retry was moved into a queue.')
    expect(room.db.get('SELECT max(length(goal)) < 10000 AS short FROM traces')).toEqual({ short: 1 })
  })
})

describe('a session', () => {
  test('that was compacted is told again what it works on; other starts ask for nothing', async () => {
    const { call } = busyRoom()
    const { event, outcome, output } = await memoryHook(started('compact'), call)
    expect([event, outcome]).toEqual(['SessionStart', 'told'])
    expect(JSON.parse(output).hookSpecificOutput.hookEventName).toBe('SessionStart')
    expect(contextIn(output)).toMatch(/Asked now: Make the webhook retry idempotent[\s\S]*npm test/)
    for (const source of ['startup', 'resume', 'clear', 'something new'])
      expect(await memoryHook(started(source), call)).toMatchObject({ outcome: 'not-asked', output: '' })
  })

  test('that memory never met has nothing to be told again', async () => {
    const { call } = busyRoom()
    const payload = started('compact', { session_id: 'nobody-knows-me' })
    expect(await memoryHook(payload, call)).toMatchObject({ outcome: 'unknown-session', output: '' })
  })
})

test.each([
  ['no JSON', 'hello'],
  ['nothing', ''],
  ['a list', '[]'],
  ['another event', prompted('x y', { hook_event_name: 'Stop' })],
  ['no session', prompted('x y', { session_id: undefined })],
  ['an endless session', prompted('x y', { session_id: 'x'.repeat(400) })],
  ['a prompt that is no text', prompted({ text: 'x y' })],
])('a payload of %s is refused before anything is asked', async (_what, payload) => {
  const { call, asked } = busyRoom()
  await expect(memoryHook(payload, call)).rejects.toMatchObject({ code: 'bad-input' })
  expect(asked).toEqual([])
})

test('a folder of the wrong shape is left out, and the rest stands', async () => {
  const { call } = busyRoom()
  const payload = prompted('Is the webhook retry in a queue?', { cwd: 17 })
  expect((await memoryHook(payload, call)).outcome).toBe('told')
})

const MARK = 'zebrafinch'
/** Where an agent keeps what a hook gave it. */
const forms: Record<string, (context: string, prompt: string) => { content: unknown; extra?: object }[]> = {
  reminder: (context, prompt) => [
    { content: prompt },
    {
      content: `<system-reminder>\nUserPromptSubmit hook additional context: ${context}\n</system-reminder>`,
      extra: { isMeta: true },
    },
  ],
  'before the prompt': (context, prompt) => [{ content: `${context}\n\n${prompt}` }],
  'in the hook’s own tag': (context, prompt) => [
    { content: `<user-prompt-submit-hook>${context}</user-prompt-submit-hook>\n${prompt}` },
  ],
}

test('ten rounds of prompt, hook, transcript and ingest add nothing of what was injected', async () => {
  const { db, journal } = openJournal()
  const root = temporaryFolder()
  const seed = scribe('SEED')
  seed.user(`how do we name the ${MARK} exports?`)
  seed.said(`The ${MARK} exports are named after the day, since the ${MARK} import sorts by name.`)
  put(join(root, 'SEED.jsonl'), seed.text())
  await ingest(journal, root)
  const about = (): string[] =>
    items(db)
      .filter(({ text, data }) => `${text}${JSON.stringify(data)}`.includes(MARK))
      .map(({ handle }) => handle)
  const known = about()
  expect(known).toHaveLength(2)
  let told = 0
  for (let round = 0; round < 10; round++) {
    for (const [name, written] of Object.entries(forms)) {
      const session = `R${round}-${name.replace(/\W/g, '')}`
      const s = scribe(session, { start: Date.parse('2026-03-04T10:00:00Z') + (told + 1) * 60_000 })
      const { call } = callOver(portsOver(db, told))
      const payload = prompted(`how are the ${MARK} exports named, round ${round}?`, { session_id: session })
      const context = contextIn((await memoryHook(payload, call)).output)
      expect(context).toContain(MARK)
      told += 1
      for (const { content, extra } of written(context, `please do number ${told}`))
        s.user(content, { ...extra })
      s.add({
        type: 'attachment',
        uuid: `${session}-hook`,
        sessionId: session,
        timestamp: '2026-03-04T12:00:00Z',
        attachment: { type: 'hook_additional_context', content: [context], hookEvent: 'UserPromptSubmit' },
      })
      s.said(`Done with number ${told}.`)
      put(join(root, `${session}.jsonl`), s.text())
      const before = items(db).length
      const { unknownEnvelopes } = await ingest(journal, root)
      expect(unknownEnvelopes, name).toBe(0)
      // The prompt and the answer, and nothing else.
      expect(items(db).length - before, name).toBe(2)
      expect(about(), name).toEqual(known)
    }
  }
  expect(told).toBe(30)
  expect(brokenInvariants(db)).toEqual([])
}, 120_000)

const portsOver = (db: WriteDb, minute: number): RecallPorts => ({
  read: db,
  write: db,
  embedder: noEmbedder('not needed here'),
  clock: () => Date.parse('2026-03-04T09:00:00Z') + minute * 60_000,
  receiptId: newReceiptId,
  wrap,
  countTokens,
})

test('an empty memory has nothing to tell', async () => {
  const { call } = callOver(portsOver(temporaryDb(), 0))
  expect(await memoryHook(prompted('Is the webhook retry in a queue?'), call)).toMatchObject({
    outcome: 'nothing-near',
    output: '',
  })
})
