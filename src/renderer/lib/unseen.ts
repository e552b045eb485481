import type { ElementContent, Root, RootContent } from 'hast'

// Characters that leave no trace on screen, or change the order of what stands around them. A person who approves a
// text must see that they are there.

const unseen = /(?![\t\n\r])(?:\p{Cc}|\p{Cf}|\p{Default_Ignorable_Code_Point}|[\u2028\u2029])/gu

const joins = /^(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)$/u
const styled = /^[\p{Extended_Pictographic}#*0-9]$/u

export type Piece = { text: string } | { code: string }

/** A text in pieces: what is seen as it stands, each unseen character as its code (`U+202E`). */
export function pieces(text: string): Piece[] {
  const found: Piece[] = []
  let from = 0
  for (const { 0: character, index } of text.matchAll(unseen)) {
    if (belongsToEmoji(text, character, index)) continue
    if (index > from) found.push({ text: text.slice(from, index) })
    found.push({ code: codeOf(character) })
    from = index + character.length
  }
  if (from < text.length || found.length === 0) found.push({ text: text.slice(from) })
  return found
}

/** The same as one plain text, for a title. */
export const spelled = (text: string): string =>
  pieces(text)
    .map((piece) => ('code' in piece ? `[${piece.code}]` : piece.text))
    .join('')

const codeOf = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`

/** An emoji is drawn in colour by U+FE0F and joined to another by U+200D; there both are seen. */
function belongsToEmoji(text: string, character: string, index: number): boolean {
  const before = lastCharacter(text.slice(Math.max(0, index - 2), index))
  if (character === '\ufe0f') return styled.test(before)
  if (character !== '\u200d') return false
  const after = String.fromCodePoint(text.codePointAt(index + 1) ?? 0)
  return joins.test(before) && joins.test(after)
}

const lastCharacter = (text: string): string => [...text].at(-1) ?? ''

/** Puts a labelled element in the place of every unseen character of a tree. */
export function showUnseen() {
  return (tree: Root): void => walk(tree)
}

function walk(node: Root | Extract<RootContent, { type: 'element' }>): void {
  node.children = (node.children as ElementContent[]).flatMap((child): ElementContent[] => {
    if (child.type === 'element') walk(child)
    if (child.type !== 'text') return [child]
    return pieces(child.value).map((piece) =>
      'code' in piece
        ? {
            type: 'element',
            tagName: 'span',
            properties: { className: ['unseen'] },
            children: [{ type: 'text', value: piece.code }],
          }
        : { type: 'text', value: piece.text },
    )
  })
}
