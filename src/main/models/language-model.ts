import type { z } from 'zod'
import { AppError, type ErrorCode } from '../../shared/errors'

/** What a local language model could be used for right now. */
export interface LanguageModelStatus {
  reachable: boolean
  /** Installed models that run on this machine. */
  models: string[]
  /** Installed names that send text out to a network; never used unless the person allows one by name. */
  refused: string[]
  /** A plain sentence when there is nothing to use. */
  reason: string | null
}

/** One structured call: a prompt, and the shape its answer must have. */
export interface Question<T> {
  model: string
  /** Put together by the faculty; the client adds only how to answer. */
  prompt: string
  /** What is sent as the schema and what the answer is checked against. */
  schema: z.ZodType<T>
  /** Tokens the answer may take. */
  answerTokens: number
  /** Tokens that all tries together may take, prompts and answers; no second try is begun that could take more. */
  budget?: number
  /** For each try, from the moment the model is loaded; two minutes when left out. */
  deadlineMs?: number
  signal?: AbortSignal
}

/** What asking took, failed tries included; tokens as the server reports them, else as they were counted. */
export interface Usage {
  promptTokens: number
  answerTokens: number
  ms: number
  tries: number
}

export interface Answer<T> {
  value: T
  model: string
  usage: Usage
}

/**
 * A model that writes text. Where there is none, extractive rungs and the case engine do the work. One call at a time
 * is what a laptop can serve; callers queue.
 */
export interface LanguageModel {
  status(): Promise<LanguageModelStatus>
  /** Tokens a prompt may have, by `tokens`, beside the answer and what the client adds. @throws ModelFailure */
  room(question: Pick<Question<unknown>, 'model' | 'schema' | 'answerTokens' | 'signal'>): Promise<number>
  /** Tokens of a text for this model: a real tokenizer's count, corrected by what the server reported before. */
  tokens(model: string, text: string): number
  /**
   * Asks, checks the answer against the schema, and asks once more when it does not fit and the budget holds it.
   * @throws ModelFailure that says what went wrong and what it cost
   */
  ask<T>(question: Question<T>): Promise<Answer<T>>
}

/** Every way a call to a language model fails. */
export type FailureKind =
  // The server: nothing was asked, or nobody answered.
  | 'unreachable'
  | 'busy'
  | 'server'
  | 'protocol'
  | 'missing'
  | 'refused'
  // The call.
  | 'too-long'
  | 'timeout'
  | 'aborted'
  | 'broke-off'
  // The answer, twice; once where a second try had no room in the budget.
  | 'empty'
  | 'cut'
  | 'not-json'
  | 'wrong-shape'

const CODES: Partial<Record<FailureKind, ErrorCode>> = {
  busy: 'busy',
  missing: 'not-found',
  refused: 'forbidden',
  aborted: 'cancelled',
  'too-long': 'bad-input',
}

/** Whether the server, rather than this prompt or this answer, is what stands in the way. */
export const isServerFault = (kind: FailureKind): boolean =>
  ['unreachable', 'busy', 'protocol', 'missing', 'refused'].includes(kind)

/** A failed call. The message is a sentence for a person and holds nothing of prompt or answer. */
export class ModelFailure extends AppError {
  readonly kind: FailureKind
  usage: Usage
  /** A second try might have mended it and had no room in the budget. */
  cutShort = false

  constructor(kind: FailureKind, message: string, options: { cause?: unknown; usage?: Usage } = {}) {
    super(CODES[kind] ?? 'unavailable', message, { cause: options.cause })
    this.name = 'ModelFailure'
    this.kind = kind
    this.usage = options.usage ?? NOTHING_USED
  }
}

export const NOTHING_USED: Usage = { promptTokens: 0, answerTokens: 0, ms: 0, tries: 0 }

/** Whether a model of this name answers from the cloud, though the server is local. */
export function isCloudModel(name: string): boolean {
  return /(?:[-:]cloud)$/i.test(name.trim())
}
