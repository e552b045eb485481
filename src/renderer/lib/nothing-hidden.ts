import type { Nodes, Parents, PhrasingContent, Root, RootContent } from 'mdast'
import { defaultSchema } from 'rehype-sanitize'

// Markdown has places whose text never reaches the page. Here each of them becomes text with a label.

type Child = RootContent | PhrasingContent

/** What the sanitiser lets through: its own list, and the labels made here. No author's HTML becomes an element. */
export const schema: typeof defaultSchema = {
  ...defaultSchema,
  attributes: {
    ...defaultSchema.attributes,
    pre: [...(defaultSchema.attributes?.pre ?? []), 'dataRaw'],
    code: [...(defaultSchema.attributes?.code ?? []), 'dataRaw'],
  },
}

const flow = new Set(['root', 'blockquote', 'listItem', 'footnoteDefinition'])

/**
 * Raw HTML and comments, link definitions, titles of links and pictures, headers of code blocks, footnotes nobody
 * refers to and cells beyond the last column: all shown as they are written.
 */
export function nothingHidden() {
  return (tree: Root, file: { value: unknown }): void => {
    const source = String(file.value)
    const referred = new Set<string>()
    each(tree, (node) => {
      if (node.type === 'footnoteReference') referred.add(node.identifier)
    })
    const written = (node: Nodes): string =>
      source.slice(node.position?.start.offset ?? 0, node.position?.end.offset ?? 0)
    const shown = (node: Child, block: boolean): Child[] => {
      switch (node.type) {
        case 'html':
          return [labelled(node, 'raw HTML', node.value, block)]
        case 'definition':
          return [labelled(node, 'link definition', written(node), block)]
        case 'footnoteDefinition':
          return referred.has(node.identifier)
            ? [node]
            : [labelled(node, 'footnote nobody refers to', written(node), block)]
        case 'code':
          return node.meta ? [labelled(node, 'header of the code below', node.meta, block), node] : [node]
        case 'link':
        case 'image':
          return node.title ? [node, labelled(node, 'title', node.title, block)] : [node]
        default:
          return [node]
      }
    }
    each(tree, (node) => {
      if (node.type === 'table') {
        const widest = Math.max(...node.children.map((row) => row.children.length))
        node.align = Array.from({ length: widest }, (_, column) => node.align?.[column] ?? null)
      }
      if (!('children' in node)) return
      const block = flow.has(node.type)
      const parent = node as Parents & { children: Child[] }
      parent.children = parent.children.flatMap((child) => shown(child, block))
    })
  }
}

/** A node of no Markdown kind: it goes to the page as the element given here. */
function labelled(at: Nodes, label: string, text: string, block: boolean): Child {
  return {
    type: 'shown',
    ...(at.position ? { position: at.position } : {}),
    data: {
      hName: block ? 'pre' : 'code',
      hProperties: { dataRaw: label },
      hChildren: [{ type: 'text', value: text }],
    },
  } as unknown as Child
}

function each(node: Nodes, run: (node: Nodes) => void): void {
  run(node)
  if ('children' in node) for (const child of node.children) each(child, run)
}
