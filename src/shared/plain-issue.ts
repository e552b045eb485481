import type { z } from 'zod'

// What is wrong with an input, in a sentence for a person: the field as they know it, and its limit.

type Issue = z.core.$ZodIssue

/** Fields that a person knows by another name than the contract's. */
const NAMES: Readonly<Record<string, string>> = {
  k: '--k',
  limit: '--limit',
  window: 'The context window',
  dailyTokens: 'The daily number of tokens',
  goal: 'The goal',
  text: 'The text',
  id: 'The id',
  handle: 'The handle',
  paths: 'The list of paths',
  out: 'The file to write to',
  ts: 'The time',
  since: 'The start',
  until: 'The end',
  asOf: 'The moment',
}

/** The first thing that is wrong with an input. */
export function plainProblem(error: { issues: readonly Issue[] }): string {
  const [issue] = error.issues
  return issue ? plainIssue(issue) : 'The input is not understood.'
}

export function plainIssue(issue: Issue): string {
  const name = nameOf(issue.path)
  if (hasOwnWords(issue)) return sentence(issue.message)
  switch (issue.code) {
    case 'too_small':
      return tooSmall(name, issue)
    case 'too_big':
      return tooBig(name, issue)
    case 'invalid_type':
      return wrongType(name, issue)
    case 'invalid_format':
      return `${name} is not ${FORMATS[issue.format] ?? 'written as it should be'}.`
    case 'invalid_value':
      return `${name} must be ${listed(issue.values.map(String))}.`
    case 'unrecognized_keys':
      return `There is no ${issue.keys.map((key) => `"${key}"`).join(' and no ')} here.`
    default:
      return `${name} is not understood.`
  }
}

/** A schema that has words of its own knows best. */
export const hasOwnWords = ({ message }: Issue): boolean =>
  !/^(?:Too (?:small|big)|Invalid|Unrecognized|Unknown)\b/.test(message)

const FORMATS: Readonly<Record<string, string>> = {
  url: 'a web address',
  email: 'an e-mail address',
  datetime: 'a date and time',
  date: 'a date',
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
}

type Small = Extract<Issue, { code: 'too_small' }>
type Big = Extract<Issue, { code: 'too_big' }>

function tooSmall(name: string, { origin, minimum, inclusive, exact }: Small): string {
  if (minimum === 1 && (origin === 'string' || origin === 'array')) return `${name} is empty.`
  if (exact) return `${name} must have exactly ${amount(minimum, origin)}.`
  if (origin === 'string') return `${name} is shorter than ${amount(minimum, origin)}.`
  if (origin === 'array') return `${name} has fewer than ${amount(minimum, origin)}.`
  return `${name} must be ${inclusive === false ? 'more than' : 'at least'} ${figure(minimum)}.`
}

function tooBig(name: string, { origin, maximum, inclusive, exact }: Big): string {
  if (exact) return `${name} must have exactly ${amount(maximum, origin)}.`
  if (origin === 'string') return `${name} is longer than ${amount(maximum, origin)}.`
  if (origin === 'array') return `${name} has more than ${amount(maximum, origin)}.`
  return `${name} must be ${inclusive === false ? 'less than' : 'at most'} ${figure(maximum)}.`
}

function wrongType(
  name: string,
  { expected, input, message }: Extract<Issue, { code: 'invalid_type' }>,
): string {
  if (input === undefined && message.endsWith('received undefined')) return `${name} is missing.`
  return `${name} must be ${TYPES[expected] ?? 'of another kind'}.`
}

/** Places in a list are told as the list's. */
function nameOf(path: Issue['path']): string {
  const field = path.findLast((part) => typeof part === 'string')
  if (field === undefined) return 'The input'
  return NAMES[field] ?? `The ${field.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}`
}

const figure = (n: number | bigint): string => n.toLocaleString('en-US')

const amount = (n: number | bigint, origin: string): string =>
  `${figure(n)} ${origin === 'string' ? 'character' : 'entr'}${origin === 'string' ? (n === 1 ? '' : 's') : n === 1 ? 'y' : 'ies'}`

const listed = (values: readonly string[]): string =>
  values.length === 1 ? String(values[0]) : `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`

const sentence = (words: string): string =>
  `${words.slice(0, 1).toUpperCase()}${words.slice(1)}${/[.!?]$/.test(words) ? '' : '.'}`
