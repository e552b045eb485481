import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, isAbsolute, join, resolve, sep } from 'node:path'

const MAX_DEPTH = 40

const lastPart = (path: string): string | null => {
  const parts = path.split(/[\\/]+/).filter((part) => part !== '' && !/^[A-Za-z]:$/.test(part))
  return parts.at(-1) ?? null
}

// Folders in which agents and people keep worktrees of the repository around them.
const WORKTREE =
  /^(.+?)[\\/](?:\.worktrees|\.claude[\\/]worktrees|\.git[\\/]worktrees|\.cursor[\\/]worktrees)[\\/][^\\/]+/

/**
 * The name of the project a working folder belongs to: its git root's folder where that is on this disk, else the
 * folder's own last part. A worktree counts as its repository. Never guessed from a transcript folder's slug.
 */
export function projectOf(cwd: string): string | null {
  const folder = WORKTREE.exec(cwd)?.[1] ?? cwd
  const root = isAbsolute(folder) ? gitRoot(folder) : null
  return lastPart(root ?? folder)
}

function gitRoot(folder: string): string | null {
  let at = folder
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    const git = join(at, '.git')
    if (existsSync(git)) return mainRepository(at, git)
    const parent = dirname(at)
    if (parent === at) return null
    at = parent
  }
  return null
}

/** A worktree's `.git` is a file that leads to `<repository>/.git/worktrees/<name>`. */
function mainRepository(root: string, git: string): string {
  try {
    if (statSync(git).isDirectory()) return root
    const target = /^gitdir:\s*(.+)$/m.exec(readFileSync(git, 'utf8').slice(0, 4096))?.[1]?.trim()
    if (!target) return root
    const at = resolve(root, target)
    const inside = at.lastIndexOf(`${sep}.git${sep}worktrees${sep}`)
    return inside === -1 ? root : at.slice(0, inside)
  } catch {
    return root
  }
}

/** `projectOf` that asks the disk once for each folder. */
export function makeProjectFinder(): (cwd: string) => string | null {
  const known = new Map<string, string | null>()
  return (cwd) => {
    const found = known.get(cwd)
    if (found !== undefined) return found
    const project = projectOf(cwd)
    known.set(cwd, project)
    return project
  }
}
