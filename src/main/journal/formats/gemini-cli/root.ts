import { dirname, join } from 'node:path'
import type { FormatContext } from '../../drafts'

/**
 * The folder a session works in: `tmp/<project>/.project_root` says it. The project's own name there may be a hash or
 * a number, and is never read as a path.
 */
export function projectRoot({ path, beside }: FormatContext, isChild: boolean): { cwd?: string } {
  const chats = isChild ? dirname(dirname(path)) : dirname(path)
  const root = beside?.(join(dirname(chats), '.project_root'))?.trim()
  return root && !root.includes('\n') ? { cwd: root } : {}
}
