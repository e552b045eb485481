import type { Element, ElementContent, Root, Text } from 'hast'

// Two passes over a sanitised Markdown tree: headings in an order a screen reader can follow, and evidence marked.

export interface Evidence {
  /** 1-based line of the source. */
  line: number | null
  text: string
  id: number
}

/** Levels start at `top` and never skip one, whatever the author did. */
export function orderHeadings(top: number) {
  return () =>
    (tree: Root): void => {
      const open: number[] = []
      visit(tree, (node) => {
        const level = /^h([1-6])$/.exec(node.tagName)?.[1]
        if (!level) return
        const given = Number(level)
        while (open.length > 0 && (open[open.length - 1] ?? 0) >= given) open.pop()
        open.push(given)
        node.tagName = `h${Math.min(6, top + open.length - 1)}`
      })
    }
}

/** Wraps each piece of evidence in <mark>: the words themselves where they are found, else the block of their line. */
export function markEvidence(evidence: readonly Evidence[]) {
  return () =>
    (tree: Root): void => {
      for (const one of evidence) {
        const words = plainWords(one.text)
        if (words.length < 3) continue
        const blocks = leafBlocks(tree).filter((block) => one.line === null || covers(block, one.line))
        const hit = blocks.find((block) => textOf(block).includes(words))
        if (hit) markText(hit, words, one.id)
        else if (one.line !== null && blocks[0]) wrapAll(blocks[0], one.id)
      }
    }
}

/** A line of Markdown as it reads when rendered: without list marks, heading marks, emphasis and code ticks. */
export function plainWords(line: string): string {
  return line
    .slice(0, 2000)
    .replace(/^[ \t]*(?:[-*+>#]+|\d{1,9}[.)])[ \t]+/, '')
    .replace(/^\[[ xX]\][ \t]+/, '')
    .replace(/[`*_~]/g, '')
    .trim()
}

const blockTags = new Set(['p', 'li', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'td', 'th', 'pre'])

function visit(node: Root | Element, run: (element: Element) => void): void {
  for (const child of node.children) {
    if (child.type !== 'element') continue
    run(child)
    visit(child, run)
  }
}

/** Blocks without a block inside them. */
function leafBlocks(tree: Root): Element[] {
  const found: Element[] = []
  visit(tree, (node) => {
    if (!blockTags.has(node.tagName)) return
    let inner = false
    visit(node, (child) => {
      if (blockTags.has(child.tagName)) inner = true
    })
    if (!inner) found.push(node)
  })
  return found
}

function covers(block: Element, line: number): boolean {
  const position = block.position
  return position !== undefined && position.start.line <= line && line <= position.end.line
}

function textOf(node: Element | Text | ElementContent): string {
  if (node.type === 'text') return node.value
  return node.type === 'element' ? node.children.map(textOf).join('') : ''
}

const mark = (children: ElementContent[], id: number): Element => ({
  type: 'element',
  tagName: 'mark',
  properties: { dataPercept: String(id) },
  children,
})

function wrapAll(block: Element, id: number): void {
  block.children = [mark(block.children, id)]
}

/** Marks the characters of `words` inside a block, across the inline elements they may be spread over. */
function markText(block: Element, words: string, id: number): void {
  const start = textOf(block).indexOf(words)
  const end = start + words.length
  let at = 0
  const walk = (node: Element): void => {
    node.children = node.children.flatMap((child): ElementContent[] => {
      if (child.type === 'element') {
        walk(child)
        return [child]
      }
      if (child.type !== 'text') return [child]
      const from = Math.max(0, start - at)
      const to = Math.min(child.value.length, end - at)
      at += child.value.length
      if (from >= to || child.value.slice(from, to).trim() === '') return [child]
      const piece = (value: string): Text[] => (value === '' ? [] : [{ type: 'text', value }])
      return [
        ...piece(child.value.slice(0, from)),
        mark(piece(child.value.slice(from, to)), id),
        ...piece(child.value.slice(to)),
      ]
    })
  }
  walk(block)
}
