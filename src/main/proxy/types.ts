import type { Agent, GateState, Outcome, TaskType } from '../../shared/domain'

/** A dense vector, unit length or all zero (nothing to compare). */
export type Vec = Float32Array

/** Probabilities of the three outcomes; they sum to 1. */
export type Probabilities = Record<Outcome, number>

export const OUTCOMES = ['approve', 'correct', 'reject'] as const satisfies readonly Outcome[]

/** Where in the process a gate stands. Nothing here may be read off the artifact. */
export interface Situation {
  state: GateState
  /** Null when only the artifact itself would tell. */
  taskType: TaskType | null
  project: string | null
  agent: Agent | null
  /** 1 for the first version put in front of the person. */
  round: number
  /** What the person answered last in this line of rounds. */
  last: Outcome | null
}

/** The five dimensions of a remembered interaction. The first four are the experience. */
export interface CaseVectors {
  situation: Vec
  artifact: Vec
  stimulus: Vec
  response: Vec
  salience: Vec | null
}

/** One remembered gate as the engine sees it. */
export interface Case {
  id: string
  title: string
  state: GateState
  outcome: Outcome
  /** Only a person's answers are ever evidence. */
  answeredBy: 'person' | 'proxy'
  /** Interaction numbers at which it was created, used, or taught. */
  traces: readonly number[]
  vectors: CaseVectors
  /** Percept phrases that rules saw in its artifact. */
  features: ReadonlySet<string>
  /** Stems of its artifact, for phrases learned after it was seen. */
  terms: ReadonlySet<string>
  /** What the person said; empty for a plain approval. */
  words: string
  /** Percepts that moved its prediction; empty without surprise. */
  salient: readonly string[]
}

/** How often a percept was there at one state, and what followed. */
export interface AttentionCount {
  present: number
  salient: number
  notApproved: number
  named: number
}

/** One state's attention: its percepts, and how its gates ended in all. */
export interface AttentionMap {
  counts: ReadonlyMap<string, AttentionCount>
  gates: number
  notApproved: number
}

/** A part of memory that can be switched off, to measure what it is worth. */
export interface EngineOptions {
  activation: boolean
  salience: boolean
  attention: boolean
  /** How many of the best ranked cases stand behind a pass. */
  cases: number
}

export const DEFAULT_OPTIONS: EngineOptions = { activation: true, salience: true, attention: true, cases: 32 }
