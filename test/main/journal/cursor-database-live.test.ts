import { readdirSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { verifyPointer } from '../../../src/main/journal'
import { temporaryFolder } from '../../support'
import { clock, conversation, cursorDatabase, ID, LATER, openCursor, T0 } from './cursor-support'
import {
  brokenInvariants,
  dump,
  ingest,
  items,
  type Json,
  jsonl,
  type Kept,
  openJournal,
  put,
} from './transcripts'

const told = (all: readonly Kept[]): string[][] => all.map((item) => [item.kind, item.text])

describe('beside its transcript', () => {
  test('what both tell counts once, whichever is read first and in whatever pieces', async () => {
    const root = temporaryFolder()
    const c = conversation()
    c.user('sort the names')
    c.said('I sort them.')
    c.tool('run_terminal_command_v2', { command: 'sort a' }, { result: '{"output":"b","exitCodeV2":0}' })
    c.tool('read_file_v2', { targetFile: '/srv/a.ts' })
    c.tool('web_search', { search_term: 'sorting' }, { result: '{"output":"found"}' })
    c.said('Sorted.')
    const line = (role: string, ...content: Json[]) => ({ role, message: { content } })
    const lines = [
      line('user', { type: 'text', text: '<user_query>\nsort the names\n</user_query>' }),
      line(
        'assistant',
        { type: 'text', text: 'I sort them.' },
        { type: 'tool_use', id: 'a', name: 'Shell', input: { command: 'sort a' } },
      ),
      line('assistant', { type: 'tool_use', id: 'b', name: 'Read', input: { path: '/srv/a.ts' } }),
      line('assistant', { type: 'tool_use', id: 'c', name: 'WebSearch', input: { search_term: 'sorting' } }),
      line('assistant', { type: 'text', text: 'Sorted.' }),
      { type: 'turn_ended', status: 'success' },
      line('user', { type: 'text', text: '<user_query>translate the manual</user_query>' }),
    ]
    const { own, path } = openCursor(root)
    own.all(c)
    own.db.close()
    const transcript = join(root, 'projects', 'p', 'agent-transcripts', ID, `${ID}.jsonl`)
    const bytes = jsonl(lines)
    const expected = [
      ['goal', 'sort the names'],
      ['note', 'I sort them.'],
      ['command', '$ sort a\nb'],
      ['file_op', 'Read /srv/a.ts'],
      ['note', 'WebSearch sorting\n→ found'],
      ['conclusion', 'Sorted.'],
      ['goal', 'translate the manual'],
    ]
    const dumps: string[] = []
    for (const order of [
      [path, transcript],
      [transcript, path],
      [transcript, path, transcript],
    ]) {
      const { db, journal } = openJournal({ clock })
      for (const [n, one] of order.entries()) {
        put(transcript, order.length === 3 && n === 0 ? bytes.slice(0, 300) : bytes)
        await ingest(journal, one)
      }
      await ingest(journal, transcript)
      expect(told(items(db)).sort()).toEqual([...expected].sort())
      expect(brokenInvariants(db)).toEqual([])
      dumps.push(dump(db))
    }
    expect(dumps[1]).toBe(dumps[0])
    expect(dumps[2]).toBe(dumps[0])
  })
})

describe('a database in use', () => {
  test('a pointer leads to the row by its key; nothing in the folder changes', async () => {
    const { root, path, own } = openCursor()
    const c = conversation()
    const first = c.user('sort the names')
    c.said('Sorted.')
    own.all(c)
    const folder = join(root, 'globalStorage')
    const look = () =>
      readdirSync(folder).map((name) => {
        const { mtimeMs, size } = statSync(join(folder, name))
        return [name, size, mtimeMs, readFileSync(join(folder, name)).toString('base64')]
      })
    const before = look()
    const { db, journal } = openJournal({ clock })
    await ingest(journal, root)
    const [goal] = items(db)
    expect(goal?.pointer).toMatchObject({
      file: join(path, ID),
      recordId: `bubbleId:${ID}:${first.id}`,
      line: 1,
    })
    const status = () =>
      verifyPointer({
        file_path: goal?.pointer.file ?? '',
        byte_offset: 0,
        byte_length: goal?.pointer.byteLength ?? 0,
        record_hash: goal?.pointer.hash ?? '',
        record_id: goal?.pointer.recordId ?? null,
      })
    expect(await status()).toBe('unchanged')
    expect(look()).toEqual(before)
    own.bubble(c, { id: first.id, value: { type: 1, text: 'another' } })
    expect(await status()).toBe('changed')
    own.db.prepare('DELETE FROM cursorDiskKV WHERE key LIKE ?').run(`%${ID}%`)
    expect(await status()).toBe('gone')
  })

  test('deleted conversations, rows of nothing, and values nobody foresaw cost themselves only', async () => {
    const { db, journal } = openJournal({ clock })
    const { path, own } = openCursor()
    const c = conversation()
    c.user('sort the names')
    for (const value of [
      'null',
      '[]',
      '7',
      '{"type":9}',
      '{"type":1,"text":{"a":1}}',
      '{"type":2,"toolFormerData":7}',
    ])
      c.bubbles.push({ id: `odd-${c.bubbles.length}`, value: value as unknown as Json })
    c.tool('run_terminal_cmd', {}, { rawArgs: '{"command": ["a"]', params: 7, result: 'plain', error: 7 })
    c.said('Sorted.')
    own.all(c)
    own.set('cursorDiskKV', 'composerData:deleted', null)
    own.set('cursorDiskKV', 'composerData:odd', '[1')
    own.set('cursorDiskKV', `bubbleId:${ID}:left`, null)
    const report = await ingest(journal, path)
    expect(told(items(db))).toEqual([
      ['goal', 'sort the names'],
      ['conclusion', 'Sorted.'],
    ])
    expect(report.records).toMatchObject({ read: 9, used: 2, errors: 3 })
    expect(db.all('SELECT reason FROM file_errors WHERE line = 0')).toEqual([
      { reason: 'a conversation that cannot be read' },
    ])
    expect(brokenInvariants(db)).toEqual([])
  })

  test('read at any moment of its life it ends as the same journal, byte for byte', async () => {
    const root = temporaryFolder()
    const path = join(root, 'state.vscdb')
    const talks = [ID, 'd2d2d2d2-0000'].map((id) => {
      const c = conversation(id)
      for (let n = 0; n < 3; n++) {
        c.user(`build part ${n} of ${id} héllo 😀`)
        c.said('Working.')
        c.tool(
          'run_terminal_cmd',
          { command: `make ${n}` },
          { result: `{"output":"ok","exitCode":${n % 2}}` },
        )
        c.said(`Part ${n} is done.`)
      }
      return c
    })
    type Own = ReturnType<typeof cursorDatabase>
    // As Cursor writes: the list says that something comes, it grows, the list says that it is whole.
    const steps = talks.flatMap((c) =>
      c.bubbles.flatMap((bubble, at) => {
        const tool = bubble.value.toolFormerData as Json | undefined
        const begun = tool
          ? { ...bubble.value, toolFormerData: { ...tool, status: 'loading', result: undefined } }
          : { ...bubble.value, text: bubble.value.type === 1 ? bubble.value.text : '…' }
        const headers = (c.composer().fullConversationHeadersOnly as Json[]).slice(0, at + 1)
        const list = (more: Json) => (own: Own) =>
          own.composer(c, { fullConversationHeadersOnly: headers, lastUpdatedAt: T0 + at * 1000, ...more })
        return [
          list({ status: 'generating', generatingBubbleIds: [bubble.id] }),
          (own: Own) => own.bubble(c, { id: bubble.id, value: begun }),
          (own: Own) => own.bubble(c, bubble),
          list({ status: 'completed' }),
        ]
      }),
    )
    const make = () => {
      for (const end of ['', '-wal', '-shm']) rmSync(`${path}${end}`, { force: true })
      return cursorDatabase(path)
    }
    const whole = openJournal({ clock })
    const first = make()
    for (const step of steps) step(first)
    await ingest(whole.journal, root)
    const expected = dump(whole.db)
    expect(items(whole.db)).toHaveLength(2 * 13)
    first.db.close()
    const looks = fc.array(fc.integer({ min: 0, max: steps.length - 1 }), { maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(looks, fc.boolean(), fc.boolean(), async (at, idle, vacuum) => {
        const own = make()
        const { db, journal } = openJournal({ clock: () => (idle ? LATER : T0) })
        for (const [n, step] of steps.entries()) {
          step(own)
          if (!at.includes(n)) continue
          await ingest(journal, root)
          if (vacuum) own.db.exec('VACUUM')
        }
        own.db.close()
        utimesSync(path, LATER / 1000, LATER / 1000)
        await ingest(journal, root)
        expect(brokenInvariants(db)).toEqual([])
        expect(dump(db)).toBe(expected)
      }),
      { numRuns: 12 * Number(process.env.FOVEA_SOAK ?? 1) },
    )
  }, 120_000)
})
