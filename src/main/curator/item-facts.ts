import { clip } from './clip'
import { distil } from './distil'
import { speakerOf } from './extract'
import { actedPath, commandOf, failureOf, type NamedEntity, type NamingItem } from './item-entities'
import { simpleCommands } from './shell'
import { projectPath } from './short-path'

export interface ItemFact {
  subject: string
  predicate: string
  object: string
  method: 'rules'
}

/** Longest subject or object, in characters. */
const LONGEST = 240
const MOST = 40
/** Who a person's decision is by. */
const PERSON = 'person'

/**
 * What an item says, by rules. The session is the subject of what its agent did: `reads`, `writes`, `edits`,
 * `searches` a path, `runs` a command, `installs` and `imports` a package, `fixes` an issue, `decided` a sentence.
 * A command or a path is the subject of how it `fails_with` a message or a code; a package `has_version`; a person
 * `approves`, `rejects`, `stops` and `answers`, and `wants` or `asks` something with it.
 */
export function itemFacts(item: NamingItem, entities: readonly NamedEntity[], session: string): ItemFact[] {
  const facts = new Map<string, ItemFact>()
  const add: Add = (subject, predicate, object) => {
    const fact = { subject: cut(subject), predicate, object: cut(object), method: 'rules' as const }
    if (fact.subject === '' || fact.object === '' || facts.size >= MOST) return
    facts.set(JSON.stringify([fact.subject, predicate, fact.object]), fact)
  }
  worked(item, session, add)
  failed(item, entities, add)
  packages(item, session, add)
  if (item.kind === 'decision') decided(item, add)
  else if (SPEECH.has(item.kind)) spoken(item, session, add)
  return [...facts.values()]
}

type Add = (subject: string, predicate: string, object: string) => void
const SPEECH = new Set(['conclusion', 'note', 'plan'])
const OPS: Record<string, string> = { read: 'reads', write: 'writes', edit: 'edits', search: 'searches' }

function worked(item: NamingItem, session: string, add: Add): void {
  if (item.kind === 'file_op') {
    const path = projectPath(actedPath(item), item.cwd)
    if (path) add(session, OPS[String(item.data.op)] ?? 'touches', path)
  }
  if (item.kind === 'command')
    for (const command of simpleCommands(commandOf(item))) add(session, 'runs', command)
}

/** The shell could not read the line: nothing in it ran. */
const UNREAD =
  /\bparse error near\b|syntax error near unexpected|unexpected EOF while looking|^\S{1,30}: unmatched\b/i

function failed(item: NamingItem, entities: readonly NamedEntity[], add: Add): void {
  const why = failureOf(item)
  if (why === null) return
  const commands = simpleCommands(commandOf(item))
  const path = projectPath(actedPath(item), item.cwd)
  const tool = typeof item.data.tool === 'string' ? item.data.tool : item.tool
  const what = UNREAD.test(why) ? [] : blamed(commands, why)
  const subjects = what.length > 0 ? what : [path ?? tool ?? ''].filter(Boolean)
  const codes = entities.filter((entity) => entity.kind === 'error').map((entity) => entity.name)
  for (const subject of subjects) for (const object of [why, ...codes]) add(subject, 'fails_with', object)
}

/**
 * Of a line of several commands those that the message names: by the program at its head (`ls: …`) or by a step of one
 * (`merge` of `git merge`). When it names none, the last: a chain ends where it fails, and a list tells its last's end.
 */
function blamed(commands: readonly string[], why: string): readonly string[] {
  if (commands.length < 2) return commands
  const program = /^([\w.-]{1,40}): /.exec(why)?.[1]
  const said = new Set(why.toLowerCase().match(/[a-z][\w-]*/g))
  const named = commands.filter((command) => {
    const [first = '', second = ''] = command.split(' ')
    return (
      first.split('/').at(-1) === program ||
      (STEPPED.has(first) && /^[a-z-]+$/.test(second) && said.has(second))
    )
  })
  return named.length > 0 ? named : commands.slice(-1)
}
/** Programs whose first argument says what they do. */
const STEPPED = new Set(['git', 'npm', 'pnpm', 'yarn', 'docker', 'cargo', 'kubectl', 'gh'])

const INSTALLS =
  /^(?:npm (?:i|install|add)|pnpm (?:add|i|install)|yarn add|bun add|pip3? install|uv add|poetry add|cargo add|go get|gem install)\b/
