import { isObject } from '../../text'

// The loosely typed parts of a Claude Code record, read without trusting any of them.

export interface TextBlock {
  type: 'text'
  text: string
}
export interface ImageBlock {
  type: 'image'
  data: unknown
  mediaType: unknown
}
export interface CallBlock {
  type: 'call'
  id: string
  name: string
  input: unknown
}
export interface ResultBlock {
  type: 'result'
  callId: string
  isError: boolean
  text: string
  images: ImageBlock[]
}
export interface OtherBlock {
  type: 'thinking' | 'other'
}
export type Block = TextBlock | ImageBlock | CallBlock | ResultBlock | OtherBlock

/** Content as blocks: a string is one text block. null when it is neither a string nor a list. */
export function blocksOf(content: unknown): Block[] | null {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  if (!Array.isArray(content)) return null
  return content.map(blockOf)
}

function blockOf(value: unknown): Block {
  if (typeof value === 'string') return { type: 'text', text: value }
  if (!isObject(value)) return { type: 'other' }
  switch (value.type) {
    case 'text':
      return { type: 'text', text: typeof value.text === 'string' ? value.text : '' }
    case 'thinking':
    case 'redacted_thinking':
      return { type: 'thinking' }
    case 'image':
      return imageBlock(value)
    case 'tool_use':
    case 'server_tool_use':
    case 'mcp_tool_use':
      return typeof value.id === 'string' && typeof value.name === 'string'
        ? { type: 'call', id: value.id, name: value.name, input: value.input }
        : { type: 'other' }
    case 'tool_result':
      return typeof value.tool_use_id === 'string' ? resultBlock(value, value.tool_use_id) : { type: 'other' }
    default:
      return { type: 'other' }
  }
}

function imageBlock(value: Record<string, unknown>): ImageBlock {
  const source = isObject(value.source) ? value.source : {}
  return { type: 'image', data: source.data, mediaType: source.media_type }
}

function resultBlock(value: Record<string, unknown>, callId: string): ResultBlock {
  const parts = blocksOf(value.content) ?? []
  return {
    type: 'result',
    callId,
    isError: value.is_error === true,
    text: parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n'),
    images: parts.filter((part) => part.type === 'image'),
  }
}
