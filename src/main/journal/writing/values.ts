import type { ItemKind } from '../../../shared/domain'
import { type journalSql, packText } from '../../store'
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

export function prepare(
  journal: JournalContext,
  draft: Draft,
  where: {
    sessionId: string
    fileId: number
    project: string | null
    ts: number
    undated: boolean
  },
): Prepared {
  // What Fovea injected goes first, in whatever field it came back: formats strip what they read as speech, and an
  // agent may have put a frame into a file, a command, a plan or another tool.
  const door = (text: string): Redacted => journal.redact(strip(text, journal.receipts))
  const redacted = door(draft.text)
  const data = redactDeep(draft.data, door)
  const stored = packText(redacted.text)
  return {
    text: redacted.text,
    values: {
      handle: draft.handle,
      kind: draft.kind,
      session_id: where.sessionId,
      position: positionOf(draft),
      ts: where.ts,
      role: draft.role,
      tool: draft.tool && journal.redact(draft.tool).text.slice(0, 200),
      project: draft.project ? journal.redact(draft.project).text : where.project,
      goal_handle: draft.goal,
      ...stored,
      chars: redacted.text.length,
      data: JSON.stringify(where.undated ? { ...data.value, undated: true } : data.value),
      importance: draft.importance,
      file_id: where.fileId,
      record_id: draft.recordId && journal.redact(draft.recordId.toWellFormed()).text.slice(0, 200),
      line: draft.place.line,
      byte_offset: draft.place.byteOffset,
      byte_length: draft.place.byteLength,
      record_hash: draft.place.hash,
      known: knows(draft),
      masked: redacted.masked + data.masked,
    },
  }
}

/** A record of many parts is longer than its parts are many, so they never reach into the next record. */
const positionOf = ({ place, part }: Draft): number =>
  place.byteOffset * PARTS + Math.min(part, PARTS * Math.max(1, place.byteLength) - 1)

/** What of an item's text is put into the full-text index. */
export const indexText = (kind: ItemKind, text: string): string => headTail(text, INDEX_LIMIT[kind])
