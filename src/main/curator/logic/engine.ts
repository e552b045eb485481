import { AppError } from '../../../shared/errors'
import { relationNames } from '../../../shared/logic'
import { knowledge } from './knowledge'
import { limitedWasm } from './wasm'

/** A value in an answer: text, a number, a list, or null for a variable that stayed free. Other terms are text. */
export type AnswerValue = string | number | null | AnswerValue[]
export type Answer = Record<string, AnswerValue>

export interface Answers {
  /** The named variables, in the order they first appear; those that start with `_` are not shown. */
  variables: string[]
  answers: Answer[]
  /** There are more answers than were asked for. */
  more: boolean
}

/** What the program asks of its host. Rows are lists; a string says in words why there are none. */
export interface LogicHost {
  page(
    name: string,
    bound: [number, string | number | bigint][],
    after: string | number,
    limit: number,
  ): HostRows
  next(handle: string, step: 1 | -1): HostRows
  ranked(how: string, text: string, k: number): HostRows
}
export type HostRows = unknown[] | string

export interface LogicLimits {
  /** Steps of the engine; about ten million a second. */
  inferences: number
}

export const LIMITS: LogicLimits = { inferences: 50_000_000 }

/** Prolog's stacks, and all memory of the engine, in bytes. */
const STACK = 192 * 1024 * 1024
const MEMORY = 512 * 1024 * 1024
/** Characters of all answers together. */
const MOST_TEXT = 4_000_000

interface Prolog {
  query(goal: string, input?: Record<string, unknown>): { once(): Record<string, unknown> }
  String?: new (text: string) => unknown
}
interface Swipl {
  prolog: Prolog
  FS: { writeFile(path: string, text: string): void }
}

export class LogicEngine {
  readonly #swipl: Swipl
  readonly #limits: LogicLimits

  readonly #memory: () => number

  private constructor(swipl: Swipl, limits: LogicLimits, memory: () => number) {
    this.#swipl = swipl
    this.#limits = limits
    this.#memory = memory
  }

  /**
   * Starts the one engine of this thread: about 150 ms and 45 MB.
   * @throws AppError `unavailable` when it cannot be started here
   */
  static async start(host: LogicHost, limits: LogicLimits = LIMITS): Promise<LogicEngine> {
    try {
      const { default: create } = await import('swipl-wasm/dist/swipl-node.js')
      const wasm = limitedWasm(MEMORY)
      const swipl = (await create({
        arguments: ['-q', `--stack-limit=${STACK}`],
        // What a goal prints goes nowhere: the answer is its variables.
        print: () => undefined,
        printErr: () => undefined,
        // There is nobody to answer a goal that reads.
        stdin: () => null,
        instantiateWasm: wasm.instantiate,
      } as Parameters<typeof create>[0])) as unknown as Swipl
      // The engine looks for a browser's window, and finds its host by a global name.
      Object.assign(globalThis, { window: {}, fvHost: host })
      swipl.FS.writeFile('/kb.pl', knowledge())
      const loaded = swipl.prolog.query("load_files('/kb.pl', [])").once()
      if (loaded.success !== true) throw new Error(String(loaded.message ?? 'the program did not load'))
      return new LogicEngine(swipl, limits, wasm.bytes)
    } catch (cause) {
      throw new AppError('unavailable', 'The engine for questions could not be started on this machine.', {
        cause,
      })
    }
  }

  /** Bytes of the engine's memory. It grows with the largest query and never shrinks. */
  heapBytes(): number {
    return this.#memory()
  }

  /**
   * Asks a goal, with clauses before it if it needs rules of its own (`p(X) :- …. ?- p(X).`).
   * @throws AppError `bad-input` it cannot be read or has an error; `forbidden` it would touch more than the journal;
   * `cancelled` it went over a limit; `unavailable` the host has not what it needs
   */
  ask(goal: string, most: number): Answers {
    // A goal cannot hold one, and the engine would stop reading there.
    if (goal.includes('\0')) throw new AppError('bad-input', 'The query holds a NUL character.')
    const { prolog } = this.#swipl
    const ended = /\.\s*$/.test(goal) ? `${goal}\n` : `${goal}\n.`
    const text = prolog.String ? new prolog.String(ended) : ended
    const input = { T: text, M: most, I: this.#limits.inferences }
    const out = prolog.query('kb:fovea_run(T, M, I, N, R)', input).once()
    if (out.success !== true)
      throw new AppError('bad-input', `The query failed: ${String(out.message ?? '')}`)
    return answersOf(out.N, out.R, most)
  }
}

function answersOf(names: unknown, result: unknown, most: number): Answers {
  const [kind, ...rest] = Array.isArray(result) ? (result as unknown[]) : ['?']
  if (kind === 'answers') {
    const variables = (Array.isArray(names) ? names : []).map(String)
    const rows = rest[0] as [string, unknown][][]
    const budget = { left: MOST_TEXT }
    const answers = rows
      .slice(0, most)
      .map((row) => Object.fromEntries(row.map((value, n) => [variables[n] ?? '', decoded(value, budget)])))
    return { variables, answers, more: rows.length > most }
  }
  if (kind === 'limit')
    throw overLimit(rest[0] === 'memory' ? 'needed too much memory' : 'took too many steps')
  throw problem(String(rest[0]), readable(plain(rest[1])))
}

export const overLimit = (what: string): AppError =>
  new AppError('cancelled', `The query ${what} and was stopped. Bind more arguments, or ask for less.`)

/** Without what only the engine knows: its streams, the module a query runs in, how a call was reached. */
function readable(message: string): string {
  return message
    .replace(/'?tmp-[\w-]+'?:/g, '')
    .replace(/Stream <stream>\(\w+\):(\d+):(\d+)/g, 'line $1, column $2:')
    .replace(/\s*Reachable from:[\s\S]*$/, '')
    .replace(/_G?\d+/g, '_')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 500)
}

function problem(kind: string, message: string): AppError {
  if (kind === 'forbidden') return new AppError('forbidden', `The query is refused: ${message}.`)
  if (kind === 'memory') return overLimit('needed too much memory')
  if (kind === 'host') return new AppError('unavailable', message)
  if (kind === 'syntax') return new AppError('bad-input', `The query cannot be read: ${message}`)
  const hint = kind === 'unknown' ? `. The relations are ${relationNames().join(', ')}.` : ''
  return new AppError('bad-input', `The query stopped with an error: ${message}${hint}`)
}

function decoded([kind, value]: [string, unknown?], budget: { left: number }): AnswerValue {
  if (kind === 'v') return null
  if (kind === 'l') return (value as [string, unknown][]).map((one) => decoded(one, budget))
  if (kind === 'n') return Number(value)
  const text = plain(value)
  budget.left -= text.length
  if (budget.left < 0) throw overLimit('has more text in its answers than fits')
  return text
}

/** Prolog's strings come as objects. */
const plain = (value: unknown): string =>
  typeof value === 'object' && value !== null && 'v' in value ? String(value.v) : String(value)
