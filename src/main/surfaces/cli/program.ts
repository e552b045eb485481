import { Command, CommanderError } from 'commander'
import { AppError, toErrorData } from '../../../shared/errors'
import type { Answer, CliEngine, CliHost, CommandContext, GlobalOptions, Run } from './context'
import { addGateCommands } from './gate-commands'
import { addIngestCommands } from './ingest-commands'
import { addQueryCommand } from './query-command'
import { addRecallCommands } from './recall-commands'
import { addSourceCommands } from './source-commands'
import { addUpkeepCommands } from './upkeep-commands'

const USAGE = 2
const FAILED = 1

/**
 * Runs one command. Resolves to the exit code: 0 done, 1 failed with a one-line reason on `err`, 2 wrong usage.
 * With `--json` exactly one JSON value goes to `out`.
 */
export async function runCli(argv: readonly string[], host: CliHost): Promise<number> {
  let code = 0
  const program = new Command('fovea')
    .description('Local-first memory and plan review for people who supervise AI agents')
    .version(host.version)
    .option('--home <dir>', 'the data folder')
    .option('--json', 'print one JSON value')
    .exitOverride()
    .configureOutput({ writeOut: host.out, writeErr: host.err })
    .showHelpAfterError('(fovea --help lists the commands)')

  const run: Run = (command, work, options = { watch: false }) => {
    command.option('--home <dir>', 'the data folder').option('--json', 'print one JSON value')
    command.exitOverride().configureOutput({ writeOut: host.out, writeErr: host.err })
    command.action(async (...parameters: unknown[]) => {
      const args = command.args
      void parameters
      const globals = { ...program.opts<GlobalOptions>(), ...command.optsWithGlobals<GlobalOptions>() }
      code = await runOne(host, globals, options.watch, (context) => work(context, args))
    })
  }
  addIngestCommands(program, run)
  addSourceCommands(program, run)
  addRecallCommands(program, run)
  addQueryCommand(program, run)
  addGateCommands(program, run)
  addUpkeepCommands(program, run)
  try {
    await program.parseAsync([...argv], { from: 'user' })
    return code
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USAGE
    throw error
  }
}

async function runOne(
  host: CliHost,
  globals: GlobalOptions,
  watch: boolean,
  work: (context: CommandContext) => Promise<Answer | undefined>,
): Promise<number> {
  let engine: CliEngine | undefined
  try {
    engine = host.openEngine(globals.home, watch)
    const answer = await work({
      call: engine.call.bind(engine),
      on: engine.on.bind(engine),
      stdin: host.stdin,
      say: (line) => host.err(`${line}\n`),
      write: host.out,
    })
    if (answer) host.out(globals.json ? `${JSON.stringify(answer.value)}\n` : withNewline(answer.text))
    return 0
  } catch (error) {
    const data = toErrorData(error)
    host.err(`fovea: ${data.message}\n`)
    if (process.env.FOVEA_DEBUG && error instanceof Error) host.err(`${error.stack ?? ''}\n`)
    if (globals.json) host.out(`${JSON.stringify({ error: { code: data.code, message: data.message } })}\n`)
    return error instanceof AppError && error.code === 'bad-input' ? USAGE : FAILED
  } finally {
    await engine?.close()
  }
}

const withNewline = (text: string): string => (text.endsWith('\n') || text === '' ? text : `${text}\n`)
