import type { Agent, Handle, ItemKind } from '../../shared/domain'
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
  cwd?: string
  gitBranch?: string
  project?: string
  title?: string
  /** Native id of the session that started this one. */
  parent?: string
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
  /** What it tells about further sessions: a copied history is held by two. */
  also?: SessionFacts[]
  /** Items this record begins. */
  own: Draft[]
  /** Items of earlier records, complete now because of this one. */
  completes: Draft[]
  /** Items of earlier records whose reading this one merely changes (a closing statement that was none). */
  revises: Draft[]
}

/** What a format may ask of its surroundings. */
export interface FormatContext {
  /** Absolute path of the file, or `stream:<name>`. */
  path: string
  /** Reads a record again that this file held earlier. null when it cannot be read any more. */
  load(place: Place): unknown
  /** The beginning of a text file by its path from this file's folder; null when it is not there. */
  beside?(relative: string): string | null
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

export interface Format {
  agent: Agent
  /** How sure this format is that these first records are its own, 0 to 1. */
  recognise(records: readonly unknown[]): number
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
