import { logicSql, type ReadDb, vectorSql } from '../../store'
import type { HostRows, LogicHost } from './engine'

/** The vector of a text now, or why there is none. It may block: a question runs in a thread of its own. */
export type EmbedNow = (text: string) => Float32Array | { reason: string }
/** The best items for the words of a text, by row number; a port, because search stands to the right of the curator. */
export type FindWords = (text: string, k: number) => { id: number; score: number }[]

export interface LogicPorts {
  read: ReadDb
  embedNow: EmbedNow
  findWords: FindWords
  /** For the log: a fault in the host, which a question only hears of as such. */
  onFault?: (error: unknown) => void
}

/** Vectors kept of texts already asked for: a join asks the same one again and again. */
const KEPT = 64

/** Answers the program's requests from the database. It never throws: a fault is told in words. */
export function logicHost(ports: LogicPorts): LogicHost {
  const { read } = ports
  const vectors = new Map<string, ReturnType<EmbedNow>>()
  const guarded = (work: () => HostRows): HostRows => {
    try {
      return work()
    } catch (error) {
      ports.onFault?.(error)
      return 'The journal could not be read for this query.'
    }
  }
  const vectorOf = (text: string): ReturnType<EmbedNow> => {
    const known = vectors.get(text)
    if (known) return known
    const made = ports.embedNow(text)
    if ('reason' in made) return made
    if (vectors.size >= KEPT) vectors.delete(vectors.keys().next().value ?? '')
    vectors.set(text, made)
    return made
  }
  return {
    page: (name, bound, after, limit) =>
      guarded(() => {
        const relation = text(name)
        if (!logicSql.isRelation(relation)) return `There is no relation ${relation}.`
        const rows = logicSql.relationPage(read, relation, {
          bound: bound.map(
            ([at, value]) => [Number(at), typeof value === 'object' ? text(value) : value] as const,
          ),
          after: text(after) === '' ? null : typeof after === 'number' ? after : text(after),
          limit: Number(limit),
        })
        return rows.map((row) => row.map(crossing))
      }),
    next: (handle, step) =>
      guarded(() => {
        const found = logicSql.nextItem(read, text(handle), Number(step) > 0 ? 'after' : 'before')
        return found === undefined ? [] : [found]
      }),
    ranked: (how, what, k) =>
      guarded(() => {
        const found =
          text(how) === 'words' ? ports.findWords(text(what), k) : near(read, vectorOf(text(what)), k)
        if (typeof found === 'string') return found
        const handles = logicSql.handlesOf(
          read,
          found.map((hit) => hit.id),
        )
        return found.flatMap(({ id, score }) => {
          const handle = handles.get(id)
          return handle === undefined ? [] : [[handle, score]]
        })
      }),
  }
}

function near(
  read: ReadDb,
  vector: ReturnType<EmbedNow>,
  k: number,
): { id: number; score: number }[] | string {
  if ('reason' in vector)
    return `nearest/4 needs the embedding model: ${vector.reason} words/4 finds by words.`
  if (vectorSql.countVectors(read) === 0)
    return 'nearest/4 finds nothing yet: no item has been embedded. words/4 finds by words.'
  return vectorSql
    .nearest(read, vector, { units: ['item'], k })
    .map((hit) => ({ id: hit.itemId, score: hit.cosine }))
}

/** As the engine takes it: whole numbers beyond 32 bits would be cut, texts end at a NUL. */
function crossing(value: logicSql.LogicValue): logicSql.LogicValue {
  if (typeof value === 'number' && Number.isInteger(value)) return BigInt(value)
  return typeof value === 'string' ? value.replaceAll('\0', '') : value
}

/** Prolog's strings arrive as strings or as objects that print as them. */
const text = (value: unknown): string => String(value)
