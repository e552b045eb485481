import { readFile, stat } from 'node:fs/promises'
import type { Command } from 'commander'
import { AppError } from '../../../shared/errors'
import type { Plane } from '../../../shared/recall'
import type { Run } from './context'

/** A plane is some two thousand characters; what is longer than this is another file. */
const MAX_BYTES = 1_000_000

/** Hydration policies from the command line: seen, written to a file, read back from one, removed. */
export function addPlaneCommands(program: Command, run: Run): void {
  const plane = program.command('plane').description('the policies a frame can be made by')

  const list = plane.command('list').description('the planes there are')
  run(list, async ({ call }) => {
    const value = await call('planes.list', {})
    return { value, text: value.planes.map(lineOf).join('\n') }
  })

  const show = plane.command('show').description('one plane as JSON, to change and save').argument('<name>')
  run(show, async ({ call }, [name = '']) => {
    const value = named((await call('planes.list', {})).planes, name)
    return { value, text: JSON.stringify(value.policy, null, 2) }
  })

  const save = plane
    .command('save')
    .description(
      'check and keep the plane in a file of JSON; one named as a shipped plane stands in its place',
    )
    .argument('<file>', 'or - for stdin')
  run(save, async ({ call, stdin }, [file = '']) => {
    const policy = policyIn(file === '-' ? await streamed(stdin) : await fileText(file), file)
    const value = await call('planes.save', { policy })
    return { value, text: `Saved. ${lineOf(value.plane)}` }
  })

  const remove = plane
    .command('remove')
    .description('forget a plane of yours; where it stood in place of a shipped one, that is back')
    .argument('<name>')
  run(remove, async ({ call }, [name = '']) => {
    const value = await call('planes.remove', { name })
    const back = value.planes.some((one) => one.name === name)
    return { value, text: back ? `Removed; the shipped plane "${name}" is back.` : `Removed "${name}".` }
  })
}

const lineOf = ({ name, description, budget, shipped }: Plane): string =>
  `${name}${shipped ? '' : ' (yours)'}  ${budget} tokens  ${description}`

function named(planes: readonly Plane[], name: string): Plane {
  const found = planes.find((plane) => plane.name === name)
  if (found) return found
  const known = planes.map((plane) => plane.name).join(', ')
  throw new AppError('not-found', `There is no plane "${name.slice(0, 60)}". Known planes: ${known}.`)
}

async function fileText(file: string): Promise<string> {
  const found = await stat(file).catch(() => null)
  if (!found?.isFile()) throw new AppError('not-found', `There is no file ${file}.`)
  if (found.size > MAX_BYTES) throw tooLong(file)
  return readFile(file, 'utf8')
}

async function streamed(stdin: AsyncIterable<unknown>): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of stdin) {
    const part = Buffer.from(chunk as Uint8Array)
    bytes += part.length
    if (bytes > MAX_BYTES) throw tooLong('stdin')
    chunks.push(part)
  }
  return Buffer.concat(chunks).toString('utf8')
}

const tooLong = (file: string): AppError =>
  new AppError('bad-input', `${file} is longer than a plane can be (1 MB).`)

const EXPECTED = 'a plane is one JSON object, { "name": …, "segments": [ … ] }'

function policyIn(text: string, file: string): Record<string, unknown> {
  const name = file === '-' ? 'stdin' : file
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    // The parser's own words quote the file, which may be any file.
    throw new AppError('bad-input', `${name} is not JSON; ${EXPECTED}.`)
  }
  if (value !== null && typeof value === 'object' && !Array.isArray(value))
    return value as Record<string, unknown>
  throw new AppError('bad-input', `${name}: ${EXPECTED}.`)
}
