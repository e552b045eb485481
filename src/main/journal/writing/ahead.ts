import { journalSql } from '../../store'
import type { JournalContext } from '../context'
import type { Draft } from '../drafts'
import type { Chunk } from './chunk'
import { type Cleaned, clean } from './values'

/** Longer texts are cleaned when they are written, one at a time, so that not all of them are held at once. */
const AHEAD_CHARS = 1024 * 1024

/**
 * What can be made of a chunk's items before its transaction begins: looking for secrets and packing take as long as
 * writing does, and meanwhile others may write. Items that are there already are nearly always left as they are.
 */
export function cleanAhead(journal: JournalContext, chunk: Chunk): ReadonlyMap<Draft, Cleaned> {
  const ahead = new Map<Draft, Cleaned>()
  const known = journalSql.itemPlaces(journal.db, [...chunk.sightings.keys()])
  for (const [handle, { draft }] of chunk.sightings) {
    if (draft.text.length > AHEAD_CHARS || known.has(handle)) continue
    try {
      ahead.set(draft, clean(journal, draft))
    } catch {
      // It is tried again where what goes wrong costs its record and no other.
    }
  }
  return ahead
}
