import { asString, headTail, isObject } from '../../text'
import type { Json } from './calls'

// What `tool.execution_complete` says: what came out, how it ended, whether the person stepped in.

export interface Result {
  text: string
  exitCode?: number
  failed: boolean
  /** The person said no; with what words. */
  refused: string | null
}

const EXIT = /\n?<(?:shellId: [^>]{0,80} )?(?:exited|completed) with exit code (-?\d{1,5})>\s*$/
const REFUSED =
  /\b(?:user|person) (?:rejected|denied|declined|refused)\b|\b(?:rejected|denied|declined) by (?:the )?user\b/i
const FEEDBACK = /(?:feedback|the user said|reason)\s*:\s*([\s\S]+)$/i

export function readResult(data: Json): Result {
  const error = isObject(data.error) ? data.error : null
  const message = error ? (asString(error.message) ?? '') : ''
  const content = data.success === false && message !== '' ? message : contentOf(data.result)
  const exit = EXIT.exec(content.slice(-200))
  const exitCode = exit ? Number(exit[1]) : undefined
  const text = exit ? content.slice(0, content.length - exit[0].length).trim() : content.trim()
  const refused =
    data.success === false && (error?.code === 'rejected' || REFUSED.test(message.slice(0, 400)))
  return {
    text,
    ...(exitCode === undefined ? {} : { exitCode }),
    failed: data.success === false || (exitCode !== undefined && exitCode !== 0),
    refused: refused ? feedbackIn(message) : null,
  }
}

/** The result the model got; older files have plain text. */
function contentOf(result: unknown): string {
  if (typeof result === 'string') return result
  return isObject(result) ? (asString(result.content) ?? asString(result.detailedContent) ?? '') : ''
}

const feedbackIn = (text: string): string => headTail(FEEDBACK.exec(text)?.[1]?.trim() ?? '', 20_000)

/** What the person said to a plan; null when the text does not tell. */
export function planVerdict(
  result: Result,
): { verdict: 'approve' | 'refused' | 'bare-stop'; words: string } | null {
  const head = result.text.slice(0, 400)
  if (/\bplan (?:was )?approved\b/i.test(head) && !result.failed) return { verdict: 'approve', words: '' }
  const words = result.refused ?? feedbackIn(result.text)
  const said =
    words !== '' || result.refused !== null || /\b(?:not approved|rejected|declined|changes)\b/i.test(head)
  return said ? { verdict: words === '' ? 'bare-stop' : 'refused', words } : null
}

/** The person's answer to a question. */
export const answerIn = (text: string): string =>
  text.replace(/^(?:the )?user (?:selected|chose|responded|answered|said)[^:\n]{0,40}:\s*/i, '').trim()
