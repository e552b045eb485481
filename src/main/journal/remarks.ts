// Turns in which a person speaks and asks for nothing: an answer, an objection, evidence for the question being
// worked on. They keep the goal. Whatever cannot be told for sure counts as a request, so that nothing asked is lost.

const LIMIT = 4_000
const PROSE_LIMIT = 700

/** Words that ask when a clause begins with them. */
const ORDERS = new Set(
  `add address adjust allow analyse analyze answer apply ask audit avoid build bump change check clean clear collapse
  collect combine commit compare complete configure consider convert copy create cut debug define delete deploy describe design
  disable do document don't double download draft drop edit enable ensure eval evaluate execute expand explain export
  extend extract figure find finish fix focus follow format generate give go handle have help hide ignore implement
  import improve include inline insert inspect install integrate introduce investigate invert keep list load look lookup
  make map measure merge migrate mock modify move note open optimise optimize order outline pause persist pick plan
  please pop port prefer prepare print profile propose publish pull push put quantify read rebase rebuild redo reduce
  refactor release remember remove rename reorder replace reply report rerun research reset resolve restart restore
  restructure retry return revert review rewrite run save scan search select send separate set setup ship show simplify
  skip sort split squash start stop store strengthen suggest summarise summarize support swap switch sync take tell test
  trace track translate tweak undo uninstall update upgrade upload use validate verify wire wrap write`.split(
    /\s+/,
  ),
)

/** Ways of asking that may stand anywhere. */
const ASKS =
  /\b(?:can|could|would|will) (?:you|we|it|they|this|that)\b|\bplease\b|\blet(?:'|’)?s\b|\blet us\b|\bi(?:'|’)?d (?:like|love|prefer|want|rather)\b|\bi would (?:like|prefer|rather)\b|\bi (?:do )?(?:want|need|wish|expect)\b|\b(?:we|you|it|they|this|that|there) (?:also |still |really |now )?(?:should|must|ought|needs? to|has to|have to)\b|\bmake sure\b|\b(?:instead|rather than)\b|\bi(?:'|’)?m (?:trying|wondering|looking for)\b|\b(?:todo|goal|task)\b|\bin line with\b|(?:^|\s)\/[a-z][\w:-]+/i

/** Something is said to be wrong with the work: that asks for it to be mended. */
const DEFECTS =
  /\b(?:fail(?:s|ed|ing|ure)?|broken?|broke|crash(?:es|ed)?|bugs?|conflicts?|missing|regress\w*|traceback|exception|hangs?|leaks?|(?:does|do|did) ?n[o']?t (?:work|see|clear|show|get|match|compile|run|open|exist|happen|exit|delete|save|load|update|appear|handle|find)|does not (?:clear|work|show|match|run|exit|delete|save|load|update|appear|handle|find)|printed into)\b/i

const AGREES =
  /^(?:(?:yes|yeah|yep|yup|ya|ok|okay|sure|right|correct|exactly|agreed|true|no|nope|nah|great|good|perfect|cool|nice|fine|ah|oh|hmm+|ehh?|well|so|and|also|then|now|first|technically|actually|lastly|i mean|i think)\b[\s,.:;!–—-]*)+/i

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
  return !asks(prose)
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
  return text
    .replace(/```[\s\S]*?(?:```|$)/g, '\n')
    .split('\n')
    .filter((line) => !isPasted(line.trim()))
    .join('\n')
    .trim()
}

const isPaste = (text: string): boolean => text.split('\n').length > 1

const isPasted = (line: string): boolean =>
  /^[{}[\]<>❯⏺⎿$|│╭╰└├✻●]|^\S+[@:~][^\s]*[$#>]/.test(line) ||
  /\|(?:DEBU|INFO|WARN|ERRO|DEBUG|ERROR)\|/.test(line) ||
  /^(?:File "|at \S+ \(|\d{4}-\d\d-\d\d[T ]\d\d:|\[(?:DEBUG|INFO|WARN|ERROR))/.test(line)
