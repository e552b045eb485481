import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'
import { checkIntegrity, migrate, openWrite } from '../../../src/main/store'
import { temporaryFolder } from '../../support'
import { builtChild } from './built-child'
import { brokenInvariants, contextOf, dump, ingest, openJournal, put, scribe } from './transcripts'

const KILLS = Number(process.env.FOVEA_SOAK ?? 1) * 50

interface Ack {
  path: string
  offset: number
}

/** Runs the ingest and kills it `after` milliseconds of work; answers what it acknowledged until then. */
async function runFor(
  child: string,
  db: string,
  folder: string,
  after: number,
): Promise<{ acks: Ack[]; finished: boolean }> {
  const run = spawn(process.execPath, [child, db, folder], { stdio: ['ignore', 'pipe', 'inherit'] })
  let acks: Ack[] = []
  let finished = false
  for await (const line of createInterface({ input: run.stdout })) {
    if (line === 'START') setTimeout(() => run.kill('SIGKILL'), after)
    else if (line.startsWith('END')) finished = true
    else acks = JSON.parse(line) as Ack[]
  }
  return { acks, finished }
}

/** Files in many sizes: some are read together in one transaction, some in several chunks. */
function corpus(root: string): void {
  for (let file = 0; file < 24; file++) {
    const s = scribe(`K${file}`, { start: Date.parse('2026-02-01T00:00:00Z') + file * 3_600_000 })
    const turns = file % 8 === 0 ? 900 : 12
    for (let turn = 0; turn < turns; turn++) {
      s.user(`request ${turn} of file ${file}`)
      s.call(`k${file}-${turn}`, 'Bash', { command: `step ${turn}` })
      s.result(`k${file}-${turn}`, `Exit code 1\nbroke ${turn} ${'noise '.repeat(40)}`, { isError: true })
      s.said(`That was ${turn}.`)
    }
    put(join(root, `p${file % 3}`, `K${file}.jsonl`), s.text())
  }
}

test(
  `killed ${KILLS} times at random moments: nothing acknowledged is lost, nothing is there twice`,
  async () => {
    const child = await builtChild('killed-child')
    const root = temporaryFolder()
    corpus(root)
    const whole = openJournal()
    await ingest(whole.journal, root)
    const expected = dump(whole.db)

    let path = join(temporaryFolder(), 'fovea.db')
    let random = 42
    let journals = 0
    let kills = 0
    while (kills < KILLS) {
      random = (Math.imul(random, 1_103_515_245) + 12_345) & 0x7fffffff
      const { acks, finished } = await runFor(child, path, root, random % 350)
      kills++
      const db = openWrite(path)
      migrate(db)
      for (const ack of acks) {
        const row = db.get<{ offset: number }>('SELECT offset FROM files WHERE path = ?', [ack.path])
        expect(row?.offset, `kill ${kills}, ${ack.path}`).toBeGreaterThanOrEqual(ack.offset)
      }
      const twice = db.get<{ n: number }>('SELECT count(*) - count(DISTINCT handle) AS n FROM items')
      expect(twice?.n).toBe(0)
      if (finished || kills === KILLS) {
        await ingest(contextOf(db), root)
        expect(dump(db)).toBe(expected)
        expect(brokenInvariants(db)).toEqual([])
        expect(checkIntegrity(db, 'full')).toEqual({ ok: true, problems: [] })
        journals++
        path = join(temporaryFolder(), 'fovea.db')
      }
      db.close()
    }
    expect(journals).toBeGreaterThan(0)
  },
  KILLS * 12_000,
)
