import { spawn } from 'node:child_process'
import { readdirSync, readFileSync, renameSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'
import { checkIntegrity, migrate, openWrite, type WriteDb } from '../../../src/main/store'
import { temporaryFolder } from '../../support'
import { builtChild } from './built-child'
import { append, brokenInvariants, contextOf, ingest, put, scribe } from './transcripts'

// Everything that happens to a folder of transcripts over months, in a few minutes: agents append whole records and
// halves of them, break lines, begin files anew, put others in their place; two processes read at the same time and are
// killed at random.

const ROUNDS = Number(process.env.FOVEA_SOAK ?? 1)
const STEPS = 24
const FILES = 6

/** Repeatable chance: the same round does the same. */
function chance(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return Math.floor((state / 0x80000000) * below)
  }
}

class World {
  readonly said: string[] = []
  readonly canaries: string[] = []
  broken = 0
  private n = 0
  private readonly rest = new Map<number, string>()
  private readonly session = new Map<number, number>()

  constructor(
    readonly root: string,
    private readonly round: number,
    private readonly draw: (below: number) => number,
  ) {}

  step(): void {
    const file = this.draw(FILES)
    const what = this.draw(10)
    if (what < 5) this.write(file, this.turn(file))
    else if (what < 7) this.half(file)
    else if (what < 8) this.breakLine(file)
    else if (what < 9) this.rotate(file)
    else this.replace(file)
  }

  /** What is still half written is finished. */
  finish(): void {
    for (let file = 0; file < FILES; file++) this.write(file, '')
  }

  private path = (file: number): string => join(this.root, `p${file % 2}`, `live-${file}.jsonl`)

  private write(file: number, text: string): void {
    const whole = `${this.rest.get(file) ?? ''}${text}`
    this.rest.delete(file)
    if (whole === '') return
    put(join(this.root, `p${file % 2}`, '.keep'), '')
    append(this.path(file), whole)
  }

  private half(file: number): void {
    const text = this.turn(file)
    const at = 1 + this.draw(text.length - 1)
    this.write(file, text.slice(0, at))
    this.rest.set(file, text.slice(at))
  }

  private breakLine(file: number): void {
    this.write(file, `{"type":"user","uuid":"cut-${++this.n}","message":{"content":"cut of\n`)
    this.broken++
  }

  /** The file is put away under another name, and a new session begins under its own. */
  private rotate(file: number): void {
    this.write(file, this.turn(file))
    renameSync(this.path(file), join(this.root, `p${file % 2}`, `old-${file}-${++this.n}.jsonl`))
    this.session.set(file, this.n)
  }

  /** As an editor saves: a longer version of it takes its place. */
  private replace(file: number): void {
    this.write(file, this.turn(file))
    const next = `${this.path(file)}.tmp`
    put(next, `${readFileSync(this.path(file), 'utf8')}${this.turn(file)}`)
    renameSync(next, this.path(file))
  }

  private turn(file: number): string {
    const n = ++this.n
    const id = `E${this.round}-${file}-${this.session.get(file) ?? 0}-${n}`
    const s = scribe(id, { start: Date.parse('2026-03-03T09:00:00Z') + n * 60_000 })
    const canary = `ghp_${n.toString(36).padStart(4, 'q')}R7xKq2Vd9LmZt4WbN8sYc3HfJ6uGa1Pe`.slice(0, 40)
    const sentence = `Look into matter ${n} of round ${this.round}`
    s.user(sentence)
    s.call(`${id}-c`, 'Bash', { command: `curl -H "Authorization: token ${canary}" api` })
    s.result(`${id}-c`, `Exit code 1\nthe token ${canary} is refused`, { isError: true })
    this.said.push(sentence)
    this.canaries.push(canary)
    return s.text()
  }
}

/** Two processes read the folder at once; each is killed after so many milliseconds of work. */
async function readTwice(child: string, db: string, folder: string, after: readonly number[]): Promise<void> {
  await Promise.all(
    after.map(async (ms) => {
      const run = spawn(process.execPath, [child, db, folder], { stdio: ['ignore', 'pipe', 'ignore'] })
      for await (const line of createInterface({ input: run.stdout }))
        if (line === 'START') setTimeout(() => run.kill('SIGKILL'), ms)
    }),
  )
}

const texts = (db: WriteDb): string[] =>
  db.all<{ text: string }>(`SELECT text FROM items WHERE kind = 'goal'`).map((row) => row.text)

test(
  `${ROUNDS} times months of writing, breaking, rotating and dying: everything is there once, no secret is`,
  async () => {
    const child = await builtChild('killed-child')
    for (let round = 1; round <= ROUNDS; round++) {
      const draw = chance(round)
      const world = new World(temporaryFolder(), round, draw)
      const path = join(temporaryFolder(), 'fovea.db')
      world.step()
      for (let step = 0; step < STEPS; step++) {
        world.step()
        if (step % 3 === 0) await readTwice(child, path, world.root, [draw(400), draw(400)])
      }
      world.finish()
      const db = openWrite(path)
      migrate(db)
      const report = await ingest(contextOf(db), world.root, { perFile: true })
      const told = texts(db)
      expect(told.filter((text) => world.said.includes(text)).sort()).toEqual([...world.said].sort())
      const lost = report.perFile?.reduce((sum, file) => sum + file.records.errors, 0)
      expect(lost).toBe(world.broken)
      expect(brokenInvariants(db)).toEqual([])
      expect(checkIntegrity(db, 'full')).toEqual({ ok: true, problems: [] })
      const bytes = readdirSync(dirname(path)).map((name) => readFileSync(join(dirname(path), name)))
      expect(world.canaries.filter((canary) => bytes.some((file) => file.includes(canary)))).toEqual([])
      db.close()
    }
  },
  ROUNDS * 120_000,
)
