// Command lines as shells read them, near enough to name what was run. One pass over at most LONGEST characters.

const LONGEST = 4_000
const MOST = 20
/** Characters of a command that name it; what follows is data. */
export const COMMAND_NAME = 100

/** Steps that move about or only say something: they are no work. */
const IDLE = new Set(
  'cd echo printf sleep true false exit set export unset local source . pushd popd read wait : [ [[ test'.split(
    ' ',
  ),
)
const CONTROL =
  /^(?:if|then|elif|else|fi|for|while|until|do|done|case|esac|in|function|select|\{|\}|\(|\)|!)$/
const PREFIX = /^(?:time|sudo|nohup|env|command|exec|builtin|then|do|else|!|\{|\()$/
const ASSIGNMENT = /^[A-Za-z_]\w*\+?=/

/**
 * The simple commands of a command line in the order they run: of a pipeline the first one, without variables set
 * before it, redirections and here-documents. `cd` and the like are left out. Each is one line of at most 100
 * characters.
 */
export function simpleCommands(line: string): string[] {
  const found: string[] = []
  for (const words of sequences(line.slice(0, LONGEST))) {
    const name = nameOf(words)
    if (name !== '' && !found.includes(name)) found.push(name)
    if (found.length >= MOST) break
  }
  return found
}

function nameOf(words: readonly string[]): string {
  let start = 0
  while (start < words.length) {
    const word = words[start] ?? ''
    const run = ASSIGNMENT.test(word) ? /^\w+=["']?\$\((.+)\)["']?$/s.exec(word)?.[1] : undefined
    if (run !== undefined && start === words.length - 1) return simpleCommands(run)[0] ?? ''
    const inner = ASSIGNMENT.test(word) ? /^\w+=\$\(([^()]+)\)/.exec(word)?.[1] : undefined
    if (inner !== undefined && start === words.length - 1) return simpleCommands(inner)[0] ?? ''
    if (!ASSIGNMENT.test(word) && !PREFIX.test(word)) break
    start++
  }
  const rest = words.slice(start)
  const [first = ''] = rest
  if (first === '' || IDLE.has(first) || CONTROL.test(first) || !/^[\w.~/$"@-]/.test(first)) return ''
  return rest.join(' ').replace(/\s+/g, ' ').trim().slice(0, COMMAND_NAME).trim()
}

/** The words of each command that starts a pipeline. */
function sequences(line: string): string[][] {
  const reader = new ShellReader(line)
  return reader.read()
}

class ShellReader {
  readonly #text: string
  #at = 0
  #word = ''
  #words: string[] = []
  #piped = false
  #delimiters: string[] = []
  readonly #found: string[][] = []

  constructor(text: string) {
    this.#text = text
  }

  read(): string[][] {
    while (this.#at < this.#text.length) this.#step()
    this.#endCommand(false)
    return this.#found
  }

  #step(): void {
    const char = this.#text[this.#at] ?? ''
    const next = this.#text[this.#at + 1] ?? ''
    if (char === '\\') {
      if (next !== '\n') this.#word += char + next
      this.#at += 2
    } else if (char === '\n') this.#newline()
    else if (char === '#' && this.#word === '') this.#to('\n')
    else if (char === ' ' || char === '\t' || char === '\r') this.#blank()
    else if (char === ';' || (char === '&' && next === '&') || (char === '|' && next === '|')) {
      this.#at += char === ';' ? 1 : 2
      this.#endCommand(false)
    } else if (char === '|') {
      this.#at++
      this.#endCommand(true)
    } else if (char === '<' && this.#placeholder() !== '') this.#take(this.#placeholder())
    else if (char === '<' || char === '>' || (char === '&' && next === '>')) this.#redirection()
    else if (char === '&') {
      this.#at++
      this.#endCommand(false)
    } else if (char === '"' || char === "'" || char === '`') this.#take(this.#quoted(char))
    else if (char === '$' && next === '(') this.#take(this.#substitution())
    else if ((char === '(' || char === ')') && this.#word === '') this.#at++
    else this.#take(char)
  }

  #take(text: string): void {
    this.#word += text
    this.#at += text.length
  }

  #blank(): void {
    this.#endWord()
    this.#at++
  }

  /** `<id>` in a command that is told, not run. */
  #placeholder(): string {
    return /^<[A-Za-z][\w-]{0,30}>/.exec(this.#text.slice(this.#at, this.#at + 33))?.[0] ?? ''
  }

  #newline(): void {
    this.#at++
    this.#endCommand(false)
    // A here-document's body is data.
    for (const delimiter of this.#delimiters.splice(0)) {
      const end = this.#text.indexOf(`\n${delimiter}`, this.#at - 1)
      this.#at = end < 0 ? this.#text.length : end + delimiter.length + 1
    }
  }

  #to(stop: string): void {
    const end = this.#text.indexOf(stop, this.#at)
    this.#at = end < 0 ? this.#text.length : end
  }

  #quoted(quote: string): string {
    let end = this.#at + 1
    while (end < this.#text.length && this.#text[end] !== quote) {
      if (quote !== "'" && this.#text[end] === '\\') end++
      else if (quote === '"' && this.#text.startsWith('$(', end)) end = this.#closing(end + 1)
      end++
    }
    return this.#text.slice(this.#at, end + 1)
  }

  #substitution(): string {
    return this.#text.slice(this.#at, this.#closing(this.#at + 1) + 1)
  }

  /** Where the parenthesis that opens at `from` closes; quotes inside are skipped. */
  #closing(from: number): number {
    let depth = 0
    for (let at = from; at < this.#text.length; at++) {
      const char = this.#text[at]
      if (char === '(') depth++
      else if (char === ')' && --depth === 0) return at
      else if (char === "'") at = Math.max(at, this.#text.indexOf("'", at + 1))
      else if (char === '\\') at++
    }
    return this.#text.length
  }

  #redirection(): void {
    // A number before it is the descriptor.
    if (/^\d$/.test(this.#word)) this.#word = ''
    this.#endWord()
    const sign =
      /^(?:<<-?|&>>?|[<>]&\d?|>>|[<>]\||[<>])/.exec(this.#text.slice(this.#at, this.#at + 4))?.[0] ?? '>'
    this.#at += sign.length
    if (/&\d$/.test(sign)) return
    while (this.#text[this.#at] === ' ') this.#at++
    const target =
      /^(?:"[^"\n]{0,500}"|'[^'\n]{0,500}'|[^\s;|&<>()]{0,500})/.exec(
        this.#text.slice(this.#at, this.#at + 502),
      )?.[0] ?? ''
    this.#at += target.length
    if (sign.startsWith('<<')) this.#delimiters.push(target.replace(/["']/g, ''))
  }

  #endWord(): void {
    // An argument that is a here-document in a substitution is data, as is one that holds a whole text.
    if (this.#word !== '' && !/\$\(cat\s+<</.test(this.#word)) this.#words.push(this.#word)
    this.#word = ''
  }

  #endCommand(intoPipe: boolean): void {
    this.#endWord()
    if (!this.#piped && this.#words.length > 0) this.#found.push(this.#words)
    this.#words = []
    this.#piped = intoPipe
  }
}
