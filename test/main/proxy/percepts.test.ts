import { describe, expect, test } from 'vitest'
import { namedBy, observe, viewArtifact } from '../../../src/main/proxy'

const phrases = (text: string, upstream: { name: string; text: string }[] = []): string[] =>
  observe(viewArtifact(text), upstream).map(({ phrase }) => phrase)
const sighting = (text: string, phrase: string, upstream: { name: string; text: string }[] = []) =>
  observe(viewArtifact(text), upstream).find((one) => one.phrase === phrase)

describe('percepts', () => {
  test('miss a rollback only where there is something to roll back', () => {
    expect(phrases('Migrate the orders table.')).toContain('no rollback')
    expect(phrases('Migrate the orders table.\nRevert with the switch.')).not.toContain('no rollback')
    expect(phrases('Write the guide for new people.')).not.toContain('no rollback')
  })

  test('quote the line that shows them', () => {
    const plan = '# Plan\n\n1. Stop writes.\n2. `DROP TABLE old_orders`\n'
    expect(sighting(plan, 'destructive step')).toMatchObject({
      line: 4,
      evidence: expect.stringContaining('DROP TABLE'),
    })
  })

  test.each([
    ['rm -rf build', 'destructive step'],
    ['Run this in production first.', 'touches production'],
    ['Store the api key in the vault.', 'handles credentials'],
    ['Change the OAuth flow.', 'changes authentication'],
    ['This is a breaking change of the public API.', 'changes a public interface'],
    ['npm install left-pad', 'adds a dependency'],
    ['## Open questions\n- Which region?', 'open questions'],
    ['Should the old path stay?', 'asks something'],
    ['Details TBD.', 'unfinished parts'],
    ['# A\n### B', 'untidy formatting'],
    ['', 'empty'],
  ])('see in %j: %s', (text, phrase) => {
    expect(phrases(text)).toContain(phrase)
  })

  test('do not take a question mark in code for a question', () => {
    expect(phrases('```ts\nconst a = b ? c : d\nif (x?) \n```')).not.toContain('asks something')
  })

  test('count the files a plan names', () => {
    const many = Array.from({ length: 7 }, (_, i) => `- src/part${i}/main.ts`).join('\n')
    expect(phrases(many)).toContain('many files')
    expect(sighting(many, 'many files')?.evidence).toMatch(/^7 named: src\/part0/)
    expect(phrases('Think about it.')).toContain('no files named')
  })

  test('see which points and questions of the intent are left out', () => {
    const intent = [
      {
        name: 'INTENT.md',
        text: '- Readers see no downtime\n- Archived invoices stay readable\n- Who approves the cut-over?',
      },
    ]
    const plan = 'Readers see no downtime because both tables are kept.'
    expect(sighting(plan, 'leaves a point of the intent out', intent)?.evidence).toContain(
      'Archived invoices stay readable',
    )
    expect(sighting(plan, 'leaves a question of the intent open', intent)?.evidence).toContain('Who approves')
    expect(
      phrases(`${plan}\nArchived invoices stay readable. Ann approves the cut-over.`, intent),
    ).not.toContain('leaves a point of the intent out')
  })

  test('are named by the person’s words in any inflection', () => {
    expect(namedBy('How do we revert this?', [])).toContain('no rollback')
    expect(namedBy('are we testing any of it?', [])).toContain('no tests')
    expect(namedBy('', [])).toEqual([])
  })

  test('come to an end on hostile text', () => {
    const long = `${'a'.repeat(200_000)}\n${'- '.repeat(100_000)}\n${'/x.'.repeat(60_000)}\n${'?'.repeat(50_000)}`
    // The runner's own limit fails this when a pattern backtracks.
    expect(phrases(long, [{ name: 'x', text: long }])).toContain('very long')
  })
})
