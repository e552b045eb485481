import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../support'
import { brokenInvariants, dump, ingest, items, openJournal, put } from './transcripts'

async function read(files: Record<string, string>) {
  const root = temporaryFolder()
  for (const [name, text] of Object.entries(files)) put(join(root, name), text)
  const { db, journal } = openJournal()
  await ingest(journal, root)
  expect(brokenInvariants(db)).toEqual([])
  return { db, journal, root, kept: items(db).map((item) => [item.kind, item.role, item.text]) }
}

const TALK = [
  ['goal', 'user', 'write a haiku about rain'],
  ['conclusion', 'assistant', 'Rain on the tin roof'],
  ['goal', 'user', 'now one about snow'],
  ['conclusion', 'assistant', 'Snow falls without sound'],
]

describe('conversations kept as Markdown', () => {
  test.each([
    ['headings', '# A talk\n\n## User\n\n$0\n\n## Assistant\n\n$1\n\n## User\n\n$2\n\n## Assistant\n\n$3\n'],
    [
      'headings with colons',
      '### Human:\n$0\n\n### Assistant:\n$1\n\n### Human:\n$2\n\n### Assistant:\n$3\n',
    ],
    ['bold words in front', '**User:** $0\n\n**Assistant:** $1\n\n**User:** $2\n\n**Assistant:** $3\n'],
    [
      'bold words alone',
      '**You**\n\n$0\n\n---\n\n**ChatGPT**\n\n$1\n\n---\n\n**You**\n\n$2\n\n---\n\n**ChatGPT**\n\n$3\n',
    ],
    [
      'times',
      '## User (2026-03-03 09:00:00Z)\n\n$0\n\n## Claude (2026-03-03 09:00:05Z)\n\n$1\n\n## User\n\n$2\n\n## Claude\n\n$3\n',
    ],
  ])('%s name the speakers', async (_, shape) => {
    const text = TALK.reduce((sum, [, , words], at) => sum.replace(`$${at}`, String(words)), shape)
    const { kept } = await read({ 'talk.md': text })
    expect(kept).toEqual(TALK)
  })

  test('answers may have headings of their own, and fences with speakers in them', async () => {
    const answer = '## Summary\n\n```md\n## User\n\nnot me\n```\n\n#### User\n\nis another level'
    const { kept } = await read({
      'talk.md': `## User\n\nexplain\n\n## Assistant\n\n${answer}\n\n## User\n\nthanks, next chapter please\n\n## Assistant\n\nHere.\n`,
    })
    expect(kept.map(([kind, , text]) => [kind, text])).toEqual([
      ['goal', 'explain'],
      ['conclusion', answer],
      ['goal', 'thanks, next chapter please'],
      ['conclusion', 'Here.'],
    ])
  })

  test.each([
    ['a plan', '# Plan\n\n## Context\n\nText\n\n## Steps\n\n1. one\n'],
    [
      'a chapter about roles',
      '# Roles\n\n## User\n\nMay read.\n\n## System\n\nDoes it.\n\n## Model\n\nIs trained.\n\n## Admin\n\nMay write.\n',
    ],
    ['one bold note', '**User:** may read\n\n**Note:** nobody may write\n'],
    ['a data model', '## User\n\n- id\n\n## Agent\n\n- id\n\n## Invoice\n\n- id\n'],
    ['names without a word', '## User\n\n## Assistant\n\n## User\n\n## Assistant\n'],
    ['an answer before any question', '**Assistant:** hello\n\n**User:** hello\n'],
    [
      'a page with JSON lines',
      '# Format\n\n```\n{"role":"user","text":"x","session":"s"}\n```\n\na\n\nb\n\nc\n\nd\n\ne\n',
    ],
  ])('%s is no conversation', async (_, text) => {
    const { kept, db } = await read({ 'doc.md': text })
    expect(kept).toEqual([])
    expect(db.all('SELECT reason FROM files')).toEqual([{ reason: 'no transcript format that Fovea knows' }])
  })

  test('a conversation that is still being written ends up like the whole', async () => {
    const text = `# Talk\n\n## User\n\nfirst wish\n\n## Assistant\n\nA long answer\nof two lines.\n\n## User\n\nsecond wish\n\n## Assistant\n\nDone.\n`
    const root = temporaryFolder()
    const path = join(root, 'talk.md')
    const grown = openJournal()
    for (let size = 0; size <= text.length; size++) {
      put(path, text.slice(0, size))
      await ingest(grown.journal, root)
    }
    const whole = openJournal()
    await ingest(whole.journal, root)
    expect(dump(grown.db)).toBe(dump(whole.db))
    expect(brokenInvariants(grown.db)).toEqual([])
  })
})
