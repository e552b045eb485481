import { AppError } from '../../shared/errors'
import { journalSql, sourcesSql } from '../store'
import { type JournalContext, maskOf } from './context'
import { formatNamed } from './formats'
import type { RunHooks, RunReport } from './ingest'
import { Pump } from './pump'
import { LineFrames } from './reading/frames'
import { memoryLines } from './reading/lines'
import { enrolStream } from './sources/sources'
import { addCounts, noCounts } from './writing/counts'
import { settle } from './writing/settle'
import { writeChunk } from './writing/write-chunk'

/**
 * Generic JSONL handed over as text, under a stream source of its own. Each call is a transcript from its first line
 * on; what was handed over before is known again and changes nothing.
 */
export async function ingestStream(
  journal: JournalContext,
  input: { name: string; text: string; project?: string | undefined },
  hooks: RunHooks,
): Promise<RunReport> {
  const { db, clock } = journal
  const started = clock()
  const source = enrolStream(journal, input.name, input.project ?? null)
  let file = sourcesSql.ensureFile(db, source.id, source.path)
  // The end of a pipe is the end of its last line.
  const bytes = Buffer.from(input.text.endsWith('\n') ? input.text : `${input.text}\n`, 'utf8')
  const strangers = journal.receipts.strangers
  const lines = new LineFrames(memoryLines(bytes), 0)
  const pump = new Pump({
    path: source.path,
    format: formatNamed('generic'),
    state: '{}',
    offset: 0,
    line: 0,
    load: () => null,
    mask: maskOf(journal),
    receipts: journal.receipts,
    zone: journal.zone,
  })
  const sum = { counts: noCounts(), errors: [] as RunReport['errors'], fresh: 0, updated: 0, masked: 0 }
  const items: RunReport['items'] = {}
  const sessions = new Set<string>()
  let cancelled = false
  for (let ended = false; !ended && !cancelled; ) {
    const filled = pump.fill(lines, started)
    const progress = { ...file, format: 'generic', size: bytes.length, mtime_ms: started, state: '{}' }
    const target = {
      file,
      agent: 'generic' as const,
      sourceProject: input.project ?? source.project,
      undatedTs: started,
      progress,
    }
    const result = writeChunk(journal, target, filled.chunk)
    if (!result) throw new AppError('conflict', 'The source of this stream was removed while it was read.')
    file = result.file
    ended = filled.ended
    addCounts(sum.counts, result.counts)
    for (const [kind, n] of Object.entries(result.added)) {
      items[kind as keyof typeof items] = (items[kind as keyof typeof items] ?? 0) + n
      sum.fresh += n
    }
    sum.updated += result.updated
    sum.masked += result.masked
    sum.errors.push(...result.errors.map((error) => ({ file: source.path, ...error })))
    for (const id of result.sessions) sessions.add(id)
    hooks.changed(result.sessions, sum.fresh + sum.updated)
    await new Promise<void>((resolve) => setImmediate(resolve))
    cancelled = hooks.cancelled()
  }
  await settle(journal)
  sourcesSql.setSourceScan(db, source.id, clock())
  return {
    files: 1,
    bytes: bytes.length,
    sessions: sessions.size,
    items,
    new: sum.fresh,
    updated: sum.updated,
    records: sum.counts,
    errors: sum.errors,
    unrecognised: { files: [], total: 0 },
    masked: sum.masked,
    unknownEnvelopes: journal.receipts.strangers - strangers,
    pendingEmbeddings: journalSql.countEmbedQueue(db),
    cancelled,
    ms: clock() - started,
  }
}
