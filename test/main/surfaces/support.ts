import { Readable } from 'node:stream'
import { runCli } from '../../../src/main/surfaces/cli/program'

/** One command over an engine that answers as told: what it asked, what it printed, how it ended. */
export async function fovea(
  argv: string[],
  answer: (name: string, input: unknown) => unknown = () => ({}),
  stdin = '',
) {
  const seen: { name: string; input: unknown }[] = []
  const printed = { out: '', err: '' }
  const homes: (string | undefined)[] = []
  const logged: unknown[] = []
  let closed = 0
  const code = await runCli(argv, {
    version: '1.2.3',
    log: (_home, event, fields) => {
      logged.push({ event, ...fields })
    },
    openEngine: (home) => {
      homes.push(home)
      return {
        call: async (name: string, input: unknown) => {
          seen.push({ name, input })
          return answer(name, input) as never
        },
        on: () => () => undefined,
        close: async () => {
          closed++
        },
      }
    },
    stdin: Readable.from([Buffer.from(stdin)]),
    out: (text) => {
      printed.out += text
      return true
    },
    err: (text) => {
      printed.err += text
    },
  })
  return { code, seen, homes, closed, logged, ...printed }
}
