import { fileURLToPath } from 'node:url'
import { asString, isObject } from '../../text'

/** A folder as Cursor names it: `file:///srv/shop`, or an object with the path. null for a remote one. */
export function folderOf(given: unknown): string | null {
  if (isObject(given)) return asString(given.fsPath) ?? asString(given.path)
  if (typeof given !== 'string' || !given.startsWith('file://')) return null
  try {
    // A Windows folder read on another system keeps its drive.
    const drive = /^file:\/\/\/([a-z])%3a\/(.*)$/i.exec(given)
    return drive ? `${drive[1]}:/${decodeURIComponent(drive[2] ?? '')}` : fileURLToPath(given)
  } catch {
    return null
  }
}
