import { Command, CommanderError } from 'commander'
import { AppError, toErrorData } from '../../../shared/errors'
import { forTerminal, jsonLine } from '../../../shared/plain-text'
import { addAttentionCommands } from './attention-commands'
import { addCellCommands } from './cell-commands'
import type { Answer, CliEngine, CliHost, CommandContext, EngineUse, GlobalOptions, Run } from './context'
import { addFeedbackCommands } from './feedback-commands'
import { addGateCommands } from './gate-commands'
import { addHookCommands } from './hook-commands'
import { addIngestCommands } from './ingest-commands'
import { addModelCommands } from './model-commands'
import { addPlaneCommands } from './plane-commands'
import { addProjectCommands } from './project-commands'
import { addAssertCommand, addQueryCommand } from './query-command'
import { addRecallCommands } from './recall-commands'
import { addRetentionCommands } from './retention-commands'
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
  // Commander reports wrong usage before any option is parsed; only the words themselves say whether JSON is wanted.
  const wantsJson = argv.includes('--json')
  let complaint = ''
  const output = {
    writeOut: host.out,
    writeErr: (text: string) => {
      complaint ||= text.split('\n')[0] ?? ''
      host.err(text)
    },
  }
  const program = new Command('fovea')
    .description('Local-first memory and plan review for people who supervise AI agents')
    .version(host.version)
    .option('--home <dir>', 'the data folder')
    .option('--json', 'print one JSON value')
    .exitOverride()
    .configureOutput(output)
    .showHelpAfterError('(fovea --help lists the commands)')

  const run: Run = (command, work, options = { watch: false }) => {
    command.option('--home <dir>', 'the data folder').option('--json', 'print one JSON value')
    command.exitOverride().configureOutput(output)
    command.action(async () => {
      const args = command.args
      const globals = { ...program.opts<GlobalOptions>(), ...command.optsWithGlobals<GlobalOptions>() }
      code = await runOne(host, globals, options, (context) => work(context, args))
    })
  }
  addIngestCommands(program, run)
  addSourceCommands(program, run)
  addProjectCommands(program, run)
  addRecallCommands(program, run)
  addPlaneCommands(program, run)
  addFeedbackCommands(program, run)
  addAttentionCommands(program, run)
  addHookCommands(program, run)
  addQueryCommand(program, run)
  addAssertCommand(program, run)
  addCellCommands(program, run)
  addRetentionCommands(program, run)
  addGateCommands(program, run)
  addUpkeepCommands(program, run)
  addModelCommands(program, run)
  try {
    await program.parseAsync([...argv], { from: 'user' })
    return code
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (error.exitCode === 0) return 0
    if (wantsJson) {
      const message = complaint.replace(/^error: /, '') || 'A command is missing; fovea --help lists them.'
      host.out(jsonLine({ error: { code: 'bad-input', message } }))
    }
    return USAGE
  }
}

async function runOne(
  host: CliHost,
  globals: GlobalOptions,
  use: EngineUse,
  work: (context: CommandContext) => Promise<Answer | undefined>,
): Promise<number> {
  let engine: CliEngine | undefined
  try {
    const onTrouble = (sentence: string): void => {
      if (!use.failsSilently) host.err(`fovea: ${forTerminal(sentence)}\n`)
    }
    engine = host.openEngine(globals.home, { ...use, onTrouble })
    const answer = await work({
      call: engine.call.bind(engine),
      on: engine.on.bind(engine),
      stdin: host.stdin,
      say: (line) => host.err(`${forTerminal(line)}\n`),
      write: host.out,
    })
    if (answer) host.out(globals.json ? jsonLine(answer.value) : forTerminal(withNewline(answer.text)))
    return answer?.failed ? FAILED : 0
  } catch (error) {
    const data = toErrorData(error)
    if (use.failsSilently) {
      host.log(globals.home, 'hook', { outcome: 'fault', code: data.code })
      // The hook's own script reads the code; it says nothing either.
      if (globals.json) host.out(jsonLine({ error: { code: data.code, message: data.message } }))
      return 0
    }
    host.err(`fovea: ${forTerminal(data.message)}\n`)
    if (process.env.FOVEA_DEBUG && error instanceof Error) host.err(`${error.stack ?? ''}\n`)
    if (globals.json) host.out(jsonLine({ error: { code: data.code, message: data.message } }))
    return error instanceof AppError && error.code === 'bad-input' ? USAGE : FAILED
  } finally {
    await engine?.close()
  }
}

const withNewline = (text: string): string => (text.endsWith('\n') || text === '' ? text : `${text}\n`)
