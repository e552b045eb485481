import type { Outcome, SpeechAct } from '../../shared/domain'

/** Words past this do not change what kind of thing was said. */
const HEAD = 4000

const OPENING =
  /^(?:(?:hm+|hmm|ok(?:ay)?|so|but|and|well|wait|sorry|also|q)[,:.!\s]+){0,3}(?:is|are|was|were|do (?:we|you|i|they)|does|did|can|could|will|would|should|shall|have (?:we|you|i|they)|has|had|what|why|how|when|where|who|whose|isn['’]t|aren['’]t|don['’]t we|doesn['’]t|didn['’]t|can['’]t (?:we|you|i)|couldn['’]t|shouldn['’]t|wouldn['’]t|won['’]t)\b[^.!\n]{0,300}$/i
const REQUEST =
  /^(?:please|let['’]?s|let us|add|use|make|update|change|remove|rename|move|split|write|exit|fix|keep|put|drop|try|include|explain|describe|show|do(?:n['’]t)?|i want|i need|i['’]d like|we need|we should|you should|instead)\b/i

/**
 * What kind of thing was said. A sentence that ends in a question mark, or opens like a question and never ends
 * otherwise, makes it a question, also when it asks for something ("can you …?").
 */
export function speechActOf(words: string): SpeechAct {
  const text = words.slice(0, HEAD).trim()
  if (text === '') return 'none'
  const prose = text.replace(/`[^`]{0,500}`/g, 'x').replace(/https?:\/\/\S{1,500}/g, 'x')
  if (/[\p{L}\p{N}_)\]"'”’*~`.]\s?\?+(?=[\s!)"'”’]|$)/u.test(prose)) return 'question'
  const sentences = prose.split(/[.!\n]+\s*|\s+-\s+/).map((sentence) => sentence.trim())
  if (sentences.some((sentence) => OPENING.test(sentence))) return 'question'
  return sentences.some((sentence) => REQUEST.test(sentence)) ? 'request' : 'statement'
}

const REJECTS =
  /^(?:no+[,.!\s]+|nope[,.!\s]+)?(?:(?:please )?(?:abandon|scrap|forget|cancel|drop) (?:it|this|that|the (?:whole )?(?:plan|idea|thing))|(?:we|i)(?: a|['’])?(?:re|m)? ?(?:not|won['’]t|will not) (?:going to |gonna )?(?:do|doing) (?:this|that|it)|(?:do not|don['’]t) do (?:this|that|it)|rejected?|never mind)\b(?!.{0,40}\b(?:but|instead)\b)/i

/** A plan sent back with words is a correction, unless the words plainly turn it down altogether. */
export function outcomeOfWords(words: string): Outcome {
  return REJECTS.test(words.trim().slice(0, 300)) ? 'reject' : 'correct'
}
