/** So many names of unknown record types are told apart in one file. */
const MAX_NAMES = 20

/**
 * The reason an unknown record is counted under. `seen` belongs to the reader and is kept between readings, so that
 * a file of ever new names does not fill the counts.
 */
export function unknownReason(seen: string[], type: string, mask: (name: string) => string): string {
  const name = /^[\w.:/$-]{1,60}$/.test(type) ? mask(type) : ''
  if (name === '') return 'unknown: without a type'
  if (!seen.includes(name)) {
    if (seen.length >= MAX_NAMES) return 'unknown: other'
    seen.push(name)
  }
  return `unknown: ${name}`
}
