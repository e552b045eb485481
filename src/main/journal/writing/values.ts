import type { ItemKind } from '../../../shared/domain'
import { type journalSql, type PackedText, packText } from '../../store'
import type { JournalContext } from '../context'
import { type Draft, knows } from '../drafts'
import { strip } from '../envelope'
import { type Redacted, redactDeep } from '../redaction'
import { headTail } from '../text'

/** How much of an item's text goes into the full-text index, in characters: head and tail. */
const INDEX_LIMIT: Record<ItemKind, number> = {
  goal: 6_000,
  conclusion: 6_000,
  plan: 6_000,
  decision: 4_000,
  note: 3_000,
  error: 2_000,
  command: 1_200,
  file_op: 800,
  image: 400,
}
const PARTS = 1024

/** A draft behind the doors: redacted, compressed, with its place in the session. */
export interface Prepared {
  values: journalSql.ItemValues
  text: string
}

/** What of a draft does not depend on where it is written. */
export interface Cleaned {
  text: string
  stored: PackedText
  data: object
  tool: string | null
  project: string | null
  recordId: string | null
  masked: number
}

export function clean(journal: JournalContext, draft: Draft): Cleaned {
  // What Fovea injected goes first, in whatever field it came back: formats strip what they read as speech, and an
  // agent may have put a frame into a file, a command, a plan or another tool.
  const door = (text: string): Redacted => journal.redact(strip(text, journal.receipts))
  const { text, masked } = door(draft.text)
  const data = redactDeep(draft.data, door)
  return {
    text,
    stored: packText(text),
    data: data.value,
    tool: draft.tool && journal.redact(draft.tool, 'name').text.slice(0, 200),
    project: draft.project ? journal.redact(draft.project, 'name').text : null,
    recordId: draft.recordId && journal.redact(draft.recordId.toWellFormed(), 'name').text.slice(0, 200),
    masked: masked + data.masked,
  }
}

export function prepare(
  draft: Draft,
  cleaned: Cleaned,
  where: {
    sessionId: string
    fileId: number
    project: string | null
    ts: number
    undated: boolean
  },
): Prepared {
  const { text, stored, data, masked } = cleaned
  return {
    text,
    values: {
      handle: draft.handle,
      kind: draft.kind,
      session_id: where.sessionId,
      position: positionOf(draft),
      ts: where.ts,
      role: draft.role,
      tool: cleaned.tool,
      project: cleaned.project ?? where.project,
      goal_handle: draft.goal,
      ...stored,
      chars: text.length,
      data: JSON.stringify(where.undated ? { ...data, undated: true } : data),
      importance: draft.importance,
      file_id: where.fileId,
      record_id: cleaned.recordId,
      line: draft.place.line,
      byte_offset: draft.place.byteOffset,
      byte_length: draft.place.byteLength,
      record_hash: draft.place.hash,
      known: knows(draft),
      masked,
    },
  }
}

/** A record of many parts is longer than its parts are many, so they never reach into the next record. */
const positionOf = ({ place, part }: Draft): number =>
  place.byteOffset * PARTS + Math.min(part, PARTS * Math.max(1, place.byteLength) - 1)

/** What of an item's text is put into the full-text index. */
export const indexText = (kind: ItemKind, text: string): string => headTail(text, INDEX_LIMIT[kind])
