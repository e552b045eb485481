import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { migrate, openWrite } from '../../../src/main/store'
import { temporaryFolder } from '../../support'
import { builtChild } from './built-child'
import { brokenInvariants, dump, ingest, openJournal, put, scribe } from './transcripts'

test('two processes that read the same source at once make one journal', async () => {
  const child = await builtChild('killed-child')
  const root = temporaryFolder()
  for (let file = 0; file < 6; file++) {
    const s = scribe(`T${file}`)
    for (let turn = 0; turn < (file === 0 ? 1500 : 200); turn++) {
      s.user(`request ${turn} of file ${file}`)
      s.call(`t${file}-${turn}`, 'Bash', { command: `step ${turn}` })
      s.result(`t${file}-${turn}`, 'done')
    }
    put(join(root, `T${file}.jsonl`), s.text())
  }
  const whole = openJournal()
  await ingest(whole.journal, root)

  const path = join(temporaryFolder(), 'fovea.db')
  const db = openWrite(path)
  migrate(db)
  const runs = [1, 2, 3].map(() =>
    spawn(process.execPath, [child, path, root], { stdio: ['ignore', 'pipe', 'inherit'] }),
  )
  const said = await Promise.all(runs.map((run) => text(run.stdout)))
  const added = said.map((out) => Number(/END (\d+)/.exec(out)?.[1]))
  expect(dump(db)).toBe(dump(whole.db))
  expect(brokenInvariants(db)).toEqual([])
  expect(added.reduce((sum, n) => sum + n, 0)).toBe(
    db.get<{ n: number }>('SELECT count(*) AS n FROM items')?.n,
  )
  db.close()
}, 120_000)
