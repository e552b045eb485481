import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { paths } from './paths.mjs'
import { everyFewSeconds, say } from './say.mjs'
import { StepError } from './step-error.mjs'

/** Children under way: a setup that is told to stop stops them, and the lock names them. */
const children = new Set()
const listeners = new Set()
let isEnding = false
/** Logs this process has begun: the first command of a step starts its log, the others add to it. */
const begunLogs = new Set()

/** @param {(pids: number[]) => void} listener told whenever a child starts or ends */
export function onChildrenChange(listener) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function tell() {
  for (const listener of listeners) listener([...children].map((child) => child.pid).filter(Boolean))
}

/**
 * Asks the commands under way to end and waits until they have: npm rolls back first, and a next setup must
 * not start beside it.
 * @param {number} [patienceMs] then they are killed
 */
export async function endChildren(patienceMs = 10_000) {
  isEnding = true
  for (const child of children) child.kill('SIGTERM')
  const timer = setTimeout(() => {
    for (const child of children) child.kill('SIGKILL')
  }, patienceMs)
  await Promise.all([...children].map((child) => once(child, 'close')))
  clearTimeout(timer)
}

/**
 * Runs a command to its end; its output goes into a log and is shown only when it fails.
 *
 * @param {string} step
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, doing?: string, timeoutMs?: number, logs?: string,
 *   todo?: string }} [options] `doing`: the sentence repeated while it runs
 * @returns {Promise<string>} the standard output
 */
export async function run(step, command, args, options = {}) {
  const { cwd = paths.root, env = process.env, doing, timeoutMs, logs = paths.logs, todo } = options
  mkdirSync(logs, { recursive: true })
  const log = join(logs, `${step}.log`)
  const stop = doing ? everyFewSeconds((seconds) => say(step, `${doing} (${seconds} s)`)) : () => {}
  const result = await collect(command, args, { cwd, env, timeoutMs, log }).finally(stop)
  // This process is about to exit; a command that was stopped is no failure to report.
  if (isEnding) return new Promise(() => {})
  if (result.code === 0) return result.stdout
  const why = result.timedOut ? `took longer than ${timeoutMs / 1000} s` : `ended with ${result.code}`
  const tail = lastWords(result.output).join('\n  ')
  throw new StepError(step, `${describeCommand(command, args)} ${why}.${tail ? `\n  ${tail}\n` : ''}`, {
    todo: todo ?? `The whole output is in ${log}.`,
    cause: result.error,
  })
}

/** The end of an output without colours and stack traces. */
function lastWords(output) {
  const lines = stripVTControlCharacters(output).trim().split('\n')
  return lines.filter((line) => !/^\s+at /.test(line)).slice(-20)
}

const describeCommand = (command, args) => [command.split('/').pop(), ...args.slice(0, 3)].join(' ')

function collect(command, args, { cwd, env, timeoutMs, log }) {
  return new Promise((done) => {
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
    const file = createWriteStream(log, { flags: begunLogs.has(log) ? 'a' : 'w' })
    begunLogs.add(log)
    // A step does not fail for its log: the last lines are kept in memory, too.
    file.on('error', () => {})
    file.write(`$ ${[command, ...args].join(' ')}\n`)
    const result = {
      code: /** @type {unknown} */ (null),
      stdout: '',
      output: '',
      timedOut: false,
      error: undefined,
    }
    children.add(child)
    tell()
    const timer = timeoutMs
      ? setTimeout(() => {
          result.timedOut = true
          child.kill('SIGKILL')
        }, timeoutMs)
      : undefined
    const take = (chunk, isStdout) => {
      file.write(chunk)
      result.output = (result.output + chunk).slice(-20_000)
      if (isStdout) result.stdout += chunk
    }
    child.stdout.setEncoding('utf8').on('data', (chunk) => take(chunk, true))
    child.stderr.setEncoding('utf8').on('data', (chunk) => take(chunk, false))
    const finish = (code, error) => {
      clearTimeout(timer)
      children.delete(child)
      tell()
      file.end()
      done(Object.assign(result, { code, error }))
    }
    child.once('error', (error) => finish(/** @type {any} */ (error).code, error))
    child.once('close', (code, signal) => finish(code ?? signal, undefined))
  })
}
