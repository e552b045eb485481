import type { Command } from 'commander'
import { AppError } from '../../../shared/errors'
import { AssertedFact, inWords, predicates, type QueryResult } from '../../../shared/logic'
import { plainProblem } from '../../../shared/plain-issue'
import { given, oneOf, parseCount, type Run } from './context'

export function addQueryCommand(program: Command, run: Run): void {
  const query = program
    .command('query')
    .description('ask the journal in Prolog')
    .argument('<goal>', "for example: fact(S, edits, 'src/a.ts', H), item(H, _, _, P, _)")
    .option('--limit <n>', 'how many answers', '100')
    .addHelpText('after', () => `\nWhat can be asked:\n${relations()}\n\n${HINT}`)
  run(query, async ({ call, say }, [goal = '']) => {
    const { limit } = query.opts<{ limit: string }>()
    const value = await call('query.run', { goal, ...given({ limit: parseCount(limit) }) })
    say(`${value.answers.length} answers${value.more ? ', and more' : ''}, ${value.ms} ms`)
    return { value, text: textOf(value) }
  })
}

interface AssertOptions {
  agent: string
  kind?: string
  project?: string
  handle?: string
}

/** What an agent tells Fovea: asked for as asserted(Agent, Subject, Predicate, Object), apart from the journal. */
export function addAssertCommand(program: Command, run: Run): void {
  const kinds = AssertedFact.shape.kind.unwrap()
  const assert = program
    .command('assert')
    .description('tell Fovea a fact in the name of an agent; it stands apart from the journal')
    .argument('<subject>')
    .argument('<predicate>')
    .argument('<object>')
    .requiredOption('--agent <name>')
    .option('--kind <kind>', kinds.options.join(', '))
    .option('--project <name>')
    .option('--handle <handle>', 'the item it rests on')
  run(assert, async ({ call }, [subject = '', predicate = '', object = '']) => {
    const { agent, kind, project, handle } = assert.opts<AssertOptions>()
    const fact = AssertedFact.safeParse({
      agent,
      subject,
      predicate,
      object,
      ...given({ project, handle }),
      ...(kind === undefined ? {} : { kind: oneOf(kinds, kind, 'kind') }),
    })
    if (!fact.success) throw new AppError('bad-input', plainProblem(fact.error))
    const value = await call('facts.assert', fact.data)
    return { value, text: value.renewed ? 'known already; its time is renewed' : 'kept' }
  })
}

function textOf({ variables, answers }: QueryResult): string {
  if (answers.length === 0) return 'no'
  if (variables.length === 0) return 'yes'
  return answers
    .map((answer) => variables.map((name) => `${name} = ${inWords(answer[name] ?? null, '_')}`).join(', '))
    .join('\n')
}

const HINT =
  'A capital letter starts a variable, _ stands for anything. A query only reads; one that takes too long is stopped.'

const relations = (): string => predicates.map(({ head, says }) => `  ${head}\n      ${says}`).join('\n')
