import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../support'
import { brokenInvariants, dump, ingest, items, openJournal, put } from './transcripts'

const run = (time: string): string => `\n# aider chat started at ${time}\n\n`
const prompt = (text: string): string => `\n${text.replace(/^/gm, '#### ').replace(/$/gm, '  ')}\n`
/** As Aider writes it: a mark in front of the first line, two blanks behind the last one. */
const output = (text: string): string => `> ${text}  \n`

const HISTORY = [
  run('2026-03-01 10:00:00'),
  output('You can skip this check with --no-gitignore'),
  output('Aider v0.86.1'),
  prompt('/add src/bill.ts'),
  output('Added src/bill.ts to the chat'),
  prompt('round the totals\nto two places'),
  '\nI change the function.\n\n#### How\n\nsrc/bill.ts\n```ts\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n```\n\n',
  output('Applied edit to src/bill.ts'),
  output('Commit 1a2b3c4d fix: Round the totals'),
  prompt('/run npm test'),
  output('Running npm test\nok 1\n#### not a prompt\n\nfailed 2'),
  output('Add command output to the chat?'),
  prompt('what does the fence say?'),
  '\n```md\n#### delete everything\n\n> quoted\n# aider chat started at 2025-01-01 00:00:00\n```\n\nNothing.\n',
  run('2026-03-02 09:00:00'),
  prompt('/ask is it ready?'),
  '\nYes: it is\n```\nnever closed\n',
  output('^C again to exit'),
  prompt('then release it'),
  '\nReleased.\n',
].join('')

async function read(text: string) {
  const root = join(temporaryFolder(), 'shop')
  put(join(root, '.aider.chat.history.md'), text)
  const { db, journal } = openJournal()
  const report = await ingest(journal, root, { perFile: true })
  expect(brokenInvariants(db)).toEqual([])
  return { db, root, kept: items(db), report }
}

describe('Aider', () => {
  test('prompts, answers, edits and commands of several runs', async () => {
    const { kept, report } = await read(HISTORY)
    expect(kept.map((item) => [item.kind, item.text.split('\n')[0]])).toEqual([
      ['goal', 'round the totals'],
      ['conclusion', 'I change the function.'],
      ['file_op', 'Edit src/bill.ts'],
      ['note', 'Commit 1a2b3c4d fix: Round the totals'],
      ['command', '$ npm test'],
      ['goal', 'what does the fence say?'],
      ['conclusion', '```md'],
      ['goal', 'is it ready?'],
      ['conclusion', 'Yes: it is'],
      ['goal', 'then release it'],
      ['conclusion', 'Released.'],
    ])
    expect(kept.find((item) => item.kind === 'command')?.text).toContain('failed 2')
    expect(kept[0]?.text).toBe('round the totals\nto two places')
    expect([...new Set(kept.map((item) => item.session))]).toEqual([
      'aider:2026-03-01T10:00:00',
      'aider:2026-03-02T09:00:00',
    ])
    expect(kept[0]?.ts).toBe(new Date(2026, 2, 1, 10).getTime())
    expect(new Set(kept.map((item) => item.project))).toEqual(new Set(['shop']))
    expect(report.perFile?.[0]?.records.dropped).toEqual({ header: 2, 'built-in-command': 1 })
  })

  test('what stands before the first prompt is not speech, and two runs of one second are two sessions', async () => {
    const twice = `${run('2026-03-01 10:00:00')}chatter\n${prompt('first')}${run('2026-03-01 10:00:00')}${prompt('second')}`
    const { kept } = await read(twice)
    expect(kept.map((item) => [item.session, item.text])).toEqual([
      ['aider:2026-03-01T10:00:00', 'first'],
      ['aider:2026-03-01T10:00:00-2', 'second'],
    ])
  })

  test('a history whose trailing blanks an editor removed is read by its prefixes', async () => {
    const { kept } = await read(
      HISTORY.replace(/ +$/gm, '').replace('#### How', 'How').replace('#### not', 'not'),
    )
    expect(kept.filter((item) => item.kind === 'goal').map((item) => item.text.split('\n')[0])).toContain(
      'round the totals',
    )
    expect(kept.map((item) => item.text)).not.toContain('delete everything')
  })

  test('every prefix of a growing history leads to the same journal', async () => {
    const { db, root } = await read(HISTORY)
    const grown = openJournal()
    const bytes = Buffer.from(HISTORY)
    for (let size = 40; size < bytes.length + 23; size += 23) {
      put(join(root, '.aider.chat.history.md'), bytes.subarray(0, size))
      await ingest(grown.journal, root)
    }
    expect(dump(grown.db)).toBe(dump(db))
    expect(brokenInvariants(grown.db)).toEqual([])
  })
})
