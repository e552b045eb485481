/** Characters of an answer that are searched for an object. */
const LONGEST = 200_000

/**
 * The JSON object in what a model wrote: bare, in a fence, behind its thoughts or other prose, or with each outer brace
 * doubled. Undefined when there is none. Whether it has the right shape is for the schema to say.
 */
export function salvageJson(answer: string): unknown {
  const text = answer
    .slice(0, LONGEST)
    .replace(/^\s*<think>[\s\S]*?<\/think>/i, '')
    .trim()
  const fenced = /```(?:json)?\s*\n?([\s\S]*?)```/i.exec(text)?.[1]
  for (const candidate of [text, fenced, undoubled(text), firstObject(text)]) {
    const value = candidate === undefined ? undefined : objectIn(candidate)
    if (value !== undefined) return value
  }
  return undefined
}

function objectIn(text: string): unknown {
  try {
    const value = JSON.parse(text) as unknown
    return value !== null && typeof value === 'object' ? value : undefined
  } catch {
    return undefined
  }
}

const undoubled = (text: string): string | undefined =>
  text.startsWith('{{') && text.endsWith('}}') ? text.slice(1, -1) : undefined

/** From the first brace to the one that closes it; braces within strings do not count. */
function firstObject(text: string): string | undefined {
  const start = text.indexOf('{')
  if (start < 0) return undefined
  let depth = 0
  let quoted = false
  for (let i = start; i < text.length; i++) {
    const char = text[i]
    if (quoted) {
      if (char === '\\') i++
      else if (char === '"') quoted = false
    } else if (char === '"') quoted = true
    else if (char === '{') depth++
    else if (char === '}' && --depth === 0) return text.slice(start, i + 1)
  }
  return undefined
}
