import {
  ANNOUNCEMENT,
  ASIDE,
  ASIDE_HEADING,
  CAUSE,
  CONSTRAINT,
  CORRECTION,
  contentWords,
  DECISION,
  DONE,
  DONE_HEADING,
  FINDING,
  FOUND_HEADING,
  HOLLOW,
  HYPOTHESIS,
  IMPERATIVE,
  INQUIRY,
  INTENT,
  LEAD,
  OFFER,
  QUESTION,
  REPORT,
  REQUEST,
  RESULT,
  TODO_HEADING,
} from './cues'
import { type Sentence, sentencesOf } from './sentences'

/** Whose words they are: a person directs and observes, an agent reports, a plan intends, a verdict settles. */
export type Speaker = 'person' | 'agent' | 'plan' | 'verdict'

/** A sentence with what it does; each weight is 0 where it does not do that. */
export interface Statement {
  /** The sentence without the words before its point. */
  text: string
  shape: Sentence['shape']
  /** Its content words, lower case. */
  words: string[]
  decision: number
  outcome: number
  constraint: number
  question: number
  /** Talk about the talk, or a line that says that all went well and not what. */
  idle: boolean
}

/** Characters of a sentence that are read: the cues stand early, and patterns stay quick. */
const READ = 600

/** What each sentence of a text does, in order; the heading or lead-in above a list tells what its points are. */
export function statementsOf(text: string, speaker: Speaker): Statement[] {
  let above = ''
  let first = true
  return sentencesOf(text).map((sentence) => {
    const statement = read(sentence, speaker, sentence.shape === 'bullet' ? above : '')
    // A plan says first what it wants, a verdict what it is.
    if (first && sentence.shape !== 'heading' && !/[:：]$/.test(sentence.text)) {
      if (speaker === 'plan' && sentence.shape === 'prose') statement.decision += 1.7
      if (speaker === 'verdict') statement.decision += 2.5
      // An agent that was asked answers first.
      if (speaker === 'agent' && !statement.idle && statement.question < 2) statement.outcome += 0.6
      first = false
    }
    if (sentence.shape === 'heading' || (sentence.shape === 'prose' && /[:：]$/.test(sentence.text)))
      above = sentence.text
    else if (sentence.shape === 'prose') above = ''
    return statement
  })
}

function read(sentence: Sentence, speaker: Speaker, above: string): Statement {
  const text = withoutLead(sentence.text)
  const cued = text.slice(0, READ)
  const words = contentWords(cued, 80)
  const idle = isIdle(cued, words, speaker)
  const none = { decision: 0, outcome: 0, constraint: 0, question: 0 }
  const bare =
    sentence.shape === 'heading' &&
    (words.length < 3 || speaker === 'plan' || /^(?:how|what|why)\b/i.test(cued))
  const weights = idle || bare ? none : weigh(cued, sentence, speaker, above)
  return { text, shape: sentence.shape, words, idle, ...weights }
}

function withoutLead(text: string): string {
  let rest = text
  for (let n = 0; n < 3; n++) {
    const next = rest.replace(LEAD, '')
    // What is left must still be a sentence.
    if (next === rest || next.length < 12) break
    rest = next
  }
  return rest === text ? text : `${rest[0]?.toUpperCase()}${rest.slice(1)}`
}

function isIdle(text: string, words: readonly string[], speaker: Speaker): boolean {
  if (speaker === 'agent' && (OFFER.test(text) || ASIDE.test(text))) return true
  if (ANNOUNCEMENT.test(text) && !(speaker === 'person' && REQUEST.test(text))) return true
  // A number, a path or a code span says something whatever the words.
  return !/[\d`/_#]|\w\(\)/.test(text) && words.every((word) => HOLLOW.has(word))
}

type Weights = Pick<Statement, 'decision' | 'outcome' | 'constraint' | 'question'>

function weigh(text: string, { shape }: Sentence, speaker: Speaker, above: string): Weights {
  const question = QUESTION.test(text) ? (text.endsWith('?') ? 2 : 1) : 0
  const asks = question > 1
  let decision = 0
  let outcome = 0
  if (DECISION.test(text)) decision += 2
  if (REPORT.test(text)) outcome += 2
  else if (DONE.test(text)) outcome += 0.6
  if (RESULT.test(text)) outcome += 1.6
  if (CAUSE.test(text)) outcome += 1.8
  if (FINDING.test(text)) outcome += 1.1
  if (speaker === 'agent') {
    if (INTENT.test(text)) decision += 1.8
    if (shape === 'bullet') [decision, outcome] = listed(text, above, decision, outcome)
    else if (IMPERATIVE.test(text)) outcome -= 1
  }
  if (speaker === 'plan') [decision, outcome] = [decision + (IMPERATIVE.test(text) ? 0.4 : 0), outcome * 0.6]
  if (speaker === 'person' || speaker === 'verdict')
    [decision, outcome] = directed(text, decision, outcome, asks)
  if (HYPOTHESIS.test(text)) [decision, outcome] = [decision - 1, outcome - 2]
  if (asks && (speaker === 'agent' || speaker === 'plan')) [decision, outcome] = [0, 0]
  if (text.endsWith(':')) [decision, outcome] = [decision - 0.5, outcome - 0.8]
  if (text.startsWith('(')) [decision, outcome] = [decision / 2, outcome / 2]
  const constraint = CONSTRAINT.test(text) && !asks ? 1 : 0
  return { decision: Math.max(0, decision), outcome: Math.max(0, outcome), constraint, question }
}

/** A point of a list means what the line above it says. */
function listed(text: string, above: string, decision: number, outcome: number): [number, number] {
  if (ASIDE_HEADING.test(above)) return [decision * 0.4, outcome * 0.4 - 0.5]
  if (DONE_HEADING.test(above)) return [decision, outcome + 1.2]
  if (FOUND_HEADING.test(above)) return [decision, outcome + 1.2]
  if (TODO_HEADING.test(above)) return [decision + 1.5, outcome - 0.5]
  if (/^run `|^run /i.test(text)) return [decision, outcome - 2]
  return IMPERATIVE.test(text) ? [decision + 0.4, outcome - 0.6] : [decision, outcome - 0.2]
}

/** A person's request settles a direction; what they tell is an observation. */
function directed(text: string, decision: number, outcome: number, asks: boolean): [number, number] {
  const corrects = CORRECTION.test(text)
  const requests = REQUEST.test(text) && !INQUIRY.test(text)
  if (asks) return [requests && !corrects ? 0.8 : 0, 0]
  if (corrects) return [decision + 2.4, outcome * 0.5]
  if (requests) return [decision + 2, outcome * 0.5]
  return [decision, outcome]
}
