import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { diffRows } from '../../src/renderer/lib/diff'
import { plainWords } from '../../src/renderer/lib/markdown'
import { Markdown } from '../../src/renderer/parts/Markdown'

const html = (text: string, evidence: { id: number; line: number | null; text: string }[] = []): string =>
  renderToStaticMarkup(createElement(Markdown, { text, top: 3, evidence }))

describe('Markdown of foreign origin', () => {
  test('raw HTML does not become an element', () => {
    for (const attack of [
      '<script>alert(1)</script>',
      '<img src=x onerror=alert(1)>',
      '<iframe src="https://evil.example"></iframe>',
      '<svg onload=alert(1)>',
      '<style>*{display:none}</style>',
      'a <b onclick="x()">b</b>',
    ]) {
      expect(html(attack)).not.toMatch(/<(script|img|iframe|svg|style|b)\b/)
    }
  })

  test.each([
    ['<details><summary>ok</summary>rm -rf /</details>', 'raw HTML'],
    ['<div>\nrm -rf /\n</div>', 'raw HTML'],
    ['<!-- rm -rf / -->', 'raw HTML'],
    ['<script>rm -rf /</script>', 'raw HTML'],
    ['- item\n  <!-- rm -rf / -->', 'raw HTML'],
    ['a <!-- rm -rf / --> b', 'raw HTML'],
    ['[//]: # (rm -rf /)', 'link definition'],
    ['[^1]: rm -rf /', 'footnote nobody refers to'],
    ['```sh rm -rf /\nls\n```', 'header of the code below'],
    ['[a](https://example.com "rm -rf /")', 'title'],
    ['| a |\n|---|\n| 1 | rm -rf / |', '<td>'],
  ])('nothing of %j is left out: it stands there, labelled %s', (text, label) => {
    expect(html(text)).toContain('rm -rf /')
    expect(html(text)).toContain(label)
  })

  test('characters nobody would see are written out', () => {
    for (const [text, code] of [
      ['safe\u202eevil', 'U+202E'],
      ['a\u2066b', 'U+2066'],
      ['a\u200bb', 'U+200B'],
      ['a&#8203;b', 'U+200B'],
      ['`a\u2060b`', 'U+2060'],
      ['a\u{e0041}b', 'U+E0041'],
      ['<!-- a\u202eb -->', 'U+202E'],
    ] as const) {
      expect(html(text)).toContain(`<span class="unseen">${code}</span>`)
      expect(html(text)).not.toMatch(/[\u200b\u202e\u2060\u2066]/)
    }
    expect(html('fine ✔️ 👩‍💻 1️⃣')).not.toContain('unseen')
  })

  test('a link is a button until the person has seen where it leads, and only for the web', () => {
    expect(html('[a](https://example.com/x)')).toContain('<button type="button" class="linkish"')
    for (const url of [
      'javascript:alert(1)',
      'data:text/html,x',
      'file:///etc/passwd',
      'vbscript:x',
      'mailto:a@b.c',
    ]) {
      expect(html(`[a](${url})`)).not.toMatch(/<button|href=/)
    }
    expect(html('https://example.com')).not.toContain('<a ')
  })

  test('a picture is its name; nothing is fetched', () => {
    expect(html('![diagram](https://evil.example/x.png)')).toContain('[picture: diagram]')
    expect(html('![diagram](https://evil.example/x.png)')).not.toContain('<img')
  })

  test('headings start below the page’s own and never skip a level', () => {
    expect(html('# A\n\n#### B\n\n## C').match(/<h\d/g)).toEqual(['<h3', '<h4', '<h4'])
    expect(html('### A\n\n# B').match(/<h\d/g)).toEqual(['<h3', '<h3'])
  })

  test('evidence is marked where its words stand, across code and emphasis', () => {
    const text = '# Goal\n\n- Create `ledger` with **all** columns.\n- Run it.'
    const marked = html(text, [{ id: 7, line: 3, text: '- Create `ledger` with **all** columns.' }])
    expect(marked).toContain('<mark data-percept="7">Create </mark>')
    expect(marked).toContain('<code><mark data-percept="7">ledger</mark></code>')
    expect(marked).not.toContain('<mark data-percept="7">Run')
  })

  test('evidence whose words are not found marks the block of its line', () => {
    const marked = html('one\n\ntwo &amp; three', [{ id: 1, line: 3, text: 'two &amp; three' }])
    expect(marked).toContain('<mark data-percept="1">two &amp; three</mark>')
  })

  test('a mark in the text of an agent is no mark of ours', () => {
    expect(html('<mark data-percept="1">x</mark>')).not.toContain('<mark')
  })
})

test('a line reads without its Markdown', () => {
  expect(plainWords('  - [ ] Run `npm test` **now**')).toBe('Run npm test now')
  expect(plainWords('## Risks')).toBe('Risks')
  expect(plainWords('12. Twelve')).toBe('Twelve')
})

describe('a diff of versions', () => {
  test('numbers both sides', () => {
    expect(diffRows('a\nb\nc\n', 'a\nB\nc\n')).toEqual([
      { kind: 'same', text: 'a', before: 1, after: 1 },
      { kind: 'removed', text: 'b', before: 2, after: null },
      { kind: 'added', text: 'B', before: null, after: 2 },
      { kind: 'same', text: 'c', before: 3, after: 3 },
    ])
  })

  test('a missing final newline is not a change of the line', () => {
    expect(diffRows('a\nb', 'a\nb')?.every((row) => row.kind === 'same')).toBe(true)
  })
})
