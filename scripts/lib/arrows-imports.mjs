/**
 * @typedef {{ specifier: string, line: number }} Import
 */

const forms = [
  // import x from 'y', import type …, export … from 'y'
  /\b(?:import|export)\b[^"'`();]*?\bfrom\s*"(\d+)"/g,
  // import 'y'
  /\bimport\s*"(\d+)"/g,
  // import('y'), also as a type; require('y'), require.resolve('y')
  /\b(?:import|require(?:\.resolve)?)\s*\(\s*"(\d+)"/g,
]

/**
 * Every module a TypeScript file names, in any form.
 * @param {string} text
 * @returns {Import[]}
 */
export function importsOf(text) {
  const { code, strings } = maskStrings(text)
  const found = forms.flatMap((form) => [...code.matchAll(form)].map((match) => strings[Number(match[1])]))
  return found.sort((a, b) => a.line - b.line).map(({ value, line }) => ({ specifier: value, line }))
}

/**
 * Takes comments out and replaces each string by its number in quotes, so that text about imports is not
 * taken for one.
 */
function maskStrings(text) {
  const strings = []
  let code = ''
  let line = 1
  let at = 0
  while (at < text.length) {
    const rest = text.slice(at, at + 2)
    const skip = (length) => {
      line += text.slice(at, at + length).split('\n').length - 1
      at += length
    }
    if (rest === '//') skip(lengthUntil(text, at, '\n'))
    else if (rest === '/*') skip(lengthUntil(text, at, '*/') + 2)
    else if (rest[0] === '/' && startsRegExp(code)) skip(regExpLength(text, at))
    else if (`'"\``.includes(rest[0])) {
      const length = stringLength(text, at)
      code += `"${strings.length}"`
      strings.push({ value: text.slice(at + 1, at + length - 1), line })
      skip(length)
    } else {
      code += rest[0]
      skip(1)
    }
  }
  return { code, strings }
}

function lengthUntil(text, at, end) {
  const found = text.indexOf(end, at + 1)
  return (found < 0 ? text.length : found) - at
}

/** A slash begins a regular expression where a value is expected. */
function startsRegExp(before) {
  return /(?:^|[=(,:;!&|?{}[\n]|\breturn|=>)\s*$/.test(before.slice(-40)) && !/<\s*$/.test(before.slice(-4))
}

function regExpLength(text, at) {
  let inClass = false
  for (let i = at + 1; i < text.length && text[i] !== '\n'; i++) {
    if (text[i] === '\\') i++
    else if (text[i] === '[') inClass = true
    else if (text[i] === ']') inClass = false
    else if (text[i] === '/' && !inClass) return i - at + 1
  }
  return 1
}

/** An apostrophe in JSX text opens no string: one that is not closed on its line is a single character. */
function stringLength(text, at) {
  const quote = text[at]
  for (let i = at + 1; i < text.length; i++) {
    if (text[i] === '\\') i++
    else if (text[i] === quote) return i - at + 1
    else if (quote === '`' && text.startsWith('${', i)) i += expressionLength(text, i + 2) + 1
    else if (text[i] === '\n' && quote !== '`') return 1
  }
  return 1
}

/** From behind `${` to its closing brace, strings in between left whole. */
function expressionLength(text, at) {
  let depth = 1
  for (let i = at; i < text.length; i++) {
    if (text[i] === '{') depth++
    else if (text[i] === '}' && --depth === 0) return i - at + 1
    else if (`'"\``.includes(text[i])) i += stringLength(text, i) - 1
  }
  return text.length - at
}
