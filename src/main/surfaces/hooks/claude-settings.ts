import { existsSync, readFileSync, rmSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { AppError } from '../../../shared/errors'
import type { HookPlace, HookScope } from '../../../shared/hooks'
import { EMPTY, type HookEntry, hookCommands, standingIn, withHooks, withoutHooks } from './settings-text'
import { type Standing, StandingBefore } from './standing'
import { writeWhole } from './write-whole'

// The memory hook in Claude Code's settings files.

/** How a command of ours is known again, whichever copy of Fovea wrote it. */
const OURS = /[\\/]hook\.js['"]? fovea-memory /
/** The agent waits so long at most; the hook itself gives up well before. */
const TIMEOUT_SECONDS = 10

const isOurs = (command: string): boolean => OURS.test(command)

const entries = (command: string): HookEntry[] => [
  { event: 'UserPromptSubmit', command, timeout: TIMEOUT_SECONDS },
  // Compaction empties the window; at every other start the first prompt comes at once and asks by itself.
  { event: 'SessionStart', matcher: 'compact', command, timeout: TIMEOUT_SECONDS },
]

/** A person's own settings, or those of one project that are not committed: the command names places of this machine. */
export function settingsFile(
  scope: HookScope,
  folder: string | undefined,
  env: NodeJS.ProcessEnv = process.env,
): string {
  if (scope === 'user') return join(env.CLAUDE_CONFIG_DIR || join(homedir(), '.claude'), 'settings.json')
  const root = resolve(folder ?? '.')
  if (!statSync(root, { throwIfNoEntry: false })?.isDirectory())
    throw new AppError('not-found', `There is no folder ${root}.`)
  return join(root, '.claude', 'settings.local.json')
}

export function placeOf(scope: HookScope, file: string, command: string): HookPlace {
  const text = readSettings(file)
  if (text?.trim() === '') return { scope, file, state: 'absent' }
  const found = text === null ? null : hookCommands(text)
  if (!found) return { scope, file, state: 'unreadable' }
  const own = found.filter((one) => isOurs(one.command))
  if (own.length === 0) return { scope, file, state: 'absent' }
  const wanted = entries(command).map(({ event }) => event)
  const same = own.length === wanted.length && own.every((one) => one.command === command)
  return {
    scope,
    file,
    state: same && wanted.every((event) => own.some((one) => one.event === event)) ? 'installed' : 'other',
  }
}

/**
 * @param home the data folder, where it is remembered what stood there before
 * @throws AppError `unreadable` when the file is no settings; nothing is changed then
 */
export function installHook(file: string, command: string, home: string): void {
  const known = new StandingBefore(home)
  const text = settingsText(file)
  const before = existsSync(file) ? without(file, text, known.of(file)) : null
  const next = withHooks(before ?? '', entries(command))
  if (next === null) throw noSettings(file)
  known.keep(file, standingIn(before, entries(command)))
  replace(file, text, next)
}

/**
 * @param home the data folder that installed it; of any other, brackets that the hook leaves empty stay
 * @throws AppError `unreadable` when the file is no settings; nothing is changed then
 */
export function removeHook(file: string, home: string): void {
  const known = new StandingBefore(home)
  const text = settingsText(file)
  if (text.trim() !== '') replace(file, text, without(file, text, known.of(file)))
  known.forget(file)
}

/** What the file was without the hook; null when it was not there. */
function without(file: string, text: string, known: Standing | undefined): string | null {
  if (text.trim() === '') return text
  const rest = withoutHooks(text, isOurs, known?.inner)
  if (rest === null) throw noSettings(file)
  return known?.blank !== undefined && rest === EMPTY && rest !== text ? known.blank : rest
}

const noSettings = (file: string): AppError =>
  new AppError('unreadable', `${file} is not settings that a hook could stand in; nothing was changed.`)

function settingsText(file: string): string {
  const text = readSettings(file)
  if (text === null) throw noSettings(file)
  return text
}

/** Empty when there is none; null when it cannot be read, or not as the text it is. */
function readSettings(file: string): string | null {
  try {
    const bytes = readFileSync(file)
    const text = bytes.toString('utf8')
    return Buffer.from(text).equals(bytes) ? text : null
  } catch (error) {
    return (error as { code?: string }).code === 'ENOENT' ? '' : null
  }
}

/** @param after null: it is not there any more */
function replace(file: string, before: string, after: string | null): void {
  if (before === after) return
  const unchanged = (): void => {
    if (readSettings(file) !== before)
      throw new AppError('busy', `${file} was changed by another program just now. Try again.`)
  }
  if (after !== null) writeWhole(file, after, unchanged)
  else {
    unchanged()
    rmSync(file, { force: true })
  }
}