const PINNED = /(?:^|[\s"'`(])((?:@[a-z0-9][\w.-]*\/)?[a-z][\w.-]*(?:\/[\w.-]+)*)(?:@v?|==)(\d+\.[\w.-]*\w)/g
const IMPORTS =
  /^\s*[+-]?\s*(?:import\b[^'"\n]{0,200}|export\b[^'"\n]{0,200}|(?:const|let|var)\b[^'"\n]{0,200}require\(|)\s*['"]((?:@[a-z0-9][\w.-]*\/)?[a-z][\w.-]*)[\w./-]*['"]/

function packages(item: NamingItem, session: string, add: Add): void {
  const text = item.text.slice(0, 20_000)
  for (const command of simpleCommands(commandOf(item))) {
    const list = INSTALLS.exec(command)
    if (list && item.kind === 'command') {
      for (const word of command.slice(list[0].length).trim().split(/\s+/)) {
        const name = /^((?:@[a-z0-9][\w.-]*\/)?[A-Za-z][\w./-]*?)(?:(?:@|==|>=|\^|~).*)?$/.exec(word)?.[1]
        if (name && !word.startsWith('-')) add(session, 'installs', name)
      }
    }
  }
  for (const match of text.matchAll(PINNED)) add(match[1] ?? '', 'has_version', match[2] ?? '')
  if (item.kind !== 'file_op') return
  const path = projectPath(actedPath(item), item.cwd)
  if (!path || !/\.[cm]?[jt]sx?$/.test(path)) return
  for (const line of text.split('\n', 400)) {
    // Only what stands in the file now: a removed line is marked with a minus.
    if (!/^\s*\+?\s*(?:import|export|const|let|var)\b/.test(line)) continue
    const name = IMPORTS.exec(line.slice(0, 500))?.[1]
    if (name && name !== 'node') add(path, 'imports', name)
  }
}

const VERDICTS: Record<string, string> = {
  approve: 'approves',
  refused: 'rejects',
  'bare-stop': 'stops',
  answered: 'answers',
}

function decided(item: NamingItem, add: Add): void {
  const verb = VERDICTS[String(item.data.verdict)]
  if (!verb) return
  const words = typeof item.data.words === 'string' ? item.data.words : ''
  const what =
    item.data.of === 'plan' ? planOf(item) : item.data.of === 'tool' ? toolCall(item) : 'a question'
  add(PERSON, verb, what)
  if (words.trim() === '') return
  if (verb !== 'answers') add(PERSON, onlyAsks(words) ? 'asks' : 'wants', words)
  else if (!ASKS_BACK.test(words.trim())) add(PERSON, 'decided', words)
}

/** The journal tells a plan by its title, in quotation marks. */
const planOf = ({ text }: NamingItem): string => /“([^”]{1,200})”/.exec(text.slice(0, 400))?.[1] ?? 'a plan'
const toolCall = ({ data }: NamingItem): string => (typeof data.tool === 'string' ? data.tool : 'a tool call')

const FIXES =
  /\b(?:fix(?:es|ed)?|close[sd]?|resolve[sd]?)\s+(?:issue\s+)?((?:[\w.-]{1,60}\/[\w.-]{1,60})?#[1-9]\d{0,5}|[A-Z][A-Z0-9]{1,9}-\d{1,6})\b/gi
/** Words by which a sentence settles something; what an agent says it does next is no decision, nor is a question. */
const SETTLES =
  /\b(?:(?:we|i) should|should (?:just|only|never|always|not)|should be (?:added|moved|replaced|deleted|removed|done|documented|split|independent\w*|a)|must|instead|prefer(?:red|s)?|recommend(?:ed|ation)?|agreed|decided|go(?:ing)? with|let's|we(?:'ll| will)|we (?:just |only )?need to|i'd (?:say|go|suggest|recommend|use|keep)|i'll (?:use|follow|keep|remove|switch|go|move|replace|skip)|(?:fix|approach|solution)(?: here)? is(?: simple:| to| `))/i
const NEXT =
  /^(?:now|next|then|first|also|need to|let me)\b|\bi need to\b|\bi should (?:verify|check|run)\b|straightforward|\?$/i
const FEWEST_WORDS = 6
const settles = (sentence: string): boolean =>
  SETTLES.test(sentence) &&
  !NEXT.test(sentence) &&
  sentence.split(/\s+/, FEWEST_WORDS).length === FEWEST_WORDS
/** What a person asks back is no answer that settles anything. */
const ASKS_BACK = /\?\s*$|^(?:what|why|how|is|are|does|do|can|could|q:)\b/i

const QUESTION = /\?\s*$|^q:|(?:^|\s[-–]\s)(?:what|how|why|when|where|who|does|is|are)\b/i
/** A wish that is put as a question, or that stands beside one. */
const WISH =
  /\b(?:(?:can|could|would|will) (?:you|we|i)|why (?:don't|not|do)|let's|please|i(?:'d| would)? (?:want|don't want|need|like|prefer)|instead|(?:an)?other way|you should)\b/i
/** Words that only ask something want an answer, and nothing else. */
const onlyAsks = (words: string): boolean => QUESTION.test(words.trim()) && !WISH.test(words)

/** Decisions told of one item; more are a list, not decisions. */
const DECISIONS = 5

function spoken(item: NamingItem, session: string, add: Add): void {
  const text = item.text.slice(0, 20_000)
  for (const match of text.matchAll(FIXES)) add(session, 'fixes', match[1] ?? '')
  if (item.kind === 'plan') return
  const { decisions } = distil([{ text, speaker: speakerOf(item.kind, item.data) }])
  for (const sentence of decisions.filter(settles).slice(0, DECISIONS)) add(session, 'decided', sentence)
}

const cut = (text: string): string => clip(text, LONGEST)
