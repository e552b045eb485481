import { PROMPT } from './cutter'

// One turn: the person's prompt, then Aider's own outputs and the model's answer, in the order they came.

export type Part = { kind: 'output'; text: string } | { kind: 'answer'; text: string }

export interface Turn {
  prompt: string
  parts: Part[]
}

export function turnOf(text: string): Turn {
  const lines = text.split('\n')
  let at = 0
  const prompt: string[] = []
  while (at < lines.length && (lines[at] ?? '').startsWith(PROMPT))
    prompt.push((lines[at++] ?? '').slice(PROMPT.length).trimEnd())
  const blanksKept = (lines[0] ?? '').endsWith('  ')
  return { prompt: prompt.join('\n').trim(), parts: partsOf(lines.slice(at), blanksKept) }
}

/** Only the first line of an output has its mark; it ends with the line that ends with two blanks. */
function partsOf(lines: readonly string[], blanksKept: boolean): Part[] {
  const parts: Part[] = []
  const add = (kind: Part['kind'], line: string): void => {
    const last = parts.at(-1)
    if (last?.kind === kind) last.text += `\n${line}`
    else parts.push({ kind, text: line })
  }
  let open = false
  for (const [at, line] of lines.entries()) {
    const ends = !blanksKept || line.endsWith('  ')
    const begins = line.startsWith('> ') && (ends || closes(lines, at))
    if (begins || open) add('output', (begins ? line.slice(2) : line).trimEnd())
    else add('answer', line)
    open = (begins || open) && !ends
  }
  return parts.map((part) => ({ ...part, text: part.text.trim() })).filter((part) => part.text !== '')
}

const LONGEST_OUTPUT = 400

/** Whether an output that began here ends before the next one does; else it was a line somebody quoted. */
function closes(lines: readonly string[], from: number): boolean {
  for (let at = from + 1; at < Math.min(lines.length, from + LONGEST_OUTPUT); at++) {
    const line = lines[at] ?? ''
    if (line.startsWith('> ')) return false
    if (line.endsWith('  ')) return true
  }
  return false
}
