import { isFileName, pathIn } from './entity-paths'
import { COMMANDS, ERRNO, NOT_COMMANDS, NOT_ISSUES, NOT_SYMBOLS } from './entity-words'
import { simpleCommands } from './shell'

export type EntityType =
  | 'path'
  | 'symbol'
  | 'command'
  | 'package'
  | 'url'
  | 'issue'
  | 'error'
  | 'version'
  | 'person'
  | 'model'

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
    fromPhrases(line, add)
  }
  return [...found.values()]
}

type Add = (type: EntityType, value: string) => void

/** `$ npm test`, also behind the name of a task: `[lint] $ eslint .` */
const PROMPT = /^\s*(?:\[[\w:.-]{1,40}\]\s*)?[$❯]\s+(\S.{0,400})$/
const IMPORT =
  /(?:\b(?:import|export)\b[^'"\n]{0,200}?\bfrom\s*|\brequire\(\s*|\bimport\(\s*|\bimport\s+)['"]([@\w][\w@./-]{0,100})['"]/g
const NAME = /^[A-Za-z_$][\w$]*(?:(?:\.|::|#)[A-Za-z_$][\w$]*)*(?:\(\))?$/

/** Reads `code spans`, shell prompts and imports; returns the line with command spans taken out. */
function fromQuotes(line: string, add: Add): string {
  const prompt = PROMPT.exec(line)?.[1]
  if (prompt) {
    for (const command of simpleCommands(prompt)) if (COMMAND_WORD.test(command)) add('command', command)
    return line
  }
  for (const match of line.matchAll(IMPORT)) {
    const name = packageName(match[1] ?? '')
    if (name) add('package', name)
  }
  return line.replace(/`([^`]{2,200})`/g, (whole, span: string) => {
    if (isCommand(span)) {
      for (const command of simpleCommands(span)) add('command', command)
      return ' '
    }
    if (/^[\w.-]{2,60}\/$/.test(span) && /[A-Za-z]{2}/.test(span)) {
      add('path', span.slice(0, -1))
      return ' '
    }
    if (NAME.test(span) && !isFileName(span) && span.length > 2) {
      const plain = span.replace(/\(\)$/, '')
      const error = errorName(plain)
      add(error ? 'error' : 'symbol', error ?? plain)
      return ' '
    }
    return whole
  })
}

/** What stands behind a prompt in an output is a command when it starts as one does. */
const COMMAND_WORD = /^(?:\.{0,2}\/|~\/|[a-z])[\w./+-]*(?:\s|$)/

const PHRASES: readonly [EntityType, RegExp, (match: RegExpMatchArray) => string][] = [
  ['error', /\b(?:HTTP|status(?: code)?:?)\s+([45]\d\d)\b/gi, (match) => `HTTP ${match[1]}`],
  ['error', /(?:^|[\s([])([A-Z]{1,4}\d{3,5}):\s/g, (match) => match[1] ?? ''],
  [
    'person',
    /\b(?:Co-Authored-By|Signed-off-by|Author|Reviewed-by):\s*([^<\n]{2,60}?)\s*</gi,
    (match) => match[1] ?? '',
  ],
  [
    'model',
    /\b(claude[- ](?:\d[\w.-]*|opus|sonnet|haiku)(?:[- ][\w.]+)?|gpt-\d[\w.-]*|o[134](?:-mini|-pro)\b|gemini-\d[\w.-]*|(?:llama|qwen|mistral|deepseek|gemma)[-\d][\w.:-]*)/gi,
    (match) =>
      (match[1] ?? '')
        .toLowerCase()
        .replace(/\s+/g, '-')
        .replace(/[.:-]+$/, ''),
  ],
]

function fromPhrases(line: string, add: Add): void {
  const read = line.slice(0, 2_000)
  for (const [type, pattern, name] of PHRASES)
    for (const match of read.matchAll(pattern)) add(type, name(match))
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
    add('url', url.replace(/[.,;:!?*_\\]+$/, ''))
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
  const error = errorName(plain)
  if (error) return { type: 'error', value: error }
  if (/^v?\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(plain)) return { type: 'version', value: plain.replace(/^v/, '') }
  const named = packageOf(plain)
  if (named) return { type: 'package', value: named }
  const path = pathIn(plain)
  if (path) return { type: 'path', value: path }
  return isSymbol(plain, word) ? { type: 'symbol', value: plain } : null
}

/** A module host, as Go and others write import paths: `github.com/owner/name/part`. */
const IMPORT_PATH =
  /(?:^|\/)((?:[a-z0-9][a-z0-9-]{0,30}\.)+(?:com|org|io|dev|net|in|sh)\/[\w.-]+(?:\/[\w.-]+)*)/
/** Hosts whose packages are owner/name, whatever stands behind. */
const OWNED = /^((?:github|gitlab|bitbucket)\.(?:com|org)\/[\w.-]+\/[\w.-]+?)(?:@|\/|$)/

function packageOf(word: string): string | null {
  const scoped = /^(@[a-z0-9][\w.-]*\/[a-z0-9][\w.-]*)(?:@[\w.^~-]+)?$/.exec(word)?.[1]
  if (scoped) return scoped
  const versioned = /^([a-z][\w.-]*(?:\/[a-z][\w.-]*)?)@(?:[\^~]?v?\d[\w.-]*|latest)$/.exec(word)?.[1]
  if (versioned) return versioned
  const path = IMPORT_PATH.exec(word)
  if (!path?.[1] || /:\/\/|^git@/.test(word)) return null
  const version = path[1].length + path.index + (path[0].length - path[1].length)
  // With a version the module ends there, and what follows is a file in it.
  if (word[version] === '@') return path[1]
  if (path.index > 0) return OWNED.exec(path[1])?.[1] ?? null
  const named = path[1].replace(/\.[A-Z]\w*$/, '').replace(/\.test$/, '')
  return /\.(?:git|html?|md|json)$/.test(named) ? null : named
}

function issueOf(word: string): string | null {
  if (/^(?:[\w.-]+\/[\w.-]+)?#[1-9]\d{0,5}$/.test(word)) return word
  return /^[A-Z][A-Z0-9]{1,9}-\d{1,6}$/.test(word) && !NOT_ISSUES.test(word) ? word : null
}

/** The code or the type of an error, without the module it is told in; null when it is none. */
function errorName(word: string): string | null {
  const last = word.replace(/^(?:[A-Za-z_]\w*\.)+(?=[A-Z])/, '')
  const coded =
    ERRNO.has(word) ||
    /^(?:TS\d{4,5}|E\d{4}|ERR_[A-Z][A-Z_0-9]+|SQLITE_[A-Z_]+|SIG(?:KILL|SEGV|ABRT))$/.test(word)
  if (coded) return word
  return /^[A-Z]\w*(?:Error|Exception)$/.test(last) && !/^Test[A-Z_]/.test(last) ? last : null
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

/** A known program with arguments, or a word and a flag. */
function isCommand(text: string): boolean {
  const [first = '', second, ...rest] = text.trim().split(/\s+/)
  if (COMMANDS.has(first)) return second !== undefined || first === 'make' || first === 'pytest'
  if (second === undefined || !/^(?:\.{0,2}\/)?[a-z][\w./-]*$/.test(first) || NOT_COMMANDS.has(first))
    return false
  return [second, ...rest].some((word) => /^--?[a-z]/.test(word)) || /^(?:\.{0,2}\/)/.test(first)
}

/** `lodash/fp` is lodash, `@a/b/c` is @a/b; what is relative or of the runtime is no package. */
function packageName(specifier: string): string | null {
  if (specifier.startsWith('.') || specifier.startsWith('@/') || specifier.startsWith('node:')) return null
  const parts = specifier.split('/')
  return parts.slice(0, specifier.startsWith('@') ? 2 : 1).join('/') || null
}

const withoutVersion = (name: string): string => name.replace(/(?<=.)(?:@|==|>=|\^|~).*$/, '')
