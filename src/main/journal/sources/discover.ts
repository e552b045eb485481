import { type Dirent, lstatSync, readdirSync, realpathSync, type Stats, statSync } from 'node:fs'
import { basename, dirname, join, sep } from 'node:path'
import { openReason } from '../file-reasons'
import { type FileStat, isDatabaseName, statOf } from '../stores/names'

/** A file a source offers for reading, with what the disk says about it. */
export interface FoundFile {
  path: string
  stat: FileStat
}
export interface Discovered {
  files: FoundFile[]
  /** What is there and cannot be read, with the reason. */
  unreadable: { path: string; reason: string }[]
  /** The source itself is not there. */
  missing: boolean
}

const MAX_DEPTH = 24
const SKIPPED_FOLDERS = new Set(['node_modules', '.git', 'file-history', 'tool-results', 'shell-snapshots'])
/**
 * What lies beside sessions: opencode's messages and parts are read with their session; what extensions keep in Cursor's
 * folders is other programs'.
 */
const BESIDE =
  /[\\/]opencode[\\/](?:snapshot|bin|log|tool-output|repos|worktree)$|[\\/]storage[\\/](?:message|part|project|todo|share|session_diff|session_share|migration|session[\\/](?:message|part|share))$|[\\/]Cursor[\\/]User[\\/](?:globalStorage|workspaceStorage[\\/][^\\/]+)[\\/](?!saoudrizwan\.|rooveterinaryinc\.)[^\\/]+$/
/** Near copies of the main session that the program keeps for itself, and bookkeeping that is no conversation. */
const SKIPPED_FILES =
  /^(?:agent-acompact-|agent-aprompt_suggestion-)|^journal\.jsonl$|^history\.jsonl$|^session_index\.jsonl$/
/** What the agents' folders hold beside their transcripts, in great number. */
const NO_TRANSCRIPT =
  /\.meta\.json$|^(?:package(?:-lock)?|tsconfig.*|settings.*|sessions-index|composer|manifest|task_metadata|history_item|auth|mcp-auth|account|models|storage|workspace)\.json$|^(?:msg|prt)_[^/]*\.json$|^(?:README|CHANGELOG|LICENSE|CLAUDE|AGENTS|GEMINI|MEMORY|SKILL)\.md$/i
/** Cursor's older agent transcripts are plain text; any other plain text is none. */
const AGENT_TEXT = /[\\/]agent-transcripts[\\/](?:[^\\/]{1,200}[\\/]){0,3}[^\\/]{1,200}\.txt$/
const TRANSCRIPT = /\.(?:(?:jsonl|ndjson)(?:\.zst)?|json|md)$/i

/** What an agent keeps beside its transcripts and somebody may miss here, with why it is left out. */
const LEFT_OUT: readonly (readonly [name: RegExp, reason: string])[] = [
  [/^history\.jsonl$/, 'a list of prompts; the sessions themselves are read'],
  [/^session_index\.jsonl$/, 'a list of titles; the sessions themselves are read'],
  [
    /^(?:state|thread_history|logs|goals|memories)_\d{1,4}\.sqlite$|^session-store\.db$/,
    'an index over the sessions; the sessions themselves are read',
  ],
]

/**
 * Everything under a source that may be a transcript, sorted by path. Links are followed inside the source only, each
 * file once however many names it has; `skip` names folders never entered (Fovea's own data).
 */
export function discover(root: string, skip: readonly string[] = []): Discovered {
  const found: Discovered = { files: [], unreadable: [], missing: false }
  let stat: Stats
  try {
    stat = statSync(root)
  } catch (error) {
    if ((error as { code?: string }).code !== 'ENOENT') {
      found.unreadable.push({ path: root, reason: whyNot(root, error) })
    }
    found.missing = true
    return found
  }
  if (stat.isFile()) {
    found.files.push({ path: root, stat: statOf(root) })
    return found
  }
  const walk = new Walk(realpathSync(root), skip, found)
  walk.folder(root, 0)
  found.files.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))
  return found
}

const isNamedLikeOne = (path: string): boolean =>
  isDatabaseName(path) ||
  AGENT_TEXT.test(path) ||
  (TRANSCRIPT.test(path) && !NO_TRANSCRIPT.test(basename(path)))

