import { describe, expect, test } from 'vitest'
import { continuedLineage, overlap, shinglesOf } from '../../../src/main/gates/lineage'
import { outcomeOfWords, speechActOf } from '../../../src/main/gates/speech-act'
import { readTaskType, taskTypeOf } from '../../../src/main/gates/task-type'
import { goalTitle, titleOf } from '../../../src/main/gates/title'

describe('speech acts', () => {
  test.each([
    ['can you use a switch case instead of linked ifelse?', 'question'],
    ['seems like there is no such thing, have you made it up ?', 'question'],
    ['two more things - what does a reset do? - and the rest', 'question'],
    ['is there another way than using TOKEN, something like an app', 'question'],
    ['this is fine. how do we roll back', 'question'],
    ['I want the formula to be called tap instead', 'request'],
    ['Do not drop the users table.', 'request'],
    ['Do the migration first', 'request'],
    ["let's write this plan down, then continue :)", 'request'],
    ['update the doc. then we need to work out the sequence', 'request'],
    ['this misses the point', 'statement'],
    ['see https://example.org/a?b=c', 'statement'],
    ['', 'none'],
    ['  \n', 'none'],
  ])('%j is a %s', (words, act) => {
    expect(speechActOf(words)).toBe(act)
  })
})

describe('outcome of words', () => {
  test.each(['No, forget it.', 'scrap this plan', "we're not doing this", 'Abandon the plan', 'cancel this'])(
    '%j turns it down',
    (words) => {
      expect(outcomeOfWords(words)).toBe('reject')
    },
  )
  test.each([
    'no, use blue',
    "don't drop the table",
    'drop the second step',
    'forget about tests but keep the rest',
    'forget it, use blue instead',
    'not yet',
  ])('%j sends it back', (words) => {
    expect(outcomeOfWords(words)).toBe('correct')
  })
})

describe('task types', () => {
  test.each([
    ['Fix the crash when an invoice is empty', 'bug-fix'],
    ['Migrate the orders to Postgres', 'migration'],
    ['Add dark mode', 'feature'],
    ['Refactor the parser', 'refactor'],
    ['Write the README', 'docs'],
    ['Raise the coverage with unit tests', 'tests'],
    ['Set up CI with docker', 'infrastructure'],
    ['Investigate why it is slow', 'research'],
    ['Publish the release', 'release'],
  ])('%j is %s', (text, type) => {
    expect(readTaskType(text)).toBe(type)
  })

  test('come from the person first, then from what was asked, then from the artifact', () => {
    expect(taskTypeOf('docs', 'fix it', 'migrate')).toEqual({ taskType: 'docs', from: 'person' })
    expect(taskTypeOf(undefined, 'fix the bug', 'migrate')).toEqual({ taskType: 'bug-fix', from: 'context' })
    expect(taskTypeOf(undefined, '', 'migrate it')).toEqual({ taskType: 'migration', from: 'artifact' })
    expect(taskTypeOf(undefined, '', '')).toEqual({ taskType: 'feature', from: 'artifact' })
  })
})

describe('lineage', () => {
  const plan =
    'Create the ledger table with the columns of the invoice view and copy all rows in one transaction.'

  test('holds a plan that only grew for the same plan', () => {
    expect(overlap(shinglesOf(plan), shinglesOf(`${plan} Then point the reader at the new table.`))).toBe(1)
    expect(continuedLineage(`# Other title\n${plan}`, [{ lineage: 'l', round: 3, text: plan }])?.round).toBe(
      3,
    )
  })

  test('goes on from the last round, also when an earlier one is more alike', () => {
    const earlier = [
      { lineage: 'l', round: 1, text: plan },
      { lineage: 'l', round: 2, text: `${plan.replace('ledger', 'journal')} And more besides.` },
    ]
    expect(continuedLineage(plan, earlier)?.round).toBe(2)
  })

  test('holds an unrelated plan for a new one, and one without text for the next round', () => {
    const earlier = [{ lineage: 'l', round: 1, text: plan }]
    expect(continuedLineage('Paint every button of the settings page blue.', earlier)).toBeNull()
    expect(continuedLineage('', earlier)?.lineage).toBe('l')
    expect(continuedLineage('', [])).toBeNull()
  })
})

describe('titles', () => {
  test('are the first heading without its marks, else the first line', () => {
    expect(titleOf('intro\n\n## Plan: **Move** `invoices`\n')).toBe('Move invoices')
    expect(titleOf('\nJust a line\nmore')).toBe('Just a line')
    expect(titleOf('  ')).toBe('Plan without text')
    expect(titleOf('x'.repeat(500))).toHaveLength(120)
  })

  test('of a plan without text are the sentence of its goal, never a slash command', () => {
    const goal =
      "/superpowers:write-plan first. check we have good test coverage so we don't break things as well"
    expect(goalTitle(goal)).toBe("check we have good test coverage so we don't break things as well")
    expect(goalTitle('Fix the crash. Then rest.')).toBe('Fix the crash')
    expect(goalTitle('/srv/app/main.ts fails to build')).toBe('/srv/app/main.ts fails to build')
    expect(goalTitle('/clear')).toBeUndefined()
    expect(titleOf('/plan do it well')).toBe('do it well')
  })
})
