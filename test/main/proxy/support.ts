import {
  bagVector,
  type Case,
  type Inspection,
  lexicalTokens,
  NO_ATTENTION,
  observe,
  type PriorInput,
  type Situation,
  situationText,
  stemsOf,
  type Upstream,
  viewArtifact,
} from '../../../src/main/proxy'

export const SITUATION: Situation = {
  state: 'PLAN_ASSERT',
  taskType: 'migration',
  project: 'shop',
  agent: 'claude-code',
  round: 1,
  last: null,
}

const words = (text: string) => bagVector(lexicalTokens(text))

/** A remembered gate in the lexical space. */
export function remembered(
  id: string,
  outcome: Case['outcome'],
  more: {
    situation?: Partial<Situation>
    artifact?: string
    words?: string
    answeredBy?: Case['answeredBy']
    salience?: string
    salient?: string[]
    traces?: number[]
  } = {},
): Case {
  const artifact = more.artifact ?? 'Move the invoices to the new table.'
  const view = viewArtifact(artifact)
  const situation = { ...SITUATION, ...more.situation }
  return {
    id,
    title: `gate ${id}`,
    state: situation.state,
    outcome,
    answeredBy: more.answeredBy ?? 'person',
    traces: more.traces ?? [1],
    vectors: {
      situation: words(situationText(situation)),
      artifact: bagVector(stemsOf(artifact)),
      stimulus: words('plan the migration'),
      response: words(more.words ?? ''),
      salience: more.salience ? words(more.salience) : null,
    },
    features: new Set(observe(view, []).map(({ phrase }) => phrase)),
    terms: view.terms,
    words: more.words ?? '',
    salient: more.salient ?? [],
  }
}

export function contextOf(memory: readonly Case[], situation: Partial<Situation> = {}): PriorInput {
  const full = { ...SITUATION, ...situation }
  return {
    state: full.state,
    situation: words(situationText(full)),
    stimulus: words('plan the migration'),
    memory,
    now: memory.length + 1,
  }
}

export function inspectionOf(text: string, upstream: readonly Upstream[] = []): Inspection {
  const view = viewArtifact(text)
  return {
    vector: bagVector(stemsOf(text)),
    view,
    observations: observe(view, upstream),
    attention: NO_ATTENTION,
  }
}