/** Whether a path under `root` is one that `discover` would offer; for hints that name single files. */
export function mayBeTranscript(root: string, path: string): boolean {
  if (path !== root && !isNamedLikeOne(path)) return false
  const folders = path.slice(root.length).split(sep).slice(0, -1)
  return (
    !SKIPPED_FILES.test(basename(path)) &&
    !folders.some((name) => SKIPPED_FOLDERS.has(name)) &&
    !isBeside(root, dirname(path))
  )
}

/** Whether a folder or one above it, up to the source, is none to look into. */
function isBeside(root: string, folder: string): boolean {
  for (let at = folder; at.length > root.length; at = dirname(at)) if (BESIDE.test(at)) return true
  return false
}

/** A name with a replacement mark is not the one on the disk: there it holds bytes that are no UTF-8. */
function whyNot(path: string, error: unknown): string {
  const gone = (error as { code?: string }).code === 'ENOENT'
  return gone && path.includes('\uFFFD') ? 'its name is not UTF-8; rename it' : openReason(error)
}

/** Left out on purpose, as against what somebody may miss. */
export const isLeftOut = (reason: string | null): boolean => LEFT_OUT.some(([, why]) => why === reason)

class Walk {
  private readonly seenFolders = new Set<string>()
  private readonly seenFiles = new Set<string>()

  constructor(
    private readonly realRoot: string,
    private readonly skip: readonly string[],
    private readonly found: Discovered,
  ) {}

  folder(path: string, depth: number): void {
    const real = this.real(path)
    if (real === null || this.seenFolders.has(real) || this.skip.includes(real)) return
    this.seenFolders.add(real)
    if (depth > MAX_DEPTH) {
      this.found.unreadable.push({ path, reason: 'folders nested too deep' })
      return
    }
    let entries: Dirent[]
    try {
      entries = readdirSync(path, { withFileTypes: true })
    } catch (error) {
      this.found.unreadable.push({ path, reason: whyNot(path, error) })
      return
    }
    for (const entry of entries) this.entry(join(path, entry.name), entry, depth)
  }

  private entry(path: string, entry: Dirent, depth: number): void {
    if (entry.isSymbolicLink()) this.link(path, depth)
    else if (entry.isDirectory()) this.enter(path, depth)
    else if (entry.isFile()) this.file(path)
  }

  private enter(path: string, depth: number): void {
    const name = basename(path)
    if (SKIPPED_FOLDERS.has(name) || BESIDE.test(path)) return
    if (TRANSCRIPT.test(name)) {
      this.found.unreadable.push({ path, reason: 'a folder with the name of a transcript' })
    }
    this.folder(path, depth + 1)
  }

  private link(path: string, depth: number): void {
    const named = isNamedLikeOne(path)
    try {
      const stat = statSync(path)
      const real = realpathSync(path)
      if (real !== this.realRoot && !real.startsWith(this.realRoot + sep)) {
        if (named || stat.isDirectory()) {
          this.found.unreadable.push({ path, reason: 'a link out of the source; enrol what it leads to' })
        }
      } else if (stat.isDirectory()) this.enter(path, depth)
      else if (stat.isFile()) this.file(path)
    } catch (error) {
      const code = (error as { code?: string }).code
      if (named || code === 'ELOOP') {
        const reason = code === 'ENOENT' ? 'a link that leads nowhere' : whyNot(path, error)
        this.found.unreadable.push({ path, reason })
      }
    }
  }

  private file(path: string): void {
    const name = basename(path)
    const why = LEFT_OUT.find(([pattern]) => pattern.test(name))
    if (why) this.found.unreadable.push({ path, reason: why[1] })
    if (why || !isNamedLikeOne(path) || SKIPPED_FILES.test(name)) return
    try {
      const stat = statOf(path)
      const id = `${stat.dev}:${stat.ino}`
      if (this.seenFiles.has(id)) return
      this.seenFiles.add(id)
      this.found.files.push({ path, stat })
    } catch (error) {
      this.found.unreadable.push({ path, reason: whyNot(path, error) })
    }
  }

  private real(path: string): string | null {
    try {
      return realpathSync(path)
    } catch (error) {
      this.found.unreadable.push({ path, reason: whyNot(path, error) })
      return null
    }
  }
}

/** True when nothing is at `path` any more, not even a broken link. */
export function isGone(path: string): boolean {
  try {
    lstatSync(path)
    return false
  } catch (error) {
    const code = (error as { code?: string }).code
    return code === 'ENOENT' || code === 'ENOTDIR'
  }
}
