import { describe, expect, test } from 'vitest'
import { contextText, type EmbeddableItem, itemText } from '../../../src/main/curator'

const item = (kind: EmbeddableItem['kind'], text: string, data = {}): EmbeddableItem => ({ kind, text, data })

describe('the text that is embedded', () => {
  test('names the speaker, for a question names people', () => {
    expect(itemText(item('note', 'I went to the lake.', { name: 'Ann' }))).toBe('Ann: I went to the lake.')
  })

  test('of a step is what was done, not what it printed', () => {
    const output = `$ npm test\n${'ok '.repeat(500)}`
    expect(itemText(item('command', output, { command: 'npm test' }))).toBe('npm test')
    const path = '/home/ann/work/company/shop/packages/server/src/payments/refunds/retry.ts'
    expect(itemText(item('file_op', `Edit ${path}\n-a\n+b`, { op: 'edit', path }))).toMatch(
      /^edit ….{20,65}\/refunds\/retry\.ts$/,
    )
    expect(itemText(item('file_op', 'Grep retryCount in .', { op: 'search', path: '.' }))).toBe(
      'Grep retryCount in .',
    )
  })

  test('keeps the ending of a long conclusion, where the outcome stands, and little of a code block', () => {
    const text = `First words. ${'Middle words. '.repeat(200)}\n\`\`\`ts\nconst first = 1\nconst second = 2\n\`\`\`\nThe very last words.`
    const embedded = itemText(item('conclusion', text)) ?? ''
    expect(embedded).toMatch(/^First words\./)
    expect(embedded).toMatch(/The very last words\.$/)
    expect(embedded).not.toContain('second')
    expect(embedded.length).toBeLessThanOrEqual(600)
  })

  test('is nothing where there are no words', () => {
    for (const text of ['', '  ', '?!', '---', '…']) expect(itemText(item('note', text))).toBeNull()
  })

  test('with context puts what was said before in front, for what is said only', () => {
    const goal = item('goal', 'Fix the login page')
    expect(contextText(item('conclusion', 'It works again.'), goal)).toBe(
      'Fix the login page\nIt works again.',
    )
    expect(contextText(item('command', '$ npm test', { command: 'npm test' }), goal)).toBeNull()
    expect(contextText(item('note', 'Alone here'), undefined)).toBeNull()
  })

  test('is bounded and quick for hostile text', () => {
    for (const text of [
      '```'.repeat(300_000),
      '`'.repeat(1_000_000),
      ' '.repeat(1_000_000),
      `${'\n'.repeat(500_000)}x y z`,
    ])
      expect((itemText(item('note', text)) ?? '').length).toBeLessThanOrEqual(450)
  })
})
