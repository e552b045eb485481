import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../support'
import { append, brokenInvariants, dump, ingest, items, openJournal, put } from './transcripts'

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

/** What is said on the way is told from a closing statement only by what follows. */
const WORDS_AGAIN = [
  run('2026-03-01 10:00:00'),
  prompt('sort the names'),
  '\nI sort them.\n',
  prompt('!ls'),
  output('ann'),
  '\nThere is one.\n',
  prompt('/run make'),
  output('ok'),
  '\nIt is made.\n\n\n',
  prompt('sort the names'),
  '\nHalf a word: 😀 \ud83d\n',
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

  const atBytes = fc.uniqueArray(fc.nat(Buffer.byteLength(HISTORY)), { maxLength: 10 })
  test.each([
    ['as Aider writes it', HISTORY],
    ['with the line ends of Windows', HISTORY.replaceAll('\n', '\r\n')],
    ['without its trailing blanks', HISTORY.replace(/ +$/gm, '')],
    ['with a command that needs the words before it again', WORDS_AGAIN],
  ])(
    'cut at arbitrary bytes it gives the journal and the counts of one go: %s',
    async (_name, text) => {
      const whole = await read(text)
      const bytes = Buffer.from(text)
      const path = join(whole.root, '.aider.chat.history.md')
      await fc.assert(
        fc.asyncProperty(atBytes, async (cuts) => {
          const { db, journal } = openJournal()
          let report: Awaited<ReturnType<typeof ingest>> | null = null
          for (const size of [...cuts.sort((a, b) => a - b), bytes.length]) {
            put(path, bytes.subarray(0, size))
            report = await ingest(journal, whole.root, { perFile: true })
          }
          expect(brokenInvariants(db)).toEqual([])
          expect(dump(db)).toBe(dump(whole.db))
          expect(report?.perFile).toEqual(whole.report.perFile)
        }),
        { numRuns: 20 * Number(process.env.FOVEA_SOAK ?? 1) },
      )
    },
    120_000,
  )

  test('of a long history only the last turn and what was appended are read', async () => {
    const turns = (from: number, to: number): string =>
      Array.from(
        { length: to - from },
        (_, n) => `${prompt(`request ${from + n}`)}\nIt is done: ${from + n}.\n`,
      ).join('')
    const { db, journal } = openJournal()
    const root = join(temporaryFolder(), 'shop')
    const path = put(join(root, '.aider.chat.history.md'), run('2026-03-01 10:00:00') + turns(0, 2_000))
    await ingest(journal, root)
    append(path, turns(2_000, 2_001))
    const report = await ingest(journal, root)
    expect(report.bytes).toBeLessThan(200)
    expect(report).toMatchObject({ new: 2, records: { read: 2, used: 2 } })
    append(path, 'And it is tested.\n')
    expect((await ingest(journal, root)).bytes).toBeLessThan(200)
    const whole = openJournal()
    await ingest(whole.journal, root)
    expect(dump(db)).toBe(dump(whole.db))
    expect(items(db)).toHaveLength(2 * 2_001)
  })

  test('a history that was changed in what was read is read anew', async () => {
    const { db, journal } = openJournal()
    const root = join(temporaryFolder(), 'shop')
    const path = put(join(root, '.aider.chat.history.md'), HISTORY)
    await ingest(journal, root)
    put(path, `${HISTORY.replace('round the totals', 'round the TOTALS')}${prompt('one more')}`)
    await ingest(journal, root)
    const whole = openJournal()
    await ingest(whole.journal, root)
    expect(items(db).map(({ text }) => text)).toContain('round the TOTALS\nto two places')
    expect(
      items(db)
        .filter(({ kind }) => kind === 'goal')
        .map(({ text }) => text),
    ).toContain('one more')
    expect(brokenInvariants(db)).toEqual([])
  })
})
