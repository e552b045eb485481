import { randomBytes } from 'node:crypto'
import { journalSql, receiptSql, type WriteDb } from '../store'
import type { Receipts } from './envelope'
import { type EnvelopeKey, noKey } from './envelope-key'
import { ownZone } from './local-time'
import { makePaths, type Paths } from './paths'
import { makeProjectFinder } from './project'
import { makeRedactor, type Redactor } from './redaction'
import type { Turn } from './turns'

/** Called inside the transaction that wrote items of these sessions; whatever it writes is kept or lost with them. */
export type AfterWrite = (db: WriteDb, sessionIds: readonly string[]) => void

/** What reading and writing need of their surroundings. */
export interface JournalContext {
  db: WriteDb
  clock: () => number
  redact: Redactor
  paths: Paths
  projectOf: (cwd: string) => string | null
  afterWrite: AfterWrite
  receipts: ReceiptBook
  /** Of times that name none. */
  zone: string
  /** Around every transaction that writes a chunk. */
  turn: Turn
  /** Items of one session that are fully indexed. */
  budget: number
}

/** The receipts of this data folder, the key of its owner, and how many were named by envelopes that are none of ours. */
export interface ReceiptBook extends Receipts {
  strangers: number
}

function receiptBook(db: WriteDb, key: EnvelopeKey): ReceiptBook {
  return {
    strangers: 0,
    known: (receipt, chars, mac) =>
      key.signed(receipt, chars, mac) || receiptSql.wasWrapped(db, receipt, chars),
    kept(receipts) {
      this.strangers += receipts
    },
  }
}

export const DEFAULT_BUDGET = 2_000

export interface JournalOptions {
  clock?: () => number
  afterWrite?: AfterWrite
  budget?: number
  turn?: Turn
  projectOf?: (cwd: string) => string | null
  /** What signs the envelopes of all data folders of the person; none when left out. */
  key?: EnvelopeKey
  /** Salt of the secrets' marks for a new database; random when left out. */
  salt?: string
}

const SALT = 'redaction.salt'

/** The salt of secret marks is made once and stays with the database. */
const saltOf = (db: WriteDb, given?: string): string =>
  journalSql.meta(db, SALT) ?? journalSql.metaOnce(db, SALT, given ?? randomBytes(32).toString('hex'))

const ZONE = 'journal.zone'

/** The zone a data folder was first used in stays its own. */
const zoneOf = (db: WriteDb): string => journalSql.meta(db, ZONE) ?? journalSql.metaOnce(db, ZONE, ownZone())

/** The door for texts that do not come from a transcript: notes, questions, names. Same marks as the journal's. */
export const openRedactor = (db: WriteDb): { redact: Redactor; paths: Paths } => {
  const redact = makeRedactor(saltOf(db))
  return { redact, paths: makePaths(redact) }
}

/** Names of sessions pass the door before anything is derived from them; each is looked at once. */
export function maskOf(journal: JournalContext): (name: string) => string {
  const known = new Map<string, string>()
  return (name) => {
    const masked = known.get(name) ?? journal.redact(name.toWellFormed(), 'name').text.slice(0, 300)
    if (known.size < 10_000) known.set(name, masked)
    return masked
  }
}

/** Binds a database to the journal's ports. */
export function journalContext(db: WriteDb, options: JournalOptions = {}): JournalContext {
  const redact = makeRedactor(saltOf(db, options.salt))
  return {
    db,
    clock: options.clock ?? Date.now,
    redact,
    paths: makePaths(redact),
    projectOf: options.projectOf ?? makeProjectFinder(),
    afterWrite: options.afterWrite ?? (() => {}),
    receipts: receiptBook(db, options.key ?? noKey),
    zone: zoneOf(db),
    turn: options.turn ?? ((work) => work()),
    budget: options.budget ?? DEFAULT_BUDGET,
  }
}
