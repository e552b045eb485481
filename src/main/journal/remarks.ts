// Turns in which a person speaks and asks for nothing: an answer, an objection, evidence for the question being
// worked on. They keep the goal. Whatever cannot be told for sure counts as a request, so that nothing asked is lost.

const LIMIT = 4_000
const PROSE_LIMIT = 700

/** Words that ask when a clause begins with them. */
const ORDERS = new Set(
  `add address adjust allow analyse analyze answer apply ask audit avoid bring build bump cache call cancel change
  check choose clean clear clone close collapse collect combine commit compare complete configure connect consider
  continue convert copy count cover create cut debug decide decode deduplicate define delete deploy derive
  describe design detect dig disable discard do document don't double download draft draw drive drop edit emit
  enable encode encrypt enforce ensure erase eval evaluate execute expand explain export extend extract figure
  filter find finish fix flip focus follow force format freeze generate give go grep group guard handle have help
  hide ignore implement import improve include initialise initialize inline insert inspect install integrate
  introduce invert investigate join keep limit link lint list load lock log look lookup lower make map mark match
  measure mention merge migrate mock modify monitor mount move name normalise normalize note notify open optimise
  optimize order outline parse pass patch pause persist pick pin ping plan please pop port post prefer prepare
  preserve print proceed process profile propose prove provide publish pull push put quantify query raise read
  rebase rebuild redirect redo reduce refactor reference reject release rely remember remove rename render reorder
  repeat replace reply report reproduce require rerun research reset resolve respect restart restore restructure
  retry return reuse revert review rewrite round run sanitise sanitize save scale scan schedule search seed select
  send separate serve set setup ship shorten show sign silence simplify skip slow solve sort specify speed split
  squash stage start stash stay stop store strengthen stub style submit subscribe substitute suggest summarise
  summarize support surface swap switch sync tag take teach tell test throw tidy trace track transform translate
  trim try tune turn tweak unblock undo unify uninstall unset update upgrade upload use validate vendor verify
  wait warn watch wire work wrap write`.split(/\s+/),
)

