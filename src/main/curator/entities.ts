import {
  BARE_FILES,
  COMMANDS,
  ERRNO,
  EXTENSIONS,
  FOLDERS,
  NOT_FILES,
  NOT_ISSUES,
  NOT_SYMBOLS,
} from './entity-words'

export type EntityType = 'path' | 'symbol' | 'command' | 'package' | 'url' | 'issue' | 'error' | 'version'

export interface Entity {
  type: EntityType
  /** Normalised: `./src/a.ts:12` is `src/a.ts`. */
  value: string
}

/** Characters read of a long text: most of its beginning, some of its end. */
const HEAD = 16_000
const TAIL = 4_000
const LONGEST = 200
const MOST = 200

/**
 * What a text names, by rules: paths, symbols, commands, packages, URLs, issues, error codes, versions. Each once, in
 * the order they first appear. Time is linear in the text, of which at most 20,000 characters are read.
 */
export function extractEntities(text: string): Entity[] {
  const found = new Map<string, Entity>()
  const add = (type: EntityType, value: string): void => {
    if (value !== '' && value.length <= LONGEST && found.size < MOST) {
      const key = `${type} ${value}`
      if (!found.has(key)) found.set(key, { type, value })
    }
  }
  const read = text.length > HEAD + TAIL ? `${text.slice(0, HEAD)}\n${text.slice(-TAIL)}` : text
  for (const line of read.split('\n')) {
    const quoted = fromQuotes(line, add)
    fromInstalls(line, add)
    for (const word of quoted.split(/[\s|]+/)) fromWord(word, add)
  }
  return [...found.values()]
}

type Add = (type: EntityType, value: string) => void

