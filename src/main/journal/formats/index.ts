import type { Agent } from '../../../shared/domain'
import { AppError } from '../../../shared/errors'
import type { Format } from '../drafts'
import { claudeCode } from './claude-code'
import { codex } from './codex'
import { copilotCli } from './copilot-cli'
import { geminiLines } from './gemini-cli/lines'
import { generic } from './generic'

const formats: readonly Format[] = [claudeCode, codex, copilotCli, geminiLines, generic]

/** The format of a given name. @throws AppError `unsupported` when Fovea cannot read it yet. */
export function formatNamed(agent: Agent): Format {
  const format = formats.find((candidate) => candidate.agent === agent)
  if (!format) throw new AppError('unsupported', `Fovea cannot read transcripts of ${agent} yet.`)
  return format
}

/** The format that is surest that these first records are its own; null when none is. */
export function recognise(records: readonly unknown[]): Format | null {
  let best: Format | null = null
  let surest = 0
  for (const format of formats) {
    const sure = format.recognise(records)
    if (sure > surest) {
      best = format
      surest = sure
    }
  }
  return best
}
