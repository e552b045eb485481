import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'
import { takeTurn } from '../../../src/main/gates'
import { newReceiptId } from '../../../src/main/hydration'
import { wrap } from '../../../src/main/journal'
import { countTokens, noEmbedder } from '../../../src/main/models'
import { migrate, openWrite, settingsSql } from '../../../src/main/store'
import { FacultySettings, Trace } from '../../../src/shared/attention'
import { TurnRequest } from '../../../src/shared/turn'
import { temporaryFolder } from '../../support'
import { builtChild } from '../journal/built-child'
import { T0 } from './support'

const KILLS = Number(process.env.FOVEA_SOAK ?? 1) * 8
const SESSION = 'claude-code:killed'

/** Lets a session go on and kills whoever watches it `after` milliseconds of work. */
async function runFor(child: string, path: string, after: number): Promise<void> {
  const run = spawn(process.execPath, [child, path, String(T0)], { stdio: ['ignore', 'pipe', 'inherit'] })
  for await (const line of createInterface({ input: run.stdout })) {
    if (line === 'START') setTimeout(() => run.kill('SIGKILL'), after)
  }
}

test(
  `killed ${KILLS} times while it hears and takes turns: every signal comes up in exactly one turn`,
  async () => {
    const child = await builtChild('turn-killed-child', import.meta.dirname)
    const path = join(temporaryFolder(), 'fovea.db')
    const db = openWrite(path)
    migrate(db)
    const all = FacultySettings.parse({ adaptive: true, salience: true, interrupts: true })
    settingsSql.writeMeta(db, 'settings', JSON.stringify({ faculty: all }))
    db.run(
      `INSERT INTO sessions (id, native_id, agent, project, started_at, ended_at)
       VALUES (?, 'killed', 'claude-code', 'shop', ?, ?)`,
      [SESSION, T0, T0],
    )
    for (let kill = 0; kill < KILLS; kill++) await runFor(child, path, 150 + kill * 53)
    const last = db.get<{ ts: number }>('SELECT max(ts) AS ts FROM items')?.ts ?? T0
    const ports = {
      read: db,
      write: db,
      embedder: noEmbedder('no model in this test'),
      clock: () => last,
      receiptId: newReceiptId,
      wrap,
      countTokens,
    }
    await takeTurn(ports, TurnRequest.parse({ session: SESSION, budget: 200_000 }))
    const came = db
      .all<{ body: string }>('SELECT body FROM traces ORDER BY created_at, id')
      .flatMap(({ body }) => Trace.parse(JSON.parse(body)).rows)
      .filter(({ bid }) => bid.startsWith('signal:'))
      .flatMap(({ handles }) => handles)
    const stirring = db
      .all<{ handle: string }>("SELECT handle FROM items WHERE kind = 'goal' OR data ->> '$.failed' = 1")
      .map(({ handle }) => handle)
    db.close()
    expect(stirring.length).toBeGreaterThan(KILLS)
    expect([...came].sort()).toEqual(stirring.sort())
  },
  KILLS * 20_000,
)
