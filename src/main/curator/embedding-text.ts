import type { ItemKind } from '../../shared/domain'
import { pathTail } from './short-path'

// What of an item is worth a vector. The model reads about 1,000 characters and its time grows with them.

/** Part of the index's version: change it when the texts below change, and the vectors are made anew. */
export const EMBEDDING_TEXT_VERSION = 1

export interface EmbeddableItem {
  kind: ItemKind
  text: string
  data: Record<string, unknown>
}

/** Most characters per kind; a conclusion gives its beginning and its end. */
const LENGTH: Record<ItemKind, number> = {
  goal: 450,
  conclusion: 600,
  plan: 600,
  decision: 400,
  error: 300,
  note: 450,
  image: 200,
  command: 160,
  file_op: 160,
}
/** Of unit 'context': what was said before, and the item behind it. */
const BEFORE = 220
const BEHIND = 360

/** The text of unit 'item', or null when there is nothing in it that words could find. */
export function itemText(item: EmbeddableItem): string | null {
  const text = own(item, LENGTH[item.kind])
  return /[\p{L}\p{N}]{2}/u.test(text) ? text : null
}

/**
 * The text of unit 'context': what was said before, then the item. Null when the item is a single step (a command,
 * a file), whose context is its goal, or when nothing was said before.
 */
export function contextText(item: EmbeddableItem, before: EmbeddableItem | undefined): string | null {
  if (!before || item.kind === 'command' || item.kind === 'file_op' || item.kind === 'image') return null
  const earlier = own(before, BEFORE)
  if (itemText(item) === null || earlier === '') return null
  return `${earlier}\n${own(item, Math.min(BEHIND, LENGTH[item.kind]))}`
}

function own(item: EmbeddableItem, length: number): string {
  const { data } = item
  switch (item.kind) {
    case 'file_op':
      // What was searched for stands in the text only.
      return flat(
        data.op === 'search' || !data.path
          ? item.text
          : `${string(data.op)} ${pathTail(string(data.path), 70)}`,
        length,
      )
    case 'command':
      return flat(string(data.command) || item.text, length)
    case 'error':
      return flat(
        [string(data.command) || string(data.tool), ends(item.text, length / 2)]
          .filter(Boolean)
          .join(' failed: '),
        length,
      )
    default:
      return flat(
        [string(data.name), ends(withoutCode(item.text), length)].filter(Boolean).join(': '),
        length,
      )
  }
}

const string = (value: unknown): string => (typeof value === 'string' ? value : '')

/** A fenced block says little to a model of prose; its first line stays, it may name a file or a command. */
function withoutCode(text: string): string {
  return text.slice(0, 60_000).replace(/```[^\n]{0,80}\n([^\n]{0,200})[\s\S]*?(?:```|$)/g, '$1\n')
}

/** A text that is too long as its beginning and its end, where the outcome stands. */
function ends(text: string, length: number): string {
  const trimmed = text.trim()
  if (trimmed.length <= length) return trimmed
  const tail = Math.floor(length * 0.4)
  return `${trimmed.slice(0, length - tail - 3)} … ${trimmed.slice(-tail)}`
}

const flat = (text: string, length: number): string => text.replace(/\s+/g, ' ').trim().slice(0, length)
