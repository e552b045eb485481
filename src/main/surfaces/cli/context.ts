import type { Readable } from 'node:stream'
import type { Command } from 'commander'
import type { CallInput, CallName, CallOutput } from '../../../shared/contract'
import { AppError } from '../../../shared/errors'

/** The engine as the command line sees it. */
export interface CliEngine {
  call<N extends CallName>(name: N, input: CallInput<N>): Promise<CallOutput<N>>
  on(listener: (event: string, payload: unknown) => void): () => void
  close(): Promise<void>
}

/** What a command needs of its engine: to watch the sources, or to answer and do nothing else. */
export interface EngineUse {
  watch: boolean
  answersOnly?: boolean
  /** Whoever calls must not be held up by a failure: nothing is said, exit 0, and the log tells why. */
  failsSilently?: boolean
  /** Hears of each lesser path that something runs on, in a sentence for the person. */
  onTrouble?: (sentence: string) => void
}

export interface CliHost {
  version: string
  /** A line for the log of that data folder, where there is one. */
  log(home: string | undefined, event: string, fields: Readonly<Record<string, string>>): void
  openEngine(home: string | undefined, how: EngineUse): CliEngine
  stdin: Readable & { isTTY?: boolean }
  /** false when whoever read it has gone. */
  out(text: string): boolean
  err(text: string): void
}

export interface GlobalOptions {
  home?: string
  json?: boolean
}

/** What a command works with: typed calls, and the two ways to answer. */
export interface CommandContext {
  call<N extends CallName>(name: N, input: CallInput<N>): Promise<CallOutput<N>>
  on: CliEngine['on']
  stdin: CliHost['stdin']
  /** A line for the person watching; never on stdout. */
  say(line: string): void
  /** Text on stdout outside the one JSON value, for commands whose answer is a stream; false when nobody reads on. */
  write(text: string): boolean
}

/** What a command answers: the value for `--json`, and the same for a person. */
export interface Answer {
  value: unknown
  text: string
  /** What was done is told, and it is less than what was asked for: exit 1. */
  failed?: boolean
}

/** Registers what a command does: opens the engine, runs, prints, closes. */
export type Run = (
  command: Command,
  work: (context: CommandContext, args: readonly string[]) => Promise<Answer | undefined>,
  options?: EngineUse,
) => void

/** A moment given as ISO-8601 or as milliseconds since 1970. A day alone is its midnight on this machine. */
export function parseMoment(text: string): number {
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text)
  const value = /^-?\d+$/.test(text) ? Number(text) : Date.parse(day ? `${text}T00:00` : text)
  if (!Number.isSafeInteger(value)) {
    throw new AppError('bad-input', `"${text}" is not a date: give 2026-11-30, an ISO time, or milliseconds.`)
  }
  return value
}

/** A whole number; how small or large it may be is the contract's to say. */
export function parseCount(text: string): number {
  const value = Number(text)
  if (!/^-?\d+$/.test(text) || !Number.isSafeInteger(value)) {
    throw new AppError('bad-input', `"${text}" is not a whole number.`)
  }
  return value
}

/** Drops what was not given, so that the contract's defaults apply. */
export function given<T extends Record<string, unknown>>(
  values: T,
): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }
}

/** The choice that was meant. @throws AppError `bad-input` that lists the choices */
export function oneOf<T extends string>(options: { options: readonly T[] }, text: string, name: string): T {
  const found = options.options.find((option) => option === text)
  if (found === undefined)
    throw new AppError('bad-input', `There is no ${name} "${text}": ${options.options.join(', ')}.`)
  return found
}
