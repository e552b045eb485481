import { type Line, lineOf } from './line'
import { isPlainPassword, isShortPassword } from './passwords'
import { findInTables } from './tables'
import { isPhrase } from './words'

// Passwords as a page shows them: behind a name in bold or in code, in the cell beside it, in a list of
// accounts; and phrases of several words.

/** A name with what a page's writing puts between it and its value. */
const SHOWN =
  /(?<![A-Za-z0-9])(password|passwd|passphrase|passcode|passwort|kennwort|wachtwoord|contraseña|senha|mot de passe|пароль|pass|pwd|pw)(?:[*_`]{1,3}\s{0,3}[:=]\s{0,3}|\s{0,3}:[*_]{1,3}\s{0,3}|\s{1,3}[-–—]\s{1,3}|[ \t]{0,3}\t[ \t]{0,3}|[*_`]{0,3}[ \t]{0,40}\|[ \t]{0,40}|\s{0,3}<\/[a-z]{1,8}>[:\s]{0,3}<[a-z]{1,8}(?:\s[^<>\n]{0,80})?>\s{0,3}(?:<[a-z]{1,8}>)?)[*_`"']{0,3}([^\s"'`*|<>,;(){}[\]\\]{6,100})/giu
const CLOSING = /^["'`*_]{0,3}(?:[ \t]{0,40}\||\s?(?:<\/[a-z]{1,8}>\s{0,3}){1,4})?/i
const PHRASE =
  /(?<![A-Za-z0-9])(?:pass[ _-]?phrase|mnemonic|(?:seed|recovery)[ _-]?phrase)["'*_`]{0,3}\s{0,3}(?::|=|:=|is|was)[*_]{0,3}\s{0,3}["'`]?([a-z]{3,12}(?: [a-z]{3,12}){3,24})(?=["'`*_]{0,3}[.!,;]?\s{0,2}(?:\n|$|\\n))/gi

export interface Found {
  start: number
  end: number
  kind: string
}

export function findForms(text: string): Found[] {
  const found: Found[] = []
  for (const match of text.matchAll(SHOWN)) {
    const [all, name = '', whole = ''] = match
    const value = whole.replace(/[.!?:]+$/, '')
    const start = match.index + all.length - whole.length
    const line = lineOf(text, match.index, start, value)
    if (!isOpening(line.before)) continue
    // The mark between them is a colon's, and what closes a cell or a field closes the line.
    const after = text.slice(start + value.length, start + value.length + 60).replace(CLOSING, '')
    if (isShown(name, value, { ...line, before: '', sign: ': ', after: after.slice(0, 8) }))
      found.push({ start, end: start + value.length, kind: 'password' })
  }
  for (const match of text.matchAll(PHRASE)) {
    const [all, phrase = ''] = match
    if (!isPhrase(phrase)) continue
    const start = match.index + all.length - phrase.length
    found.push({ start, end: start + phrase.length, kind: 'passphrase' })
  }
  return [...found, ...findInTables(text)]
}

/** What a page's line begins with; in the middle of a sentence it is none. */
const isOpening = (before: string): boolean =>
  /^(?:[\s>*#|•"'`+_-]|\d{1,3}[.)]\s)*(?:[\p{L}]{1,20}\s){0,2}[*_`]{0,3}$|<[a-z]{1,8}[^<>]*>(?:[\p{L}]{1,20}\s){0,2}$/iu.test(
    before,
  )

function isShown(name: string, value: string, line: Line): boolean {
  if (/^p(?:ass|wd?)$/i.test(name)) return name !== 'PASS' && isShortPassword(value, line)
  return isPlainPassword(value, line)
}
