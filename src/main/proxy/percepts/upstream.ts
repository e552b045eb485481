import { contentWords } from '../words'
import { type ArtifactView, clip, type Observation } from './artifact-view'

/** A text the artifact answers to: the intent behind a plan, the plan behind a piece of work. */
export interface Upstream {
  name: string
  text: string
}

export const UNCOVERED = 'leaves a point of the intent out'
export const UNADDRESSED = 'leaves a question of the intent open'

/** A point counts as covered when half of its words are found in the artifact. */
const COVERED = 0.5
const LISTED = /^\s*(?:[-*+]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s*)?(\S.*)$/

/** Points and questions of the upstream texts that the artifact does not take up; the first of each as evidence. */
export function deviations(view: ArtifactView, upstream: readonly Upstream[]): Observation[] {
  if (view.text.trim() === '') return []
  const points = upstream.flatMap(({ text }) => listed(text))
  const left = points.filter((point) => !covers(view, point))
  const question = left.find((point) => point.trimEnd().endsWith('?'))
  const point = left.find((candidate) => !candidate.trimEnd().endsWith('?'))
  const found: Observation[] = []
  if (point) {
    const evidence = `${left.length} of ${points.length} not taken up: ${clip(point, 120)}`
    found.push({ phrase: UNCOVERED, evidence, line: null, names: ['intent', 'criteria', 'miss', 'cover'] })
  }
  if (question) {
    found.push({ phrase: UNADDRESSED, evidence: clip(question), line: null, names: ['question', 'answer'] })
  }
  return found
}

function listed(text: string): string[] {
  return text
    .split(/\r?\n/)
    .slice(0, 2000)
    .flatMap((line) => LISTED.exec(line.slice(0, 1000))?.[1] ?? [])
    .filter((point) => contentWords(point).length >= 2)
    .slice(0, 60)
}

function covers(view: ArtifactView, point: string): boolean {
  const stems = new Set(contentWords(point).map(({ stem }) => stem))
  const found = [...stems].filter((stem) => view.terms.has(stem)).length
  return found >= stems.size * COVERED
}
