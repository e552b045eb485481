// In a name (of a session, a file, a folder) a key is often cut: names have a greatest length, and titles are made of the
// first words of a prompt. What is left of a key is told by how such keys begin.

/** How keys begin of which nothing else does. */
const BEGINNINGS = [
  'gh[pousr]_',
  'github_pat_',
  'glpat-',
  'sk-(?:ant|proj|or|svcacct)-',
  '[srp]k_(?:live|test)_',
  'xox[abeprs]-',
  '(?:AKIA|ASIA)(?=[A-Z0-9]{8})',
  'AIza',
  'ya29\\.',
  'GOCSPX-',
  'npm_',
  'pypi-AgE',
  'hf_',
  'gsk_',
  'pplx-',
  'do[opr]_v1_',
  'shp(?:at|ca|pa|ss)_',
  'lin_api_',
  'hv[sbr]\\.',
  'glsa_',
  'dckr_pat_',
]
const HALF = new RegExp(`(?<![A-Za-z0-9])(?:${BEGINNINGS.join('|')})([A-Za-z0-9_-]{8,400})`, 'g')

/** Where pieces of keys stand in a name. */
export function halvesIn(name: string): { start: number; end: number }[] {
  return [...name.matchAll(HALF)]
    .filter(([, rest = '']) => isKeyLike(rest))
    .map((match) => ({ start: match.index, end: match.index + match[0].length }))
}

/** Letters and figures that take turns, as in no words that a person joins with dashes. */
const isKeyLike = (rest: string): boolean =>
  /\d/.test(rest) &&
  /[A-Za-z]/.test(rest) &&
  rest.split(/[-_]/).some((part) => (part.match(/[A-Za-z](?=\d)|\d(?=[A-Za-z])/g) ?? []).length >= 2)
