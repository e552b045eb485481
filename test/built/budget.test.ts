import { execFile } from 'node:child_process'
import { appendFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { temporaryFolder } from '../support'
import { answers, chainOf, results, says, uses } from './fixtures'

// A session with more items than its budget of 2,000, as the command line reads it.

const cli = resolve(import.meta.dirname, '../../out/main/cli.js')
const TURNS = 800
/** What the budget leaves to each of the kinds that occur here. */
const KEPT = { goal: 200, conclusion: 240, command: 360 }

beforeAll(() => {
  if (!existsSync(cli)) throw new Error('out/main/cli.js is missing: npm run build')
})

const fovea = (home: string, ...argv: string[]): Promise<string> =>
  new Promise((done, failed) => {
    const options = { maxBuffer: 256 * 1024 * 1024 }
    execFile(process.execPath, [cli, ...argv, '--home', home], options, (error, out, err) =>
      error ? failed(new Error(`${argv[0]}: ${err}`)) : done(out),
    )
  })

interface Dumped {
  handle: string
  kind: keyof typeof KEPT
  position: number
  text: string
  indexed: boolean
  pointer: { line: number; byteLength: number }
}
const dump = async (home: string): Promise<{ raw: string; items: Dumped[] }> => {
  const raw = await fovea(home, 'dump')
  const items = raw
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Dumped)
  return { raw, items: items.sort((a, b) => a.position - b.position) }
}
const found = async (home: string, words: string): Promise<string[]> => {
  const { hits } = JSON.parse(await fovea(home, 'search', words, '--json')) as { hits: { handle: string }[] }
  return hits.map(({ handle }) => handle)
}

const chain = chainOf('long')
/** Words that only one turn has. */
const turn = (n: number): string =>
  `${[
    says(chain, `please mend the quokka${n} export`),
    uses(chain, `t${n}`, 'Bash', { command: `make wombat${n}`, description: 'build' }),
    results(chain, `t${n}`, `built, numbat${n} lines`),
    answers(chain, `The bilby${n} export is mended.`),
  ].join('\n')}\n`

test('of a session over its budget each kind keeps its share, the most recent first, and nothing else is lost', async () => {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'claude'))
  const file = join(folder, 'claude', 'long.jsonl')
  const text = Array.from({ length: TURNS }, (_, n) => turn(n)).join('')
  const late = turn(TURNS)
  const [whole, pieces] = [join(folder, 'whole'), join(folder, 'pieces')]

  writeFileSync(file, text)
  await fovea(whole, 'ingest', join(folder, 'claude'), '--no-embed', '--json')
  const first = await dump(whole)
  expect(first.items).toHaveLength(3 * TURNS)
  for (const [kind, keep] of Object.entries(KEPT)) {
    const all = first.items.filter((item) => item.kind === kind)
    expect(all).toHaveLength(TURNS)
    expect(all.map(({ indexed }) => indexed)).toEqual(all.map((_, at) => at >= TURNS - keep))
  }
  // The verbatim text and the way back to it stay, of the first item as of the last.
  for (const { text: words, pointer } of first.items) {
    expect(words).toMatch(/quokka|wombat|bilby/)
    expect(pointer.byteLength).toBeGreaterThan(100)
  }
  const of = (kind: string, n: number): string | undefined =>
    first.items.filter((item) => item.kind === kind)[n]?.handle
  expect(await found(whole, 'quokka799')).toContain(of('goal', 799))
  expect(await found(whole, 'bilby560')).toContain(of('conclusion', 560))
  expect(await found(whole, 'quokka599')).not.toContain(of('goal', 599))
  expect(await found(whole, 'bilby559')).not.toContain(of('conclusion', 559))
  // The skeleton of a command is its line: it is found by that, and no more by what it printed.
  expect(await found(whole, 'wombat3')).toContain(of('command', 3))
  expect(await found(whole, 'numbat3')).not.toContain(of('command', 3))

  appendFileSync(file, late)
  await fovea(whole, 'ingest', join(folder, 'claude'), '--no-embed', '--json')
  const after = await dump(whole)
  for (const [kind, keep] of Object.entries(KEPT)) {
    const all = after.items.filter((item) => item.kind === kind)
    expect(all.map(({ indexed }) => indexed)).toEqual(all.map((_, at) => at >= TURNS + 1 - keep))
  }
  expect(await found(whole, 'quokka800')).toContain(
    after.items.findLast(({ kind }) => kind === 'goal')?.handle,
  )
  expect(await found(whole, 'quokka600')).not.toContain(of('goal', 600))

  // In pieces cut anywhere, by another reader: the same journal, to the byte.
  const bytes = Buffer.from(text + late)
  for (const to of [0.37, 0.81, 1]) {
    writeFileSync(file, bytes.subarray(0, Math.floor(bytes.length * to)))
    await fovea(pieces, 'ingest', join(folder, 'claude'), '--no-embed', '--json')
  }
  expect((await dump(pieces)).raw).toBe(after.raw)
}, 300_000)
