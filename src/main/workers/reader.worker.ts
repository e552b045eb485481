import { parentPort, workerData } from 'node:worker_threads'
import { updateArcs } from '../curator'
import { envelopeKey, groupReader, journalContext, turns } from '../journal'
import { openWrite } from '../store'
import { type ReaderData, readerMethods } from './ingest/reader-methods'
import { serve } from './rpc'

// Reads transcripts beside the ingest worker while there is much to read, with a connection of its own.

const port = parentPort
if (!port) throw new Error('reader.worker runs as a worker only')

const CACHE_MB = 8

const { dbPath, config, stop, turn } = workerData as ReaderData
// What it keeps of the database is of no use once the other reader has written.
const db = openWrite(dbPath, CACHE_MB)
// Whoever started it waits for the disk when all is read.
db.waits(false)
const journal = journalContext(db, {
  afterWrite: (handle, sessions) => void updateArcs(handle, sessions),
  turn: turns(turn),
  // The first reader tells what is wrong with it, where something is.
  key: envelopeKey(config, () => undefined),
})
serve(port, readerMethods(port, journal, groupReader(journal), stop))
