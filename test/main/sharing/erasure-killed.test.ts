import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'
import { checkIntegrity, erasureSql, openRead } from '../../../src/main/store'
import { temporaryFolder } from '../../support'
import { builtChild } from '../journal/built-child'
import { dump, ingest, openJournal } from '../journal/transcripts'
import { fill, leftIn, planted, SENTENCES, writeOther, writePlanted } from './erased-source'

const ALL = Array.from({ length: SENTENCES }, (_, n) => planted(n))

/** Runs a script and kills it `after` milliseconds of work. Whether it came to its end. */
async function runFor(child: string, argv: string[], after: number): Promise<boolean> {
  const run = spawn(process.execPath, [child, ...argv], { stdio: ['ignore', 'pipe', 'inherit'] })
  let ended = false
  for await (const line of createInterface({ input: run.stdout })) {
    if (line === 'START') setTimeout(() => run.kill('SIGKILL'), after)
    else if (line === 'END') ended = true
  }
  return ended
}

test('an erasure killed at random moments, again and again, ends with nothing left and the rest whole', async () => {
  const child = await builtChild('erase-child', import.meta.dirname)
  const mine = join(temporaryFolder(), 'mine')
  const other = join(temporaryFolder(), 'other')
  writePlanted(mine)
  writeOther(other)
  const { db, journal } = openJournal()
  await fill(db, journal, mine, other)
  const alone = openJournal()
  await ingest(alone.journal, other)
  let ended = false
  let kills = 0
  let random = 7
  while (!ended) {
    random = (Math.imul(random, 1_103_515_245) + 12_345) & 0x7fffffff
    // Longer every time, so that it comes to an end.
    ended = await runFor(child, [db.path, mine], kills * 40 + (random % 60))
    if (!ended) kills++
    const left = dump(db)
    expect(left).toContain('rounds once')
    // By a connection of its own, as Fovea's own check: one that is open while another process writes the full-text
    // index anew compares it with the segments it remembers.
    const fresh = openRead(db.path)
    expect(checkIntegrity(fresh).problems).toEqual([])
    fresh.close()
  }
  expect(kills).toBeGreaterThan(2)
  expect(dump(db)).toBe(dump(alone.db))
  expect(leftIn(db, ALL)).toEqual([])
  expect(erasureSql.openErasures(db)).toEqual([])
}, 240_000)
