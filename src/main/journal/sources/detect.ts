import { existsSync, readdirSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import type { Agent } from '../../../shared/domain'
import type { SourceCandidate } from '../../../shared/journal'
import { type ReadDb, sourcesSql } from '../../store'

interface Place {
  path: string
  agent: Agent
  /** Names that count as transcripts there. */
  names: RegExp
}

/** Cline and its fork Roo Code. */
const CLINE = ['saoudrizwan.claude-dev', 'rooveterinaryinc.roo-cline']
const MAX_ENTRIES = 50_000
const MAX_DEPTH = 6

/**
 * Folders in which an agent keeps transcripts on this machine. Only names, sizes and times are looked at; nothing is
 * opened before the person enrols it.
 */
export function detect(
  db: ReadDb,
  env: NodeJS.ProcessEnv = process.env,
  home = homedir(),
): SourceCandidate[] {
  const enrolled = new Set(sourcesSql.sources(db).map((source) => source.path))
  return places(env, home)
    .filter((place) => existsSync(place.path))
    .map((place) => ({
      path: place.path,
      agent: place.agent,
      ...survey(place),
      enrolled: enrolled.has(place.path),
    }))
    .filter((candidate) => candidate.files > 0 || candidate.enrolled)
}

function places(env: NodeJS.ProcessEnv, home: string): Place[] {
  const data = env.XDG_DATA_HOME || join(home, '.local', 'share')
  const codex = env.CODEX_HOME || join(home, '.codex')
  const gemini = env.GEMINI_CLI_HOME ? join(env.GEMINI_CLI_HOME, '.gemini') : join(home, '.gemini')
  const copilot = env.COPILOT_HOME || join(home, '.copilot')
  const rollout = /^rollout-.*\.jsonl(\.zst)?$/
  const found: Place[] = claudeFolders(env, home).map((path) => ({
    path: join(path, 'projects'),
    agent: 'claude-code' as const,
    names: /\.jsonl$/,
  }))
  found.push(
    { path: join(codex, 'sessions'), agent: 'codex', names: rollout },
    { path: join(codex, 'archived_sessions'), agent: 'codex', names: rollout },
    { path: join(gemini, 'tmp'), agent: 'gemini-cli', names: /^session-.*\.jsonl?$/ },
    { path: join(data, 'opencode'), agent: 'opencode', names: /^opencode(?:-[\w.]+)?\.db$|^ses_.*\.json$/ },
    { path: join(copilot, 'session-state'), agent: 'copilot-cli', names: /\.jsonl$/ },
    { path: join(home, '.cursor', 'projects'), agent: 'cursor', names: /\.(?:jsonl|txt)$/ },
    { path: join(home, '.cursor', 'chats'), agent: 'cursor', names: /^store\.db$/ },
    // Cursor's conversations are in one database, what older versions kept of them in one for each workspace.
    ...editors(env, home)
      .filter((path) => basename(dirname(path)) === 'Cursor')
      .flatMap((path) =>
        ['globalStorage', 'workspaceStorage'].map((name) => ({
          path: join(path, name),
          agent: 'cursor' as const,
          names: /^state\.vscdb$/,
        })),
      ),
    ...editors(env, home).flatMap((path) =>
      CLINE.map((extension) => ({
        path: join(path, 'globalStorage', extension, 'tasks'),
        agent: 'cline' as const,
        names: /^(?:api_conversation_history|ui_messages)\.json$/,
      })),
    ),
  )
  return found
}

/** `~/.claude`, further ones people keep beside it (`~/.claude-work`), and `$CLAUDE_CONFIG_DIR`. */
function claudeFolders(env: NodeJS.ProcessEnv, home: string): string[] {
  const found = new Set<string>()
  if (env.CLAUDE_CONFIG_DIR) found.add(env.CLAUDE_CONFIG_DIR)
  for (const name of names(home)) if (/^\.claude(?:-[\w.-]+)?$/.test(name)) found.add(join(home, name))
  return [...found].sort()
}

function editors(env: NodeJS.ProcessEnv, home: string): string[] {
  const roots = [
    env.XDG_CONFIG_HOME || join(home, '.config'),
    join(home, 'Library', 'Application Support'),
    ...(env.APPDATA ? [env.APPDATA] : []),
  ]
  const local = roots.flatMap((root) =>
    ['Code', 'Cursor', 'VSCodium'].map((name) => join(root, name, 'User')),
  )
  return [...local, join(home, '.vscode-server', 'data', 'User')]
}

const names = (folder: string): string[] => {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function survey(place: Place): { files: number; bytes: number; newestAt: number | null } {
  const sum = { files: 0, bytes: 0, newestAt: null as number | null }
  let seen = 0
  const walk = (folder: string, depth: number): void => {
    for (const name of names(folder)) {
      if (++seen > MAX_ENTRIES) return
      const path = join(folder, name)
      const stat = statSync(path, { throwIfNoEntry: false })
      if (stat?.isDirectory() && depth < MAX_DEPTH) walk(path, depth + 1)
      else if (stat?.isFile() && place.names.test(name)) {
        sum.files++
        sum.bytes += stat.size
        sum.newestAt = Math.max(sum.newestAt ?? 0, Math.trunc(stat.mtimeMs))
      }
    }
  }
  try {
    walk(place.path, 0)
  } catch {
    // A folder that cannot be looked into is proposed with what was seen.
  }
  return sum
}
