import { asString, isObject } from '../../text'

export type Json = Record<string, unknown>

export interface Node {
  message: Json
  /** On the way from the root to the current node; others are answers that were asked for again. */
  current: boolean
}

/**
 * The messages of a conversation: those on the way to the current node in order, then those of the branches that were
 * left. Parents may be missing or go in circles.
 */
export function messagesOf(conversation: Json): Node[] {
  const mapping = isObject(conversation.mapping) ? conversation.mapping : {}
  const path = new Set<string>()
  let at = asString(conversation.current_node) ?? newestLeaf(mapping)
  while (at !== null && !path.has(at) && Object.hasOwn(mapping, at)) {
    path.add(at)
    const node = mapping[at]
    at = isObject(node) ? asString(node.parent) : null
  }
  const found: Node[] = []
  const add = (id: string, current: boolean): void => {
    const node = mapping[id]
    if (isObject(node) && isObject(node.message)) found.push({ message: node.message, current })
  }
  for (const id of [...path].reverse()) add(id, true)
  for (const id of Object.keys(mapping)) if (!path.has(id)) add(id, false)
  return found
}

function newestLeaf(mapping: Json): string | null {
  let newest: string | null = null
  let latest = Number.NEGATIVE_INFINITY
  for (const [id, node] of Object.entries(mapping)) {
    if (!isObject(node) || (Array.isArray(node.children) && node.children.length > 0)) continue
    const time =
      isObject(node.message) && typeof node.message.create_time === 'number' ? node.message.create_time : 0
    if (time < latest) continue
    latest = time
    newest = id
  }
  return newest
}

export interface Content {
  kind: 'text' | 'code' | 'output' | 'skip'
  text: string
  reason: string
}

/** What a message's content says; parts mix strings and objects. */
export function contentOf(message: Json): Content {
  const content = isObject(message.content) ? message.content : {}
  const type = asString(content.content_type) ?? 'text'
  const skip = (reason: string): Content => ({ kind: 'skip', text: '', reason })
  switch (type) {
    case 'text':
    case 'multimodal_text':
      return { kind: 'text', text: partsOf(content.parts), reason: 'empty' }
    case 'code':
      return { kind: 'code', text: asString(content.text) ?? '', reason: 'empty' }
    case 'execution_output':
    case 'system_error':
      return { kind: 'output', text: asString(content.text) ?? '', reason: 'empty' }
    case 'thoughts':
    case 'reasoning_recap':
      return skip('thinking')
    case 'user_editable_context':
    case 'model_editable_context':
      return skip('injected')
    default:
      return skip('bookkeeping')
  }
}

function partsOf(parts: unknown): string {
  if (!Array.isArray(parts)) return ''
  return parts
    .flatMap((part) => {
      if (typeof part === 'string') return part
      if (!isObject(part)) return []
      if (part.content_type === 'image_asset_pointer') return '[picture]'
      return asString(part.text) ?? []
    })
    .join('\n')
}
