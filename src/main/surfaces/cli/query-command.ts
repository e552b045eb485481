import type { Command } from 'commander'
import type { QueryResult, QueryValue } from '../../../shared/logic'
import { given, parseCount, type Run } from './context'

export function addQueryCommand(program: Command, run: Run): void {
  const query = program
    .command('query')
    .description('ask the journal in Prolog')
    .argument('<goal>', "for example: fact(S, edits, 'src/a.ts', H), item(H, _, _, P, _)")
    .option('--limit <n>', 'how many answers', '100')
  run(query, async ({ call, say }, [goal = '']) => {
    const { limit } = query.opts<{ limit: string }>()
    const value = await call('query.run', { goal, ...given({ limit: parseCount(limit) }) })
    say(`${value.answers.length} answers${value.more ? ', and more' : ''}, ${value.ms} ms`)
    return { value, text: textOf(value) }
  })
}

function textOf({ variables, answers }: QueryResult): string {
  if (answers.length === 0) return 'no'
  if (variables.length === 0) return 'yes'
  return answers
    .map((answer) => variables.map((name) => `${name} = ${shown(answer[name] ?? null)}`).join(', '))
    .join('\n')
}

const shown = (value: QueryValue): string =>
  value === null ? '_' : Array.isArray(value) ? `[${value.map(shown).join(', ')}]` : String(value)
