import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../support'

// Two data folders of one person, through the command line as built.

const cli = resolve(import.meta.dirname, '../../out/main/cli.js')

function fovea(
  argv: string[],
  config: string,
  stdin = '',
): Promise<{ code: number; out: string; err: string }> {
  return new Promise((done) => {
    const env = { ...process.env, FOVEA_CONFIG: config }
    const child = execFile(process.execPath, [cli, ...argv], { env }, (error, out, err) =>
      done({ code: error ? Number(error.code) : 0, out, err }),
    )
    child.stdin?.end(stdin)
  })
}

const spoken = (session: string, text: string): string =>
  `${JSON.stringify({ id: `${session}-1`, session, ts: '2026-03-03T09:00:00Z', role: 'user', text })}\n`

test('what one data folder gave to an agent is no memory of the other; a broken key is told and stops nothing', async () => {
  const config = join(temporaryFolder(), 'fovea')
  const [a, b, c] = [temporaryFolder(), temporaryFolder(), temporaryFolder()]
  const ingest = async (home: string, session: string, text: string) =>
    JSON.parse(
      (await fovea(['ingest', '-', '--json', '--no-embed', '--home', home], config, spoken(session, text)))
        .out,
    )
  const hydrate = (home: string) =>
    fovea(['hydrate', '--goal', 'zebrafinch exports', '--budget', '400', '--json', '--home', home], config)

  expect(await ingest(a, 'S', 'The zebrafinch exports are named after the day')).toMatchObject({ new: 1 })
  const { frame } = JSON.parse((await hydrate(a)).out)
  expect(frame).toContain('zebrafinch exports are named')
  const heard = await ingest(b, 'T', `${frame}\n\nPlease rename the reports too`)
  expect(heard).toMatchObject({ new: 1, unknownEnvelopes: 0 })
  expect((await fovea(['dump', '--home', b], config)).out).not.toContain('zebrafinch')
  expect((await fovea(['dump', '--home', b], config)).out).toContain('rename the reports')

  writeFileSync(join(config, 'envelope.key'), 'nonsense')
  const told = await hydrate(a)
  expect(told.code).toBe(0)
  expect(JSON.parse(told.out).frame).toContain('zebrafinch exports are named')
  expect(told.err.split('\n').filter((line) => line.includes('is not a key that Fovea made'))).toHaveLength(1)
  // As it was before there were keys: the data folder that made it knows it, and another keeps it as text.
  const later = JSON.parse(told.out).frame
  expect(await ingest(a, 'U', `${later}\n\nPlease rename the invoices`)).toMatchObject({
    unknownEnvelopes: 0,
  })
  expect(await ingest(c, 'V', `${later}\n\nPlease rename the bills`)).toMatchObject({ unknownEnvelopes: 1 })
}, 120_000)
