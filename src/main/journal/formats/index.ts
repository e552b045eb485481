import type { Agent } from '../../../shared/domain'
import { AppError } from '../../../shared/errors'
import type { Format, Head, Rendering } from '../drafts'
import { aider } from './aider'
import { claudeCode } from './claude-code'
import { cline } from './cline'
import { codex } from './codex'
import { copilotCli } from './copilot-cli'
import { cursorChats } from './cursor/chat-reader'
import { cursorLines } from './cursor/lines'
import { cursorRows } from './cursor/rows'
import { cursorText } from './cursor/text'
import { chatgptExport } from './exports/chatgpt'
import { claudeExport } from './exports/claude'
import { geminiDocument } from './gemini-cli/document'
import { geminiLines } from './gemini-cli/lines'
import { generic } from './generic'
import { markdown } from './markdown'
import { opencode } from './opencode/reader'
import { specstory } from './specstory'

const formats: readonly Format[] = [
  claudeCode,
  codex,
  copilotCli,
  cursorLines,
  cursorText,
  specstory,
  geminiDocument,
  geminiLines,
  cline,
  claudeExport,
  chatgptExport,
  aider,
  markdown,
  generic,
  cursorRows,
  cursorChats,
  opencode,
]

/** Raised when a format is added, or is told better from others: what was nobody's is looked at once more then. */
export const FORMATS_VERSION = 3

/** The formats an agent has had. @throws AppError `unsupported` when Fovea cannot read it yet. */
export function formatsNamed(agent: Agent): Format[] {
  const found = formats.filter((candidate) => candidate.agent === agent)
  if (found.length === 0) throw new AppError('unsupported', `Fovea cannot read transcripts of ${agent} yet.`)
  return found
}

/** The first format of a given name. @throws AppError as `formatsNamed` does */
export const formatNamed = (agent: Agent): Format => formatsNamed(agent)[0] as Format

/** The format that is surest that this is the beginning of a file of its own; null when none is. */
export function recognise(head: Head, agent: Agent | null = null): Format | null {
  let best: Format | null = null
  let surest = 0
  for (const format of formats) {
    if (agent !== null && format.agent !== agent) continue
    const sure = format.recognise(head)
    if (sure > surest) {
      best = format
      surest = sure
    }
  }
  return best
}

/** Formats whose sessions other agents' own files may tell too. */
export const renderings = (): (Rendering & { agent: Agent })[] =>
  formats.flatMap(({ agent, rendering }) => (rendering ? [{ agent, ...rendering }] : []))
