import type { ItemTraits } from '../codes.queries'
import type { RecallFilter } from '../recall-filter'

/** Project, kind and time of every item, in 11 bytes each, by row number. */
export class Traits {
  #kinds = new Uint8Array(1)
  #projects = new Uint16Array(1)
  #times = new Float64Array(1)
  readonly #kindCodes = new Map<string, number>()
  readonly #projectCodes = new Map<string, number>()
  /** The highest row number that is known. */
  last = 0

  get bytes(): number {
    return 11 * this.#kinds.length
  }

  put({ id, kind, project, ts }: ItemTraits): void {
    if (id >= this.#kinds.length) this.#reach(id)
    this.#kinds[id] = codeOf(this.#kindCodes, kind)
    this.#projects[id] = project === null ? 0 : codeOf(this.#projectCodes, project)
    this.#times[id] = ts
    this.last = Math.max(this.last, id)
  }

  remove(id: number): void {
    if (id < this.#kinds.length) this.#kinds[id] = 0
  }

  /** Forgets what lies behind a row number. */
  cutAt(id: number): void {
    if (id >= this.last) return
    this.#kinds.fill(0, id + 1)
    this.last = id
  }

  /** More projects than a code can tell apart: then memory cannot say who belongs to which. */
  get overflown(): boolean {
    return this.#projectCodes.size > 65_000
  }

  /** For each row number 1 when the item fulfils the filter (its sources, tags and cells are not looked at). */
  fulfilling(filter: RecallFilter): Uint8Array {
    const { since = Number.NEGATIVE_INFINITY, asOf = Number.POSITIVE_INFINITY } = filter
    const kinds = this.#wanted(this.#kindCodes, filter.kinds)
    const both = filter.project === undefined ? undefined : [filter.project]
    const projects = this.#wanted(this.#projectCodes, filter.projects)
    const project = this.#wanted(this.#projectCodes, both)
    const fit = new Uint8Array(this.last + 1)
    for (let id = 1; id <= this.last; id++) {
      const kind = this.#kinds[id] ?? 0
      const time = this.#times[id] ?? 0
      if (kind === 0 || time < since || time > asOf || (kinds && !kinds[kind])) continue
      const own = this.#projects[id] ?? 0
      if ((project && !project[own]) || (projects && !projects[own])) continue
      fit[id] = 1
    }
    return fit
  }

  /** By code 1 for those named; null when none is named and all will do. */
  #wanted(codes: ReadonlyMap<string, number>, names: readonly string[] | undefined): Uint8Array | null {
    if (!names) return null
    const wanted = new Uint8Array(codes.size + 1)
    for (const name of names) {
      const code = codes.get(name)
      if (code !== undefined) wanted[code] = 1
    }
    return wanted
  }

  #reach(id: number): void {
    const size = Math.max(1024, Math.ceil(id * 1.25))
    this.#kinds = grown(this.#kinds, new Uint8Array(size))
    this.#projects = grown(this.#projects, new Uint16Array(size))
    this.#times = grown(this.#times, new Float64Array(size))
  }
}

/** Codes start at 1. */
function codeOf(codes: Map<string, number>, name: string): number {
  const known = codes.get(name)
  if (known !== undefined) return known
  const code = codes.size + 1
  codes.set(name, code)
  return code
}

function grown<T extends Uint8Array | Uint16Array | Float64Array>(from: T, to: T): T {
  to.set(from)
  return to
}
