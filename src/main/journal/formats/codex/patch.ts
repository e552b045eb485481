import { headTail } from '../../text'
import type { CallItem } from '../claude-code/calls'
import { TEXT_LIMIT } from '../claude-code/calls'

const BEGIN = '*** Begin Patch'
const END = '*** End Patch'
const FILE = /^\*\*\* (Add|Update|Delete) File: (.+)$/
const MAX_FILES = 200

/** The patch inside a text (a shell script may carry one in a here-document); null when there is none. */
export function patchIn(text: string): string | null {
  const from = text.indexOf(BEGIN)
  if (from === -1) return null
  const to = text.indexOf(END, from)
  return text.slice(from + BEGIN.length, to === -1 ? undefined : to)
}

/** Every file a patch changes, as one item each. */
export function patchedFiles(patch: string): CallItem[] {
  const files: { how: string; path: string; lines: string[] }[] = []
  for (const line of patch.split('\n')) {
    const head = FILE.exec(line)
    if (head?.[1] && head[2]) files.push({ how: head[1], path: head[2].trim(), lines: [] })
    else files.at(-1)?.lines.push(line)
  }
  return files.slice(0, MAX_FILES).map(({ how, path, lines }) => {
    const starting = (sign: string): number => lines.filter((line) => line.startsWith(sign)).length
    const verb = how === 'Add' ? 'Write' : how === 'Delete' ? 'Delete' : 'Edit'
    return {
      kind: 'file_op',
      text: headTail(`${verb} ${path}\n${lines.join('\n').trim()}`.trim(), TEXT_LIMIT),
      data: {
        path,
        op: how === 'Add' ? 'write' : 'edit',
        added: starting('+'),
        removed: starting('-'),
      },
      importance: 0.45,
    }
  })
}
