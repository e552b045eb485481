import { createReadStream, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Command } from 'commander'
import { Agent } from '../../../shared/domain'
import { AppError } from '../../../shared/errors'
import type { IndexStatus, IngestProgress, IngestReport } from '../../../shared/journal'
import { type Answer, type CommandContext, given, type Run } from './context'
import { atLine, plural } from './words'

/** A pipe is handed over whole; what is larger belongs in a file, which is read piece by piece. */
const STDIN_LIMIT = 256 * 1024 * 1024

interface IngestOptions {
  format?: string
  project?: string
  embed: boolean
  perFile?: boolean
}

export function addIngestCommands(program: Command, run: Run): void {
  const ingest = program
    .command('ingest')
    .description('read transcripts into the journal; "-" reads generic JSONL from a pipe')
    .argument('<path...>')
    .option('--format <name>', 'read as this format instead of looking at the content')
    .option('--project <name>', 'file everything under this project')
    .option('--no-embed', 'leave the embeddings for later')
    .option('--per-file', 'add the counts of each file')
  run(ingest, async (context, paths) => {
    const options = ingest.opts<IngestOptions>()
    const began = Date.now()
    const report =
      paths[0] === '-' ? await fromPipe(context, options) : await fromPaths(context, paths, options)
    return {
      value: report,
      text: ingestText(report, Date.now() - began - report.ms),
      failed: report.cancelled,
    }
  })

  const watch = program.command('watch').description('keep reading enrolled sources until interrupted')
  run(
    watch,
    async (context) => {
      context.on((event, payload) => {
        if (event === 'journal.changed')
          context.say(`${plural((payload as { items: number }).items, 'item')} new or changed`)
      })
      const { sources } = await context.call('sources.list', {})
      context.say(`watching ${plural(sources.length, 'source')}; Ctrl-C ends`)
      await new Promise<void>((done) => {
        process.once('SIGINT', done)
        process.once('SIGTERM', done)
      })
      return undefined
    },
    { watch: true },
  )

  const dump = program
    .command('dump')
    .description('the journal in canonical order, one JSON line an item')
    .option('--out <file>', 'write to a file and print its hash')
  run(dump, (context) => dumpJournal(context, dump.opts<{ out?: string }>().out))
}

async function fromPaths(
  context: CommandContext,
  paths: readonly string[],
  options: IngestOptions,
): Promise<IngestReport> {
  let shown = 0
  const stop = context.on((event, payload) => {
    const quiet = event === 'index.progress' ? 20_000 : 1_000
    if ((event !== 'ingest.progress' && event !== 'index.progress') || Date.now() - shown < quiet) return
    shown = Date.now()
    if (event === 'index.progress') {
      const { pending } = payload as IndexStatus
      if (pending > 0) context.say(`${pending} items wait for their vectors; Ctrl-C leaves them for later`)
      return
    }
    const at = payload as IngestProgress
    context.say(
      `${at.filesDone}/${at.filesTotal} files, ${megabytes(at.bytesDone)} of ${megabytes(at.bytesTotal)}, ${plural(at.items, 'item')}`,
    )
  })
  const interrupt = (): void => void context.call('ingest.cancel', {})
  process.once('SIGINT', interrupt)
  try {
    return await context.call('ingest.run', {
      paths: paths.map(wholePath),
      ...given({
        format: options.format === undefined ? undefined : agentNamed(options.format),
        project: options.project,
      }),
      embed: options.embed,
      perFile: options.perFile ?? false,
    })
  } finally {
    process.off('SIGINT', interrupt)
    stop()
  }
}

/** An empty argument, as of an unset variable, must not become the current folder. */
function wholePath(path: string): string {
  if (path.trim() === '') throw new AppError('bad-input', 'A path is empty.')
  return resolve(path)
}

