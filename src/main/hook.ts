import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { placesFor } from './home'
import { fileLog, type LogFields } from './log'

// What an agent runs as its hook. It lets the command line answer in a process of its own and never stands in the
// agent's way: whatever goes wrong or takes too long, it ends in time with exit code 0 and nothing said, and the log
// tells why.

const started = performance.now()
/** An agent waits for its hooks, so memory that takes longer is not worth it. */
const DEADLINE_MS = 5_000
const MOST_BYTES = 64_000_000

const { values, positionals } = parseArgs({
  strict: false,
  allowPositionals: true,
  options: { home: { type: 'string' }, deadline: { type: 'string' } },
})
const deadline = Number(values.deadline) > 0 ? Number(values.deadline) : DEADLINE_MS
const places = placesFor(typeof values.home === 'string' ? values.home : undefined, process.env)
// Without a memory there is nothing to tell, and a log would be the beginning of one.
const isThere = existsSync(places.db)

let child: ChildProcess | undefined
let over = false

/** Ends, once: with what there is to tell, or with nothing. Who has answered may put its things away by itself. */
function end(outcome: LogFields, output = '', answered = false): void {
  if (over) return
  over = true
  if (!answered) child?.kill('SIGKILL')
  if (isThere) fileLog(places.log)('hook', { ...outcome, ms: Math.round(performance.now() - started) })
  process.exitCode = 0
  process.stdout.write(output, () => process.exit(0))
}

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
  process.on(signal, () => end({ outcome: signal }))
process.stdout.on('error', () => process.exit(0))
process.on('uncaughtException', (error) => end({ outcome: 'fault', code: error.name }))

if (!isThere) end({ outcome: 'no-memory' })
else {
  setTimeout(() => end({ outcome: 'too-late' }), deadline)
  answer()
}

function answer(): void {
  const cli = join(import.meta.dirname, 'cli.js')
  // The first word only marks the command in the agent's settings.
  const agent = positionals[1] ?? ''
  child = spawn(process.execPath, [cli, 'hook', agent, '--json', '--home', places.home], {
    stdio: ['pipe', 'pipe', 'ignore'],
    windowsHide: true,
  })
  child.on('error', () => end({ outcome: 'fault', code: 'spawn' }))
  // It may end before it has read everything; what it said then counts.
  child.stdin?.on('error', () => undefined)
  let bytes = 0
  process.stdin.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > MOST_BYTES) end({ outcome: 'payload-too-large' })
    else child?.stdin?.write(chunk)
  })
  process.stdin.on('end', () => child?.stdin?.end())
  process.stdin.on('error', () => end({ outcome: 'fault', code: 'stdin' }))
  let said = ''
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    said += chunk
    // One value on one line: with the line's end it is whole.
    if (said.endsWith('\n')) finish(said)
  })
  child.on('close', () => finish(said))
}

function finish(text: string): void {
  try {
    const told = JSON.parse(text) as {
      event?: unknown
      outcome?: unknown
      output?: unknown
      error?: { code?: unknown }
    }
    if (told.error) end({ outcome: 'fault', code: String(told.error.code) }, '', true)
    else {
      const output = typeof told.output === 'string' ? told.output : ''
      end({ on: String(told.event), outcome: String(told.outcome) }, output, true)
    }
  } catch {
    end({ outcome: 'fault', code: 'no-answer' })
  }
}
