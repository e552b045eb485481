import { inert } from './frame'
import { wordsOf } from './goal-words'
import { stopWords } from './stop-words'

/** Something that fell past the frame's edge. */
export interface Past {
  text: string
  session: string
  project: string | null
  ts: number
  name: string | null
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/**
 * What is past the edge, one line for each project, the largest first: `… 14 more on retry, webhook (payments), 3
 * sessions, Sep 2026`. Words of the goal are not repeated. At most `lines` lines.
 */
export function breadcrumbs(past: readonly Past[], goal: ReadonlySet<string>, lines: number): string[] {
  const projects = [...Map.groupBy(past, (item) => item.project ?? '')]
  projects.sort(([a, one], [b, two]) => two.length - one.length || (a < b ? -1 : 1))
  return projects.slice(0, lines).map(([project, items]) => {
    const topics = topicsOf(items, goal)
    const sessions = new Set(items.map((item) => item.session)).size
    const about = topics.length > 0 ? ` on ${topics.join(', ')}` : ''
    const where = project !== '' && projects.length > 1 ? ` (${inert(project)})` : ''
    return `… ${items.length} more${about}${where}, ${sessions} session${sessions === 1 ? '' : 's'}, ${span(items)}`
  })
}

/** The two words most of the items share, names and the goal's own words apart. */
function topicsOf(items: readonly Past[], goal: ReadonlySet<string>): string[] {
  const names = new Set(items.flatMap((item) => (item.name ? wordsOf(item.name) : [])))
  const counts = new Map<string, number>()
  for (const item of items) {
    for (const word of wordsAbout(item)) {
      if (goal.has(word) || names.has(word)) continue
      counts.set(word, (counts.get(word) ?? 0) + 1)
    }
  }
  return [...counts]
    .filter(([, count]) => count > 1)
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, 2)
    .map(([word]) => word)
}

/** What falls past the edge is asked again with every frame that is tried. */
const known = new WeakMap<Past, readonly string[]>()

/** The words an item may be named by, each once. */
function wordsAbout(item: Past): readonly string[] {
  const held = known.get(item)
  if (held) return held
  const words = [...new Set(wordsOf(item.text.slice(0, 300)))].filter(
    (word) => word.length >= 4 && word.length <= 24 && !stopWords.has(word),
  )
  known.set(item, words)
  return words
}

function span(items: readonly Past[]): string {
  const times = items.map((item) => item.ts)
  const month = (ts: number): string => {
    const date = new Date(ts)
    return `${MONTHS[date.getMonth()]} ${date.getFullYear()}`
  }
  const [from, to] = [month(Math.min(...times)), month(Math.max(...times))]
  return from === to ? from : `${from} to ${to}`
}
