import { isRemark } from './remarks'

// Which of a person's turns set a new goal. Acknowledgements, choices and remarks keep the one that is active.

const ACK_WORDS = new Set(
  `yes y yep yup yeah yea ya ok okay k kk sure fine good great nice cool perfect awesome excellent right correct
  exactly agreed agree approve approved proceed continue go on ahead keep going carry resume next please pls thanks
  thank you thx ty lgtm looks sounds that that's thats it its it's is do this so then now lets let's let us alright
  absolutely definitely of course no nope not yet never mind nevermind wait hmm hm ah oh i see got works worked done
  all the and for me just again one both a b c d first second third option number with to us we can will
  ja weiter genau bitte danke mach gut oui continuez merci vas-y si sí vale dale gracias sigue sim da ok'
  да давай дальше продолжай спасибо хорошо 好 好的 继续 是 はい 続けて`.split(/\s+/),
)
/** At least one of these must be there: a row of filler words alone says nothing clear. */
const ACK_CORE = new Set(
  `yes y yep yup yeah yea ya ok okay k kk sure fine good great nice cool perfect awesome excellent right correct exactly
  agreed agree approve approved proceed continue go keep carry resume next please pls thanks thank thx ty lgtm
  alright absolutely definitely course no nope nevermind never wait hmm hm ah oh got works worked do option both
  first second third a b c d ja weiter genau bitte danke mach gut oui continuez merci vas-y si sí vale dale gracias
  sigue sim da да давай дальше продолжай спасибо хорошо 好 好的 继续 是 はい 続けて`.split(/\s+/),
)
const ACK_LIMIT = 60
const ACK_MAX_WORDS = 7

/**
 * Whether a turn lets the active goal stand. Without an active one everything but an acknowledgement is a goal: the
 * first words of a session say what it is about, however they are put.
 */
export const keepsGoal = (text: string, active: boolean): boolean =>
  isAcknowledgement(text) || (active && isRemark(text.trim()))

/** True for "yes", "go on", "ok do it", "2", "👍": the person lets the work go on, and asks for nothing new. */
export function isAcknowledgement(text: string): boolean {
  const trimmed = text.trim()
  if (trimmed.length > ACK_LIMIT || trimmed.includes('\n')) return false
  const words = trimmed
    .toLowerCase()
    .replace(/[’]/g, "'")
    .replace(/[^\p{L}\p{N}' -]/gu, ' ')
    .split(/\s+/)
    .filter((word) => word !== '' && word !== '-')
  // Nothing but signs: an emoji, "...", "?".
  if (words.length === 0) return true
  if (words.length > ACK_MAX_WORDS) return false
  if (words.every((word) => /^\d{1,2}$/.test(word))) return true
  const known = words.every((word) => ACK_WORDS.has(word) || /^\d{1,2}$/.test(word))
  return known && words.some((word) => ACK_CORE.has(word))
}
