import { sha256 } from './handles'
import { isRemark } from './remarks'

// Which of a person's turns set a new goal. Acknowledgements, choices and remarks keep the one that is active.

const ACK_WORDS = new Set(
  `yes y yep yup yeah yea ya ok okay k kk sure fine good great nice cool perfect awesome excellent right correct
  exactly agreed agree approve approved proceed continue go on ahead keep going carry resume next please pls thanks
  thank you thx ty lgtm looks sounds that that's thats it its it's is do this so then now lets let's let us alright
  absolutely definitely of course no nope not yet never mind nevermind wait hmm hm ah oh i see got works worked done
  pause stop halt hold enough here there
  all the and for me just again one both a b c d first second third option number with to us we can will
  ja weiter genau bitte danke mach gut oui continuez merci vas-y si sí vale dale gracias sigue sim da ok'
  да давай дальше продолжай спасибо хорошо 好 好的 继续 是 はい 続けて`.split(/\s+/),
)
/** At least one of these must be there: a row of filler words alone says nothing clear. */
const ACK_CORE = new Set(
  `yes y yep yup yeah yea ya ok okay k kk sure fine good great nice cool perfect awesome excellent right correct exactly
  agreed agree approve approved proceed continue go keep carry resume next please pls thanks thank thx ty lgtm
  alright absolutely definitely course no nope nevermind never wait hmm hm ah oh got works worked do option both
  pause stop halt hold enough
  first second third a b c d ja weiter genau bitte danke mach gut oui continuez merci vas-y si sí vale dale gracias
  sigue sim da да давай дальше продолжай спасибо хорошо 好 好的 继续 是 はい 続けて`.split(/\s+/),
)
/** Words long enough that one slip of the fingers leaves them recognisable. */
const SLIP_LENGTH = 6
const LONG_ACKS = [...ACK_WORDS].filter((word) => word.length >= SLIP_LENGTH)
const ACK_LIMIT = 60
const ACK_MAX_WORDS = 7

/**
 * Whether a turn lets the active goal stand. Without an active one everything but an acknowledgement is a goal: the
 * first words of a session say what it is about, however they are put.
 */
export const keepsGoal = (text: string, active: boolean): boolean =>
  isAcknowledgement(text) || (active && isRemark(text.trim()))

/** Words of a request as they are remembered: a request sent again, word for word, is the one that stands. */
export const wordsHash = (text: string): string => sha256(text).slice(0, 20)

/** True for "yes", "go on", "ok do it", "2", "👍": the person lets the work go on, and asks for nothing new. */
export function isAcknowledgement(text: string): boolean {
  const trimmed = text.trim()
  if (trimmed.length > ACK_LIMIT || trimmed.includes('\n')) return false
  const words = trimmed
    .toLowerCase()
    .replace(/[’]/g, "'")
    // A key beside the one that was meant: "p[lease".
    .replace(/(?<=\p{L})[[\]\\;`=](?=\p{L})/gu, '')
    .replace(/[^\p{L}\p{N}' -]/gu, ' ')
    .split(/\s+/)
    .filter((word) => word !== '' && word !== '-')
    .map(meant)
  // Nothing but signs: an emoji, "...", "?".
  if (words.length === 0) return true
  if (words.length > ACK_MAX_WORDS) return false
  if (words.every((word) => /^\d{1,2}$/.test(word))) return true
  const known = words.every((word) => ACK_WORDS.has(word) || /^\d{1,2}$/.test(word))
  return known && words.some((word) => ACK_CORE.has(word))
}

/** The word of agreement that was meant, where one letter is missing, added, changed or exchanged with its neighbour. */
const meant = (word: string): string =>
  ACK_WORDS.has(word) || word.length < SLIP_LENGTH - 1
    ? word
    : (LONG_ACKS.find((known) => isSlip(word, known)) ?? word)

function isSlip(word: string, known: string): boolean {
  if (word[0] !== known[0] || Math.abs(word.length - known.length) > 1) return false
  let at = 0
  while (at < word.length && word[at] === known[at]) at++
  const [left, right] = [word.slice(at), known.slice(at)]
  const exchanged = left[0] === right[1] && left[1] === right[0] && left.slice(2) === right.slice(2)
  return exchanged || left.slice(1) === right.slice(1) || left.slice(1) === right || left === right.slice(1)
}
