import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { detect } from '../../../src/main/journal'
import { temporaryFolder } from '../../support'
import { ID } from './cursor-support'
import { brokenInvariants, dump, ingest, items, jsonl, openJournal, put } from './transcripts'

// Cursor's older agent transcripts, as plain text.

const TEXT = `user:
<cursor_commands>
Always be brief.
</cursor_commands>
<user_query>
sort the names

assistant:
is a word of mine here
</user_query>

assistant:
[Thinking] They want the names sorted. I look first.
I look at the list.
[Tool call] Read
  path: /srv/shop/names.txt

[Tool result] Read
ann
user:

assistant:
[Thinking]
  now sort them
  for good
[Tool call] Shell
  command: sort names.txt
  | uniq
  description: Sort the names

[Tool result] Shell

[Tool call] Write
  path: /srv/shop/sorted.txt
  contents: ann

bob

[Tool result] Write

assistant:
Sorted. The file begins so:
\`\`\`
user:

assistant:
\`\`\`

user:
yes

assistant:
Good.

user:
<user_query>translate the manual</user_query>

assistant:
It is translated.
`

const TOLD = [
  ['goal', 'sort the names\n\nassistant:\nis a word of mine here'],
  ['note', 'I look at the list.'],
  ['file_op', 'Read /srv/shop/names.txt'],
  ['command', expect.stringContaining('$ sort names.txt\n  | uniq')],
  ['file_op', 'Write /srv/shop/sorted.txt\nann\n\nbob'],
  ['conclusion', 'Sorted. The file begins so:\n```\nuser:\n\nassistant:\n```'],
  ['note', 'yes'],
  ['conclusion', 'Good.'],
  ['goal', 'translate the manual'],
  ['conclusion', 'It is translated.'],
]

const placed = (root: string, end = 'txt'): string =>
  join(root, '.cursor', 'projects', 'srv-shop', 'agent-transcripts', `${ID}.${end}`)

async function read(text: string) {
  const root = temporaryFolder()
  const path = put(placed(root), text)
  const { db, journal } = openJournal()
  const report = await ingest(journal, root, { perFile: true })
  expect(brokenInvariants(db)).toEqual([])
  return { db, journal, root, path, report, kept: items(db) }
}

describe('Cursor’s plain text', () => {
  test('a turn: the request, what was done for it, the closing statement; nothing of what tools printed', async () => {
    const { kept, report } = await read(TEXT)
    expect(kept.map(({ kind, text }) => [kind, text])).toEqual(TOLD)
    expect(new Set(kept.map(({ session }) => session))).toEqual(new Set([`cursor:${ID}`]))
    expect(report.perFile?.map(({ format }) => format)).toEqual(['cursor'])
    expect(report.records).toMatchObject({ read: 8, used: 8, errors: 0 })
    expect(kept[0]?.goal).toBe(kept[4]?.goal)
  })

  test('it is proposed where it lies, and other plain text is passed over', async () => {
    const { root } = await read(TEXT)
    const { db } = openJournal()
    expect(detect(db, {}, root)).toMatchObject([{ agent: 'cursor', files: 1 }])
    const other = openJournal()
    put(join(root, 'notes.txt'), TEXT)
    put(join(root, '.cursor', 'projects', 'srv-shop', 'agent-tools', 'out.txt'), TEXT)
    await ingest(other.journal, root)
    expect(items(other.db)).toHaveLength(TOLD.length)
  })

  test('beside its later transcript each thing counts once, whichever is read first', async () => {
    const line = (role: string, ...content: object[]) => ({ role, message: { content } })
    const lines = jsonl([
      line('user', { type: 'text', text: '<user_query>translate the manual</user_query>' }),
      line(
        'assistant',
        { type: 'text', text: 'I read it.' },
        { type: 'tool_use', id: 'a', name: 'Read', input: { path: '/srv/shop/manual.md' } },
      ),
      line('assistant', { type: 'text', text: 'It is translated.' }),
    ])
    const text =
      'user:\n<user_query>\ntranslate the manual\n</user_query>\n\nassistant:\nI read it.\n[Tool call] Read\n' +
      '  path: /srv/shop/manual.md\n\n[Tool result] Read\n\nassistant:\nIt is translated.\n'
    const dumps: string[] = []
    for (const first of ['txt', 'jsonl']) {
      const root = temporaryFolder()
      const { db, journal } = openJournal()
      put(placed(root, first), first === 'txt' ? text : lines)
      await ingest(journal, root)
      const second = first === 'txt' ? 'jsonl' : 'txt'
      put(placed(root, second), second === 'txt' ? text : lines)
      await ingest(journal, root)
      expect(brokenInvariants(db)).toEqual([])
      expect(items(db).map(({ kind }) => kind)).toEqual(['goal', 'note', 'file_op', 'conclusion'])
      dumps.push(
        items(db)
          .map(({ handle }) => handle)
          .join(),
      )
    }
    expect(dumps[1]).toBe(dumps[0])
  })

  test('cut at arbitrary bytes as it grows it leads to the same journal', async () => {
    const { db, root } = await read(TEXT)
    const expected = dump(db)
    const bytes = Buffer.from(TEXT)
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(fc.nat(bytes.length), { maxLength: 8 }), async (cuts) => {
        const grown = openJournal()
        for (const size of [...cuts.sort((a, b) => a - b), bytes.length]) {
          put(placed(root), bytes.subarray(0, size))
          await ingest(grown.journal, root)
        }
        expect(brokenInvariants(grown.db)).toEqual([])
        expect(dump(grown.db)).toBe(expected)
      }),
      { numRuns: 12 * Number(process.env.FOVEA_SOAK ?? 1) },
    )
  }, 120_000)
})
