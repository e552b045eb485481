import type { Command } from 'commander'
import { AppError } from '../../../shared/errors'
import { type HookPlace, HookScope } from '../../../shared/hooks'
import { memoryHook } from '../hooks'
import { given, oneOf, type Run } from './context'

const STATES: Record<HookPlace['state'], string> = {
  absent: 'not installed',
  installed: 'installed',
  other: 'a hook of another copy or data folder; install to take its place',
  unreadable: 'cannot be read as settings; it is left alone',
}

/** The hook that gives an agent memory beside its prompts: put into its settings, taken out, answered. */
export function addHookCommands(program: Command, run: Run): void {
  const hooks = program
    .command('hooks')
    .description('memory beside each prompt of Claude Code; off until installed')

  const status = hooks.command('status').description('where it is installed').option('--project-folder <dir>')
  run(status, async ({ call }) => {
    const { projectFolder } = status.opts<{ projectFolder?: string }>()
    const value = await call('hooks.status', given({ folder: projectFolder }))
    return { value, text: value.places.map(placeText).join('\n') }
  })

  for (const [name, call, what] of [
    [
      'install',
      'hooks.install',
      'put the hook into Claude Code’s settings; the rest of the file stays as it is',
    ],
    ['remove', 'hooks.remove', 'take it out again'],
  ] as const) {
    const command = hooks
      .command(name)
      .description(what)
      .option('--scope <scope>', `${HookScope.options.join(' or ')} settings`, 'user')
      .option('--project-folder <dir>', 'the project, where the scope is project; else this folder')
    run(command, async (context) => {
      const { scope, projectFolder } = command.opts<{ scope: string; projectFolder?: string }>()
      const value = await context.call(call, {
        scope: oneOf(HookScope, scope, 'scope'),
        ...given({ folder: projectFolder }),
      })
      return { value, text: placeText(value.place) }
    })
  }

  const hook = program
    .command('hook')
    .description('answer one call of an agent’s hook: its payload comes on stdin')
    .argument('<agent>', 'claude-code')
  const answer: Parameters<Run>[1] = async ({ call, stdin }, [agent]) => {
    if (agent !== 'claude-code') throw new AppError('bad-input', `There is no hook for "${agent}".`)
    const chunks: Buffer[] = []
    for await (const chunk of stdin) chunks.push(Buffer.from(chunk as Uint8Array))
    const value = await memoryHook(Buffer.concat(chunks).toString('utf8'), call)
    return { value, text: value.output }
  }
  run(hook, answer, { watch: false, answersOnly: true, failsSilently: true })
}

const placeText = ({ scope, file, state }: HookPlace): string => `${scope}  ${STATES[state]}  ${file}`
