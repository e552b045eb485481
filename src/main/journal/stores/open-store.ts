import { ForeignDb } from '../../store'
import { openCursorChat } from '../formats/cursor/chat-store'
import { openCursorDatabase } from '../formats/cursor/database'
import { openOpencodeDatabase } from '../formats/opencode/database'
import { openOpencodeTree } from '../formats/opencode/tree'
import { isTree } from './names'
import type { Store } from './store'

/**
 * Opens a store, whichever agent's it is: told by its tables. null when it is none that Fovea knows.
 * @throws ForeignProblem; an error of the file system
 */
export function openStore(path: string): Store | null {
  if (isTree(path)) return openOpencodeTree(path)
  const db = ForeignDb.open(path)
  try {
    const store = openOpencodeDatabase(db) ?? openCursorDatabase(db, path) ?? openCursorChat(db, path)
    if (!store) db.close()
    return store
  } catch (error) {
    db.close()
    throw error
  }
}
