import { createHash } from 'node:crypto'

// Sentences as the labels of bench/labels/arcs.json name them. Kept apart from the curator's own reading of sentences,
// so that a change there can neither lose a label nor find one.

/** The lines of a text without code blocks and table rows, each in sentences, marks taken off, in order. */
export function labelSentences(text) {
  const found = []
  let fenced = false
  for (const line of text.split(/\r?\n/)) {
    if (/^\s*(```|~~~)/.test(line)) {
      fenced = !fenced
      continue
    }
    if (fenced || /^\s*\|/.test(line)) continue
    const plain = line
      .replace(/^[\s>#]*(?:[-*+•]\s+|\d{1,3}[.)]\s+)?(?:\[[ xX]\]\s+)?/, '')
      .replace(/\*\*/g, '')
      .trim()
    for (const part of plain.split(/(?<=[.!?]["')\]]?)\s+(?=[\p{Lu}`"'(\d])/u)) {
      if (/\p{L}{2}/u.test(part)) found.push(part.trim())
    }
  }
  return found
}

/** Names a sentence without quoting it: 16 hex digits over its letters and digits. */
export function sentenceKey(sentence) {
  return createHash('sha256').update(words(sentence).join(' ')).digest('hex').slice(0, 16)
}

/** Letters and digits in lower case, as words. */
export function words(text) {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}
