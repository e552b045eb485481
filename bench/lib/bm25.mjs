// Okapi BM25 (k1 1.2, b 0.75) over stemmed words with English stop words out: the plain baseline, written apart from
// the program it is compared with.
import { stemmer } from 'stemmer'

const STOP = new Set(
  `a about above after again all am an and any are as at be because been before being below between both but by can did
  do does doing down during each few for from further had has have having he her here hers him his how i if in into is
  it its just me more most my no nor not now of off on once only or other our out over own same she should so some such
  than that the their them then there these they this those through to too under until up very was we were what when
  where which while who whom why will with you your yours`.split(/\s+/),
)

const termsOf = (text) =>
  (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])
    .filter((word) => !STOP.has(word))
    .map((word) => stemmer(word))

/** @param turns `{name, text, date}`. Returns a function from a question to the turns that share a word, best first. */
export function bm25Ranker(turns) {
  const documents = turns.map((turn) => {
    const counts = new Map()
    const terms = termsOf(`${turn.date} ${turn.name}: ${turn.text}`)
    for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
    return { turn, counts, length: terms.length }
  })
  const average =
    documents.reduce((sum, document) => sum + document.length, 0) / Math.max(1, documents.length)
  const frequency = new Map()
  for (const { counts } of documents)
    for (const term of counts.keys()) frequency.set(term, (frequency.get(term) ?? 0) + 1)
  const idf = (term) => {
    const n = frequency.get(term) ?? 0
    return Math.log(1 + (documents.length - n + 0.5) / (n + 0.5))
  }
  return (question) => {
    const terms = [...new Set(termsOf(question))]
    return documents
      .map(({ turn, counts, length }, order) => {
        const score = terms.reduce((sum, term) => {
          const n = counts.get(term) ?? 0
          return sum + (idf(term) * n * 2.2) / (n + 1.2 * (0.25 + (0.75 * length) / average))
        }, 0)
        return { turn, score, order }
      })
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score || a.order - b.order)
      .map(({ turn }) => turn)
  }
}
