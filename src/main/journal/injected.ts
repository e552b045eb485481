import { strip } from './envelope'

// Blocks that tools put into the person's turn or into a tool's result. None of it is speech.
const TAGS = [
  'system-reminder',
  'system_reminder',
  'ide_opened_file',
  'ide_selection',
  'ide_diagnostics',
  'new-diagnostics',
  'task-notification',
  'local-command-caveat',
  'user-prompt-submit-hook',
  'session-start-hook',
  'post-tool-use-hook',
  'environment_context',
  'user_instructions',
  'claude-mem-context',
  'memory-context',
  'memory_context',
  'relevant-memories',
  'relevant_memories',
  'recalled_memories',
  'recalled-memories',
  'supermemory-context',
  'mem0-memories',
  'memories',
  'persisted-output',
] as const

const OPENERS = new RegExp(`<(${TAGS.join('|')})(?=[\\s>])`, 'g')

/**
 * Removes Fovea's own envelopes and the blocks other tools inject. An opened block that never closes is removed to
 * the end of the text only when it begins a line; in the middle of a line it is somebody writing about the tag.
 */
export function stripInjected(text: string): string {
  const own = strip(text)
  if (!own.includes('<')) return own
  let out = ''
  let at = 0
  OPENERS.lastIndex = 0
  for (let match = OPENERS.exec(own); match; match = OPENERS.exec(own)) {
    const close = `</${match[1]}>`
    const end = own.indexOf(close, match.index)
    const startsLine = match.index === 0 || own[match.index - 1] === '\n'
    if (end === -1 && !startsLine) continue
    out += own.slice(at, match.index)
    at = end === -1 ? own.length : end + close.length
    OPENERS.lastIndex = at
  }
  return at === 0 ? own : (out + own.slice(at)).trim()
}
