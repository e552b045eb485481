import { execFile, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { beforeAll, expect, test } from 'vitest'
import { packedTexts } from '../packed'
import { temporaryFolder } from '../support'
import { type Canary, canaries, KINDS, writings } from './canaries'
import { FORMATS, generic, plant } from './planted'

// Secrets go in by every door there is; afterwards none of them is in any file that Fovea wrote.

const cli = resolve(import.meta.dirname, '../../out/main/cli.js')
/** The short form has one secret of each kind, the long one several, and as many rounds of them as it is told. */
const SEEDS = process.env.FOVEA_SOAK ? ['a', 'b', 'c', 'd'] : ['a']
const ROUNDS = Number(process.env.FOVEA_SOAK) || 1
const CEILINGS = ['L0', 'L1', 'L2', 'L3']

beforeAll(() => {
  if (!existsSync(cli)) throw new Error('out/main/cli.js is missing: npm run build')
})

interface Ran {
  code: number
  out: string
  err: string
}

/** Folders of a machine of its own, and what is run there. */
function machine() {
  const root = temporaryFolder()
  const places = Object.fromEntries(
    ['home', 'tmp', 'cache', 'data', 'user', 'given', 'out'].map((name) => [name, join(root, name)]),
  ) as Record<'home' | 'tmp' | 'cache' | 'data' | 'user' | 'given' | 'out', string>
  for (const folder of Object.values(places)) mkdirSync(folder)
  const env = {
    ...process.env,
    TMPDIR: places.tmp,
    XDG_CACHE_HOME: places.cache,
    XDG_DATA_HOME: places.data,
    HOME: places.user,
  }
  const whole = (argv: readonly string[]): string[] => [...argv, '--home', places.home, '--json']
  /** A process of its own. */
  const alone = (argv: readonly string[], stdin = ''): Promise<Ran> =>
    new Promise((done) => {
      const options = { maxBuffer: 512 * 1024 * 1024, env }
      const child = execFile(process.execPath, [cli, ...whole(argv)], options, (error, out, err) =>
        done({ code: error ? Number(error.code ?? 1) : 0, out, err }),
      )
      child.stdin?.end(stdin)
    })
  const shared = process.env.FOVEA_SOAK ? undefined : oneEngine(env)
  const run = (argv: readonly string[]): Promise<Ran> => shared?.run(whole(argv)) ?? alone(argv)
  const json = async (argv: readonly string[], stdin?: string) => {
    const ran = stdin === undefined ? await run(argv) : await alone(argv, stdin)
    expect(ran.code, `${argv[0]}: ${ran.err.slice(0, 400)}`).toBe(0)
    return JSON.parse(ran.out)
  }
  return { places, run, json, close: async () => shared?.close() }
}

/** Commands one after the other in one process, which loads the model once; the long form starts one for each. */
function oneEngine(env: NodeJS.ProcessEnv) {
  const script = resolve(import.meta.dirname, 'one-engine.mjs')
  const child = spawn(process.execPath, [script], { env, stdio: ['pipe', 'pipe', 'inherit'] })
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const ended = new Promise<number | null>((done) => child.on('exit', done))
  return {
    run: async (argv: readonly string[]): Promise<Ran> => {
      child.stdin.write(`${JSON.stringify(argv)}\n`)
      const answer = await answers.next()
      if (answer.done) throw new Error(`the process ended during ${argv[0]}`)
      return JSON.parse(answer.value) as Ran
    },
    close: async () => {
      child.stdin.end()
      expect(await ended).toBe(0)
    },
  }
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

/** Where a secret was found: its kind, and the file's name. One pass: the first three bytes say what may stand there. */
function leaks(files: readonly [name: string, bytes: Buffer][], planted: readonly Canary[]): string[] {
  const needles = new Map<number, { form: Buffer; canary: Canary }[]>()
  const begins = new Uint8Array(1 << 24)
  for (const canary of planted) {
    for (const form of writings(canary)) {
      const key = form.readUIntBE(0, 3)
      begins[key] = 1
      needles.set(key, [...(needles.get(key) ?? []), { form, canary }])
    }
  }
  const found = new Set<string>()
  for (const [name, bytes] of files) {
    for (let at = 0, key = 0; at < bytes.length; at++) {
      key = ((key << 8) | (bytes[at] ?? 0)) & 0xffffff
      if (begins[key] !== 1) continue
      for (const { form, canary } of needles.get(key) ?? [])
        if (
          at - 2 + form.length <= bytes.length &&
          bytes.compare(form, 0, form.length, at - 2, at - 2 + form.length) === 0
        )
          found.add(`${canary.kind} in ${name}: ${canary.text.slice(0, 80)}`)
    }
  }
  return [...found]
}

/** What the database keeps compressed, and every name of a file. */
function unpacked(home: string): Buffer {
  return Buffer.from(packedTexts(join(home, 'fovea.db')))
}

test('there are 40 kinds of secrets and more, and 200 of them', () => {
  expect(new Set(KINDS).size).toBeGreaterThanOrEqual(60)
  const all = canaries(['a', 'b', 'c', 'd'])
  expect(all.length).toBeGreaterThanOrEqual(200)
  expect(new Set(all.map(({ secret }) => secret)).size).toBe(all.length)
})

test('a secret is found in each writing of it', () => {
  const [canary] = canaries(['a'])
  if (!canary) throw new Error('no canary')
  const ways = [
    (text: string) => text,
    (text: string) => Buffer.from(`x${text}`).toString('base64'),
    (text: string) => Buffer.from(`xy${text}z`).toString('base64'),
    (text: string) => Buffer.from(text).toString('hex'),
    (text: string) => encodeURIComponent(text),
    (text: string) => JSON.stringify({ text }),
  ]
  for (const way of ways) expect(leaks([['f', Buffer.from(way(canary.text))]], [canary])).toHaveLength(1)
})

const planted = canaries(SEEDS)
const texts = planted.map(({ text }) => text)

function pick(kind: string): Canary {
  const found = planted.find((canary) => canary.kind === kind)
  if (!found) throw new Error(`no canary of kind ${kind}`)
  return found
}

test('no secret that went in by any door is in any file Fovea wrote', async () => {
  const { places, run, json, close } = machine()
  const give = (path: string, content: string): string => {
    const file = join(places.given, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
    return file
  }
  const outputs: [string, Buffer][] = []
  const tell = async (name: string, argv: readonly string[]): Promise<void> => {
    outputs.push([name, Buffer.from((await run(argv)).out)])
  }

  // Transcripts, in each format, and a pipe.
  for (const [at, make] of Object.values(FORMATS).entries())
    for (const { path, content } of plant(make, texts, at * 7, ROUNDS))
      give(join('transcripts', path), content)
  const report = await json(['ingest', join(places.given, 'transcripts'), '--no-embed'])
  expect(report.masked).toBeGreaterThan(texts.length * Object.keys(FORMATS).length * 0.6)
  const piped = plant(generic, texts, 3).map(({ content }) => content)
  await json(['ingest', '-', '--no-embed', '--project', pick('github-pat').text], piped.join(''))

  // What a person asks, in words of every kind at once.
  const words = [...new Map(planted.map((canary) => [canary.kind, canary])).values()].map(({ text }) => text)
  const asked = words.join('\n')
  for (const command of [
    ['search', asked],
    ['nearest', asked],
    ['last-try', asked],
  ])
    await json(command)
  const { receipt } = await json(['hydrate', '--goal', asked, '--project', pick('npm-token').text])
  await json(['query', `fact(A, B, C, "${pick('jwt').secret}")`])

  // What a person writes at a gate.
  const plan = give(`gate/${pick('gitlab-token').secret}.md`, `# Plan\n\n${asked}\n`)
  const upstream = give(`gate/${pick('stripe-key').secret}.txt`, asked)
  const gate = await json([
    'gate',
    'add',
    plan,
    '--upstream',
    upstream,
    '--question',
    asked,
    '--project',
    pick('groq-key').text,
  ])
  await json(['gate', 'predict', gate.id])
  await json(['gate', 'decide', gate.id, '--action', 'correct', '--notes', asked])
  const next = await json(['gate', 'add', plan, '--lineage', gate.lineage])
  await json(['gate', 'predict', next.id])
  await json(['gate', 'import'])
  await json(['curate'])

  // What leaves.
  for (const ceiling of CEILINGS)
    await json(['export', '--out', join(places.out, `${ceiling}.jsonl`), '--ceiling', ceiling])
  await json(['backup', '--out', join(places.out, 'backup.db')])
  await tell('dump', ['dump'])
  await tell('gate', ['gate', 'show', gate.id])
  await tell('receipt', ['receipt', receipt.id])
  await tell('source', ['source', 'list'])
  // Nothing is hidden in what a process still holds.
  await close()
  outputs.push(['text', unpacked(places.home)])
  for (const folder of ['home', 'tmp', 'cache', 'data', 'user', 'out'] as const)
    for (const file of filesIn(places[folder]))
      outputs.push([file.slice(places.home.length - 4), readFileSync(file)])
  expect(outputs.length).toBeGreaterThan(10)
  expect(leaks(outputs, planted)).toEqual([])
}, 900_000)