async function fromPipe(context: CommandContext, options: IngestOptions): Promise<IngestReport> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of context.stdin) {
    bytes += (chunk as Buffer).length
    if (bytes > STDIN_LIMIT)
      throw new AppError(
        'bad-input',
        'More than 256 MB came through the pipe; put it in a file and ingest that.',
      )
    chunks.push(chunk as Buffer)
  }
  return context.call('ingest.stream', {
    text: Buffer.concat(chunks).toString('utf8'),
    ...given({ project: options.project }),
    embed: options.embed,
  })
}

function agentNamed(name: string): Agent {
  const parsed = Agent.safeParse(name)
  if (!parsed.success)
    throw new AppError(
      'bad-input',
      `There is no format "${name}"; the formats are ${Agent.options.join(', ')}.`,
    )
  return parsed.data
}

async function dumpJournal(context: CommandContext, out: string | undefined): Promise<Answer | undefined> {
  if (out !== undefined) {
    const written = await context.call('journal.dump', { out: resolve(out) })
    return {
      value: written,
      text: `${plural(written.items, 'item')} in ${written.file}, sha256 ${written.sha256}`,
    }
  }
  const folder = mkdtempSync(join(tmpdir(), 'fovea-dump-'))
  try {
    const { file } = await context.call('journal.dump', { out: join(folder, 'journal.jsonl') })
    for await (const chunk of createReadStream(file, 'utf8')) {
      if (!context.write(chunk as string)) break
    }
    return undefined
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Of a folder only what may be a transcript by its name is opened: it may be anybody's folder of anything. */
const NOTHING_NAMED_SO =
  'No file there is named like a transcript (.jsonl, .ndjson, .jsonl.zst, .json, .md, an agent’s database). A file that is named itself is read whatever it is called.'

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`

/** @param indexing how long vectors and summaries took behind the reading, in milliseconds */
function ingestText(report: IngestReport, indexing: number): string {
  const { records } = report
  const dropped = Object.entries(records.dropped)
    .sort((a, b) => b[1] - a[1])
    .map(([reason, n]) => `${n} ${reason}`)
  const lines = [
    `${plural(report.files, 'file')}, ${megabytes(report.bytes)}, ${plural(report.sessions, 'session')} in ${(report.ms / 1000).toFixed(1)} s`,
    `${plural(report.new, 'item')} new, ${report.updated} changed, ${plural(report.masked, 'secret')} masked`,
    `${records.read} records: ${records.used} used, ${records.attached} attached, ${records.duplicates} repeated, ${records.errors} unreadable`,
  ]
  if (dropped.length > 0) lines.push(`left out: ${dropped.join(', ')}`)
  const { files, total } = report.unrecognised
  if (total > 0) {
    const more = total > files.length ? ` and ${total - files.length} more` : ''
    lines.push(`no transcripts that Fovea knows: ${files.join(', ')}${more}`)
  }
  if (report.files === 0 && total === 0 && report.errors.length === 0) lines.push(NOTHING_NAMED_SO)
  if (report.embeddings.path === 'semantic')
    lines.push(`vectors and summaries in ${(indexing / 1000).toFixed(1)} s more`)
  for (const error of report.errors.slice(0, 20))
    lines.push(`  ${atLine(error.file, error.line)} ${error.reason}`)
  for (const { file, format, records: of } of report.perFile ?? []) {
    const left = Object.values(of.dropped).reduce((sum, n) => sum + n, 0)
    const parts = [
      `${of.read} records`,
      `${of.used} used`,
      `${of.attached} attached`,
      `${left} left out`,
      `${of.duplicates} repeated`,
      `${of.errors} unreadable`,
    ]
    lines.push(`${file} (${format ?? 'no format'}): ${parts.join(', ')}`)
  }
  if (report.errors.length > 20) lines.push(`  and ${report.errors.length - 20} more`)
  if (report.embeddings.reason) lines.push(`no vectors: ${report.embeddings.reason}`)
  if (report.cancelled) lines.push('interrupted; what was read is kept, the next run goes on from there')
  return lines.join('\n')
}