/** Ways of asking that may stand anywhere. */
const ASKS =
  /\b(?:can|could|would|will) (?:you|we|it|they|this|that)\b|\bplease\b|\blet(?:'|’)?s\b|\blet us\b|\bi(?:'|’)?d (?:like|love|prefer|want|rather)\b|\bi would (?:like|prefer|rather)\b|\bi (?:do )?(?:want|need|wish|expect)\b|\b(?:we|you|it|they|this|that|there) (?:also |still |really |now )?(?:should(?! (?:already )?(?:know|have (?:known|seen)|be aware)\b)|must|ought|needs? to|has to|have to)\b|\b(?:the|these|those|its|our|my|each|every) (?:[\w`'-]+ ){1,6}should(?! (?:already )?(?:know|have (?:known|seen)|be aware)\b)|\bmake sure\b|\b(?:instead|rather than)\b|\bi(?:'|’)?m (?:trying|wondering|looking for)\b|\b(?:todo|goal|task)\b|\bin line with\b|(?:^|\s)\/[a-z][\w:-]+/i

/** Something is said to be wrong with the work: that asks for it to be mended. */
const DEFECTS =
  /\b(?:fail(?:s|ed|ing|ure)?|broken?|broke|crash(?:es|ed)?|bugs?|conflicts?|missing|regress\w*|traceback|exception|hangs?|leaks?|(?:does|do|did) ?n[o']?t (?:work|see|clear|show|get|match|compile|run|open|exist|happen|exit|delete|save|load|update|appear|handle|find)|does not (?:clear|work|show|match|run|exit|delete|save|load|update|appear|handle|find)|printed into|never (?:saw|sees?|gets?|got|opens?|opened|starts?|started|appear\w*|show\w*|loads?|finish\w*|work\w*|happen\w*|return\w*)|nothing (?:happen\w*|opens?|opened|appear\w*|shows?)|(?:exit|quit|close|die|stop)s?(?:ed|d|ted|ped)? (?:immediately|at once|right away|instantly|silently))\b/i

const AGREES =
  /^(?:(?:yes|yeah|yep|yup|ya|ok|okay|sure|right|correct|exactly|agreed|true|no|nope|nah|great|good|perfect|cool|nice|fine|ah|oh|hmm+|ehh?|well|so|and|also|then|now|first|next|finally|meanwhile|afterwards|again|just|maybe|perhaps|quickly|technically|actually|lastly|i mean|i think)\b[\s,.:;!–—-]*)+/i

/** How a statement begins. What begins otherwise may be an order whose verb is not in the list. */
const STATES =
  /^(?:it|it(?:'|’)s|that|that(?:'|’)s|this|these|those|the|an?|i|i(?:'|’)(?:m|ve|d|ll)|you|you(?:'|’)re|we|we(?:'|’)(?:re|ve)|they|there|here|when|if|but|because|since|still|not|only|my|our|your|their|so|for|in|on|by|with|as|at)\b|^(?:\S+\s+){1,4}(?:is|are|was|were|has|have|had|isn't|wasn't|keeps|means|seems|works|worked)\b/i

/** "…, yeah?" after a few words that name nothing: the person wants to hear that they understood. */
const TAG_QUESTION = /^(?:it|that|this|they) (?:\S+ ){1,5}(?:yeah|right|no|yes|huh|eh)\s*\?\W*$/i
/** "or #172?": the end of the question before. */
const FRAGMENT = /^(?:or|and)\s+\S+\s*\?$/i
const BRINGS_EVIDENCE =
  /^(?:(?:so|ok|okay|here(?:'|’)?s?|this|that|it|these|the|is|are|was|what|i|got|get|raw|full|my|from|in|of|it says|console|log|logs|output|trace|result|results|error|stack|terminal|claude|server|browser)\s*){2,8}:$/i
/** Enough English to judge by its words; of other languages nothing is said. */
const ENGLISH = /\b(?:the|is|are|was|it|its|it's|that|this|to|of|in|and|but|i|you|we|a|an|no|yes|so)\b/i

/** True when a turn adds to what is being worked on and asks for nothing new. */
export function isRemark(text: string): boolean {
  if (text.length > LIMIT) return false
  const prose = proseOf(text)
  if (prose === '') return isPaste(text)
  if (TAG_QUESTION.test(prose) || FRAGMENT.test(prose)) return true
  if (prose.length > PROSE_LIMIT || !ENGLISH.test(prose)) return false
  const [first = ''] = text.split('\n', 1)
  if (BRINGS_EVIDENCE.test(first.trim()) && !/\?\s*\S{0,12}$/.test(text)) return true
  if (answersPoints(prose)) return true
  const rest = prose.replace(AGREES, '').trim()
  return (rest === '' || STATES.test(rest)) && !asks(prose)
}

function asks(prose: string): boolean {
  const agreed = AGREES.exec(prose)?.[0] ?? ''
  const rest = prose.slice(agreed.length)
  if (/\?(?:\s|$|["')*])/.test(rest) || /^(?:why|how|what|where|who|which|whose)\b/i.test(rest)) return true
  const approves =
    /^(?:yes|yeah|yep|yup|sure|right|correct|exactly|agreed)\b|that(?:'|’)?s (?:right|the right)/i.test(prose)
  if (approves && !orders(rest))
    return ASKS.test(rest.replace(/\b(?:it|that|this|but we) (?:should|don't need to)\b/gi, ''))
  return orders(rest) || ASKS.test(rest) || DEFECTS.test(rest)
}

/** A clause that begins with a verb of doing. */
function orders(prose: string): boolean {
  return prose.split(/[.!;:,\n]+|\s[-–—]+\s|->|\b(?:and|then|but|so)\b/).some((clause) => {
    const words = clause
      .replace(/^[\s\d.)*#>"'-]+/, '')
      .replace(AGREES, '')
      .toLowerCase()
      .split(/\s+/, 2)
    return ORDERS.has(words[0] ?? '') && (words[1] ?? '') !== ''
  })
}

/** "A) … B) …" or "1. … 2. …" without a question: points that the agent had asked about. */
const answersPoints = (prose: string): boolean =>
  !prose.includes('?') && /(?:^|\n)\s*A\)[\s\S]+\n\s*B\)/.test(prose)

/** What a person wrote themselves: without fences, quotations, logs and what a terminal printed. */
function proseOf(text: string): string {
  const lines = text
    .replace(/```[\s\S]*?(?:```|$)/g, '\n')
    .split('\n')
    .map((line) => line.trim())
  const [from, to] = terminalOf(lines)
  return lines
    .filter((line, at) => !(at >= from && at <= to) && !isPasted(line))
    .join('\n')
    .trim()
}

/**
 * From the first prompt of a terminal to what the last command printed. A command that begins the text stood behind a
 * prompt too.
 */
function terminalOf(lines: readonly string[]): [from: number, to: number] {
  const first = lines.findIndex((line) => PROMPT.test(line))
  if (first === -1) return [0, -1]
  let last = lines.findLastIndex((line) => PROMPT.test(line))
  while (last + 1 < lines.length && !endsOutput(lines[last + 1] ?? '')) last++
  return [COMMAND_LINE.test(lines[0] ?? '') ? 0 : first, last]
}

const endsOutput = (line: string): boolean =>
  line === '' || line.endsWith('?') || orders(line) || ASKS.test(line)

/** "ann@host:~/shop$ …", also with the name of an environment before it. */
const PROMPT = /^(?:\([\w.-]{1,40}\) )?\S+[@:~]\S*[$#>]/
/** A program's name, perhaps words, and a flag. */
const COMMAND_LINE = /^[a-z][\w.+-]*(?: [\w./:@-]+){0,6}? --?[a-z]/

const isPaste = (text: string): boolean => text.split('\n').length > 1

const isPasted = (line: string): boolean =>
  /^[{}[\]<>❯⏺⎿$|│╭╰└├✻●]/.test(line) ||
  PROMPT.test(line) ||
  /\|(?:DEBU|INFO|WARN|ERRO|DEBUG|ERROR)\|/.test(line) ||
  /^(?:File "|at \S+ \(|\d{4}-\d\d-\d\d[T ]\d\d:|\[(?:DEBUG|INFO|WARN|ERROR))/.test(line)
