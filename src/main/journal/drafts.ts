import type { Agent, Handle, ItemKind } from '../../shared/domain'
import type { Receipts } from './envelope'
import type { ItemData } from './item-data'

/** Where a record lies in its file. `hash` is filled in when an item first needs it. */
export interface Place {
  line: number
  byteOffset: number
  byteLength: number
  hash: string
}

/** A place without what a reader holds on to. */
export const plainPlace = ({ line, byteOffset, byteLength, hash }: Place): Place => ({
  line,
  byteOffset,
  byteLength,
  hash,
})

/** An item before it is stored: what a format made of one or more records, not yet redacted. */
export interface Draft {
  handle: Handle
  kind: ItemKind
  /** Native session id, without the agent's name. */
  session: string
  /** Whose session it is, where a file renders another agent's. */
  agent?: Agent
  place: Place
  recordId: string | null
  /** Which part of the record it is, from 0; orders items of one record. */
  part: number
  /** null when the record does not say. */
  ts: number | null
  role: string | null
  tool: string | null
  goal: Handle | null
  /** Only where the record itself names a project. */
  project?: string
  text: string
  data: ItemData
  importance: number
  /** false while a later record may still complete it. */
  settled: boolean
}

/** Of two sightings of one item the one that knew more is kept: first whether it is complete, then its goal. */
export const knows = (draft: Draft): number => (draft.settled ? 2 : 0) + (draft.goal === null ? 0 : 1)

/** What a record tells about its session. Merged over records: the first value of each field stays. */
export interface SessionFacts {
  session: string
  ts: number | null
  /** When the record ends, where it tells more than a moment. */
  until?: number
  cwd?: string
  gitBranch?: string
  project?: string
  title?: string
  /** Native id of the session that started this one. */
  parent?: string
  /** Whose session it is, where a file renders another agent's. */
  agent?: Agent
}

/** What became of one record. Exactly one of the four ways. */
export type Disposition =
  | { kind: 'used' }
  /** Completes an item another record began, or joins a known one to a further session. */
  | { kind: 'attached' }
  | { kind: 'dropped'; reason: string }
  | { kind: 'error'; reason: string }

export interface Outcome {
  disposition: Disposition
  facts: SessionFacts | null
  /** Identity of the record in its document: items of an unfinished sighting of it that are told no more, go. */
  turn?: string
  /** What it tells about further sessions: a copied history is held by two. */
  also?: SessionFacts[]
  /** Items this record begins. */
  own: Draft[]
  /** Items of earlier records, complete now because of this one. */
  completes: Draft[]
  /** Sub-agents whose call is known now: the child's native session, and the call's item. */
  spawned?: { child: string; call: Handle }[]
  /** The person went back: what stands from one turn up to the other is off the branch. */
  rewinds?: { session: string; from: Handle; to: Handle }[]
  /** Items of earlier records whose reading this one merely changes (a closing statement that was none). */
  revises: Draft[]
}

/** What a format may ask of its surroundings. */
export interface FormatContext {
  /** Absolute path of the file, or `stream:<name>`. */
  path: string
  /** Reads a record again that this file held earlier. null when it cannot be read any more. */
  load(place: Place): unknown
  /** Text of a file beside the transcript that it names, if that lies within the source. null when it does not. */
  beside?(path: string): string | null
  /** Tells whether an envelope that came back is ours; asked whenever a format strips a text. */
  receipts: Receipts
  /** A name as it may be stored: without the secrets it may hold. */
  mask(name: string): string
}

/** Reads records of one file in order. A pure function of the records apart from `context.load`. */
export interface FormatReader {
  read(value: unknown, place: Place): Outcome
  /** Item that stands for a line too long to be read; null when the session is not known yet. */
  stub(place: Place): Draft | null
  /** What the next reader needs to go on: ids, handles, places. Never text. */
  state(): unknown
}

/** Where the next record of a document begins. Sees every line in order, so that it may keep count of fences. */
export interface TextCutter {
  begins(line: string): boolean
  /** What it needs to go on at the next line, without any text; where it has none, a document is read anew as it grows. */
  state?(): unknown
}

/** What a reader of a text document gets. */
export interface TextRecord {
  text: string
  /** false for the document's last record, which may still grow. */
  closed: boolean
}

/** What a reader of one big JSON value gets: an element of the streamed array, or the members beside it. */
export interface JsonRecord {
  part: 'element' | 'members'
  value: unknown
}

/**
 * How a file is cut into records. `lines` grow and are read on from the watermark; `text` and `json` are documents
 * that may be rewritten whole: any change is read from the start, and upserts make it the same journal.
 */
export type Framing =
  | { kind: 'lines' }
  | { kind: 'text'; cutter(saved?: unknown): TextCutter }
  | { kind: 'json'; streamed: readonly string[] }

/** The beginning of a file, for choosing its format by content. */
export interface Head {
  path: string
  /** The first 64 KiB, decoded. */
  text: string
  /** The first records, read as lines of JSON. */
  records: readonly unknown[]
}

/** How a format tells sessions that another one tells better. */
export interface Rendering {
  /** Of two tellings the one of the lower rank counts; an agent's own full record has rank 0. */
  rank: number
  /** Which files of the agent's are such tellings, as a pattern of SQL's LIKE. */
  files: string
}

export interface Format {
  agent: Agent
  /** `lines` when left out. */
  framing?: Framing
  /** Its sessions may also be told by another agent's own files; then each item counts once. */
  rendering?: Rendering
  /** A record that completes items is never held for a later one to look at: its hash is then nobody's. */
  answersOnly?: boolean
  /** How sure this format is that a file's beginning is its own, 0 to 1. */
  recognise(head: Head): number
  /** Reason why a line can be dropped without being parsed; null when it must be looked at. */
  skim?(line: Buffer): string | null
  open(context: FormatContext, saved: unknown): FormatReader
}

export const dropped = (reason: string, facts: SessionFacts | null = null): Outcome => ({
  disposition: { kind: 'dropped', reason },
  facts,
  own: [],
  completes: [],
  revises: [],
})

export const failed = (reason: string): Outcome => ({
  disposition: { kind: 'error', reason },
  facts: null,
  own: [],
  completes: [],
  revises: [],
})
