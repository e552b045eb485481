import { stemsOf } from '../words'

/** An artifact taken apart once, so that each rule only looks. Everything in it is data. */
export interface ArtifactView {
  text: string
  /** Lines without their ending, each at most 2,000 characters, so that no pattern meets an endless one. */
  lines: readonly ArtifactLine[]
  /** Distinct paths with an extension that it names. */
  files: readonly string[]
  terms: ReadonlySet<string>
}

export interface ArtifactLine {
  /** From 1. */
  number: number
  text: string
  /** Inside a fenced block of code. */
  code: boolean
  /** Heading level 1…6, else 0. */
  heading: number
}

/** A line that says something, and where it stands. */
export interface Sighting {
  evidence: string
  line: number | null
}

const MAX_LINES = 20_000
const PATH = /(?:[\w@.-]{1,80}\/){0,12}[\w.-]{1,80}\.(?:[a-z]{1,5}|[ch]\+\+)\b/gi
const EXTENSIONS =
  /\.(?:ts|tsx|js|jsx|mjs|cjs|py|go|rs|rb|java|kt|swift|c|h|cpp|hpp|cs|php|sql|sh|ya?ml|toml|json|md|html|css|scss|vue|tf|proto|xml|lock|txt|ini|cfg|env)$/i

export function viewArtifact(text: string): ArtifactView {
  const lines = toLines(text)
  const files = new Set<string>()
  for (const line of lines) {
    for (const [path] of line.text.matchAll(PATH)) if (EXTENSIONS.test(path)) files.add(path.toLowerCase())
  }
  return { text, lines, files: [...files], terms: new Set(stemsOf(text)) }
}

function toLines(text: string): ArtifactLine[] {
  let code = false
  return text
    .split(/\r?\n/)
    .slice(0, MAX_LINES)
    .map((raw, index) => {
      const line = raw.slice(0, 2000)
      const fence = /^\s{0,3}(?:```|~~~)/.test(line)
      const inside = code || fence
      if (fence) code = !code
      const heading = inside ? 0 : (/^(#{1,6})\s/.exec(line)?.[1]?.length ?? 0)
      return { number: index + 1, text: line, code: inside, heading }
    })
}

/** The first line that matches. */
export function firstLine(view: ArtifactView, pattern: RegExp, prose = false): Sighting | null {
  const line = view.lines.find((candidate) => !(prose && candidate.code) && pattern.test(candidate.text))
  return line ? { evidence: clip(line.text), line: line.number } : null
}

export function says(view: ArtifactView, pattern: RegExp): boolean {
  return view.lines.some((line) => pattern.test(line.text))
}

/** A line short enough to be quoted. */
export function clip(text: string, length = 160): string {
  const trimmed = text.trim()
  return trimmed.length <= length ? trimmed : `${trimmed.slice(0, length - 1).trimEnd()}…`
}

/** A percept that is there, with the line that shows it. */
export interface Observation extends Sighting {
  phrase: string
  /** Words by which a person points at it, in any inflection. */
  names: readonly string[]
}