/** Reads `code spans`, shell prompts and imports; returns the line with command spans taken out. */
function fromQuotes(line: string, add: Add): string {
  const prompt = /^\s*[$❯>]\s+(\S.{0,198})$/.exec(line)?.[1]
  if (prompt && isCommand(prompt)) {
    add('command', squeeze(prompt))
    return line
  }
  for (const match of line.matchAll(
    /\b(?:from|require\(|import\(|import)\s*['"]([@\w][\w@./-]{0,100})['"]/g,
  )) {
    const name = packageName(match[1] ?? '')
    if (name) add('package', name)
  }
  return line.replace(/`([^`]{2,200})`/g, (whole, span: string) => {
    if (isCommand(span)) {
      add('command', squeeze(span))
      return ' '
    }
    if (
      /^[A-Za-z_$][\w$]*(?:(?:\.|::|#)[A-Za-z_$][\w$]*)*(?:\(\))?$/.test(span) &&
      !isFile(span) &&
      span.length > 2
    ) {
      add(errorCode(span) ? 'error' : 'symbol', span.replace(/\(\)$/, ''))
      return ' '
    }
    return whole
  })
}

const INSTALL =
  /\b(?:npm (?:i|install|add)|pnpm (?:add|i|install)|yarn add|bun add|pip3? install|uv add|poetry add|cargo add|go get|gem install)\s+([^\n|;&`'")]{1,200})/g

function fromInstalls(line: string, add: Add): void {
  for (const match of line.matchAll(INSTALL)) {
    for (const word of (match[1] ?? '').split(/\s+/)) {
      // The list ends at the first word that is no package name: the sentence goes on there.
      if (word.startsWith('-')) continue
      if (
        !/^@?[a-z0-9][\w./-]*(?:(?:@|==|>=|\^|~).{1,30})?$/.test(word) ||
        /^(?:and|to|in|the|for|then|with|on)$/.test(word)
      )
        break
      add('package', withoutVersion(word.replace(/[.,:]$/, '')))
    }
  }
}

function fromWord(raw: string, add: Add): void {
  if (raw.length < 2 || raw.length > LONGEST + 20) return
  const url = /https?:\/\/[^\s<>"'`)\]}]+/.exec(raw)?.[0]
  if (url) {
    add('url', url.replace(/[.,;:!?*_]+$/, ''))
    return
  }
  const word = raw.replace(/^[^\w@#~./$]+/, '').replace(/[^\w/)+#-]+$/, '')
  const plain = word.replace(/[()]+$/, '')
  if (plain.length < 2) return
  const kind = kindOf(plain, word)
  if (kind) add(kind.type, kind.value)
}

function kindOf(plain: string, word: string): Entity | null {
  const issue = issueOf(plain)
  if (issue) return { type: 'issue', value: issue }
  if (errorCode(plain)) return { type: 'error', value: plain }
  if (/^v?\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(plain)) return { type: 'version', value: plain.replace(/^v/, '') }
  const scoped = /^(@[a-z0-9][\w.-]*\/[a-z0-9][\w.-]*)(?:@[\w.^~-]+)?$/.exec(plain)?.[1]
  if (scoped) return { type: 'package', value: scoped }
  const versioned = /^([a-z][\w.-]*)@[\^~]?\d[\w.-]*$/.exec(plain)?.[1]
  if (versioned) return { type: 'package', value: versioned }
  const path = pathOf(plain)
  if (path) return { type: 'path', value: path }
  return isSymbol(plain, word) ? { type: 'symbol', value: plain } : null
}

function issueOf(word: string): string | null {
  if (/^(?:[\w.-]+\/[\w.-]+)?#[1-9]\d{0,5}$/.test(word)) return word
  return /^[A-Z][A-Z0-9]{1,9}-\d{1,6}$/.test(word) && !NOT_ISSUES.test(word) ? word : null
}

function errorCode(word: string): boolean {
  return (
    ERRNO.has(word) ||
    /^(?:TS\d{4,5}|E\d{4}|ERR_[A-Z][A-Z_0-9]+|SQLITE_[A-Z_]+|SIG(?:KILL|SEGV|TERM|INT|ABRT))$/.test(word) ||
    /^[A-Z]\w*(?:Error|Exception)$/.test(word)
  )
}

/** A path without its line number and leading `./`, or null. */
function pathOf(word: string): string | null {
  const bare = word.replace(/(?::\d+){1,2}(?:-\d+)?$/, '').replace(/#L\d+(?:-L?\d+)?$/, '')
  if (!/^[\w.@~$+:\\/()[\]-]+$/.test(bare) || /^[\d./-]+$/.test(bare)) return null
  if (/^[A-Za-z]:\\\w/.test(bare)) return bare
  if (!bare.includes('/')) return isFile(bare) ? bare : null
  const parts = bare.split('/').filter((part) => part !== '' && part !== '.')
  const last = parts.at(-1) ?? ''
  const rooted = /^(?:~|\.{1,2})?\//.test(bare) && parts.length > 0 && /[A-Za-z]{2}/.test(bare)
  const known = FOLDERS.has(parts[0] ?? '') && parts.length > 1
  const deep = parts.length > 3 && !/^[A-Z]/.test(last)
  if (!isFile(last, true) && !known && !deep && !(rooted && (parts.length > 1 || bare.startsWith('.'))))
    return null
  return bare
    .replace(/^(?:\.\/)+/, '')
    .replace(/\/{2,}/g, '/')
    .replace(/(?<=.)\/$/, '')
}

/** Extensions that are more often a member than a file: `items.map`, `console.log`, `process.env`. */
const MEMBERS = new Set(['map', 'log', 'env', 'm', 'r', 'conf', 'patch', 'diff', 'lock'])

function isFile(name: string, inFolder = false): boolean {
  if (BARE_FILES.has(name)) return true
  if (NOT_FILES.has(name.toLowerCase()) || !/^[\w.@+$()[\]-]+$/.test(name)) return false
  const dot = name.lastIndexOf('.')
  const extension = name.slice(dot + 1).toLowerCase()
  if (dot < 1 || !EXTENSIONS.has(extension)) return false
  return inFolder || !MEMBERS.has(extension) || /[-.]/.test(name.slice(0, dot))
}

function isSymbol(plain: string, word: string): boolean {
  if (NOT_SYMBOLS.has(plain.toLowerCase())) return false
  if (/^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*\(\)?$/.test(word)) return plain.length > 2
  return (
    /^[a-z]+[a-z0-9]*(?:[A-Z][a-z0-9]+)+\w*$/.test(plain) ||
    /^[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]+)+$/.test(plain) ||
    /^_?[A-Za-z][a-z0-9]*(?:_[a-z0-9]+)+$/.test(plain) ||
    /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/.test(plain) ||
    /^\w+(?:::\w+)+$/.test(plain)
  )
}

function isCommand(text: string): boolean {
  const [first = '', second] = text.trim().split(/\s+/)
  return COMMANDS.has(first) && (second !== undefined || first === 'make' || first === 'pytest')
}

/** `lodash/fp` is lodash, `@a/b/c` is @a/b; what is relative or of the runtime is no package. */
function packageName(specifier: string): string | null {
  if (specifier.startsWith('.') || specifier.startsWith('@/') || specifier.startsWith('node:')) return null
  const parts = specifier.split('/')
  return parts.slice(0, specifier.startsWith('@') ? 2 : 1).join('/') || null
}

const withoutVersion = (name: string): string => name.replace(/(?<=.)(?:@|==|>=|\^|~).*$/, '')
const squeeze = (text: string): string => text.replace(/\s+/g, ' ').trim()
