import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { AppError } from '../../../shared/errors'

/** What an agent's shell runs: this runtime, the hook's script, the data folder. */
export interface HookCommand {
  script: string
  home: string
  runtime?: Pick<NodeJS.Process, 'execPath' | 'versions' | 'env'>
}

/** @throws AppError `unsupported` where the script is not built */
export function hookCommand({ script, home, runtime = process }: HookCommand): string {
  if (!existsSync(script))
    throw new AppError('unsupported', 'The hook’s script is not there. Build Fovea first.')
  const { execPath, versions, env } = runtime
  const binding = env.FOVEA_SQLITE_BINDING
  const set = versions.electron
    ? ['ELECTRON_RUN_AS_NODE=1', ...(binding ? [`FOVEA_SQLITE_BINDING=${quoted(binding)}`] : [])]
    : []
  const words = [execPath, resolve(script)].map(quoted)
  return [...set, ...words, 'fovea-memory', 'claude-code', '--home', quoted(resolve(home))].join(' ')
}

/** For the shell that runs hooks: on Windows too it is a POSIX one. */
const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`
