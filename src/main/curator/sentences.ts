export interface Sentence {
  text: string
  shape: 'prose' | 'bullet' | 'heading'
}

/** Characters read of a long text, from its beginning and its end; sentences kept. */
const HEAD = 24_000
const TAIL = 8_000
const MOST = 400

/** Dots that end no sentence. */
const ABBREVIATION = /(?:\b(?:e\.g|i\.e|etc|vs|cf|approx|resp|Mr|Dr|No|Fig)|\b[A-Z])\.$/

/**
 * The sentences of Markdown prose, in order. Code blocks, tables, rules and HTML are left out, marks taken off,
 * hard-wrapped lines joined. Linear in the text, of which at most 32,000 characters are read.
 */
export function sentencesOf(text: string): Sentence[] {
  const read = text.length > HEAD + TAIL ? `${text.slice(0, HEAD)}\n\n${fromWhole(text.slice(-TAIL))}` : text
  const found: Sentence[] = []
  for (const block of blocks(read)) {
    for (const part of split(block.text)) {
      if (found.length >= MOST) return found
      if (/[\p{L}\p{N}]/u.test(part)) found.push({ text: part, shape: block.shape })
    }
  }
  return found
}

/** The line the journal puts where it left out the middle of a long text. */
const LEFT_OUT = /^\[… \d+ characters left out …\]$/
/** Characters in which a cut text comes to its next sentence, or it begins at its next word. */
const NEXT = 600

/** A text that was cut at its beginning, from its first whole sentence or line on. */
function fromWhole(cut: string): string {
  const head = cut.slice(0, NEXT)
  const next = /[.!?]["')\]]*\s+|[。！？]\s*|\n+/.exec(head) ?? /\s+/.exec(head)
  return next ? cut.slice(next.index + next[0].length) : cut.toWellFormed()
}

function blocks(text: string): Sentence[] {
  const found: Sentence[] = []
  let paragraph: string[] = []
  let shape: Sentence['shape'] = 'prose'
  let fence: string | null = null
  const flush = (): void => {
    if (paragraph.length > 0) found.push({ text: paragraph.join(' '), shape })
    paragraph = []
  }
  let cutBefore = false
  for (const given of text.split(/\r?\n/)) {
    // What follows such a mark was cut in the middle of a word; the mark itself is nobody's sentence.
    const line = cutBefore ? fromWhole(given) : given
    cutBefore = LEFT_OUT.test(given)
    if (cutBefore) {
      flush()
      continue
    }
    const mark = /^\s*(```|~~~)/.exec(line)?.[1]
    if (mark && (fence === null || fence === mark)) {
      fence = fence === null ? mark : null
      flush()
      continue
    }
    if (fence !== null) continue
    const read = readLine(line)
    // A line that begins nothing goes on with the paragraph or the bullet above it.
    if (read === null || read.shape !== 'prose' || shape === 'heading') flush()
    if (read === null) continue
    if (paragraph.length === 0) shape = read.shape
    paragraph.push(read.text)
  }
  flush()
  return found
}

/** A line without its marks, or null when it ends the paragraph. */
function readLine(line: string): Sentence | null {
  const trimmed = line.replace(/^[\s>]+/, '').trimEnd()
  if (
    trimmed === '' ||
    /^[-=_*|#\s]+$/.test(trimmed) ||
    trimmed.startsWith('|') ||
    /^<\/?\w[^>]*>$/.test(trimmed)
  ) {
    return null
  }
  const heading = /^#{1,6}\s+(.*)$/.exec(trimmed)?.[1] ?? /^\*\*([^*]+?):?\*\*:?$/.exec(trimmed)?.[1]
  if (heading !== undefined) return { text: plain(heading), shape: 'heading' }
  const bullet =
    /^(?:[-*+•]|\d{1,3}[.)]|[A-Za-z]\))\s+(?:\[[ xX]\]\s+)?(.*)$/.exec(trimmed)?.[1] ?? boldLine(trimmed)
  if (bullet !== undefined) return { text: plain(bullet), shape: 'bullet' }
  return { text: plain(trimmed), shape: 'prose' }
}

/** `**Name:** what of it` stands for itself, like a bullet. */
const boldLine = (line: string): string | undefined => (/^\*\*[^*]+\*\*/.test(line) ? line : undefined)

/** Emphasis, link targets and escapes off, code spans kept. */
function plain(text: string): string {
  return text
    .replace(/\*\*([^*]{1,300})\*\*/g, '$1')
    .replace(/!?\[([^\]]{1,200})\]\([^)]{1,400}\)/g, '$1')
    .replace(/\\([#*_[\]])/g, '$1')
    .replace(/^(?:✅|❌|✓|✗|✔|⚠️?|🎉|🚀)\s*/u, '')
    .replace(/\s+/g, ' ')
    .trim()
}

function split(block: string): string[] {
  const parts: string[] = []
  let start = 0
  for (const match of block.matchAll(/[.!?。！？](?:["')\]]*)(?=\s|$)|[。！？]/g)) {
    const end = match.index + match[0].length
    if (ABBREVIATION.test(block.slice(Math.max(0, end - 8), end))) continue
    // A sentence begins with a capital, a digit or a mark; `v1. is` goes on.
    const next = block.slice(end).trimStart()[0]
    if (next !== undefined && /[a-z]/.test(next)) continue
    parts.push(block.slice(start, end).trim())
    start = end
  }
  const rest = block.slice(start).trim()
  if (rest !== '') parts.push(rest)
  return parts
}
