import { stemmer } from 'stemmer'

// Words of a text as stems, in English and otherwise as they stand. Text is data: nothing here acts on it.

const STOP = new Set(
  `a about after again all also an and any are as at be because been before being but by can could did do does
  doing done down for from get go going had has have having he her here him his how i if in into is it its just
  let like lot make may me more most much must my no not now of off on once one only or other our out over own
  please really same she should so some such than that the their them then there these they thing things this
  those through to too two under until up us use using very want was way we well were what when where which while
  who why will with would yes you your ok okay hey lol think see seems need needs don doesn isn aren won didn re ve ll
  add another back first look quite still`.split(/\s+/),
)

/** Words past this are not looked at: no plan a person reads is longer. */
const MAX_CHARS = 400_000

export interface Word {
  surface: string
  stem: string
}

/** Content words in order: letters and digits, stop words out, at most 40 characters each. */
export function contentWords(text: string): Word[] {
  const words: Word[] = []
  for (const [match] of text.slice(0, MAX_CHARS).matchAll(/[\p{L}\p{N}]+/gu)) {
    if (match.length < 2 || match.length > 40) continue
    const surface = match.toLowerCase()
    if (STOP.has(surface)) continue
    words.push({ surface, stem: stemmer(surface) })
  }
  return words
}

/** The distinct stems of a text in order of appearance, at most `cap`. */
export function stemsOf(text: string, cap = 1500): string[] {
  const stems = new Set<string>()
  for (const { stem } of contentWords(text)) {
    stems.add(stem)
    if (stems.size >= cap) break
  }
  return [...stems]
}
