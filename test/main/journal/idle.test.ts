import * as fs from 'node:fs'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test, vi } from 'vitest'
import { IngestService } from '../../../src/main/workers/ingest/service'
import { temporaryFolder } from '../../support'
import { openJournal, put, scribe } from './transcripts'

// Counts what is opened and read for its content; looking at folders and at stat is what a sweep is for.
const opened = vi.hoisted(() => ({ files: 0, reads: 0 }))
vi.mock('node:fs', async (original) => {
  const real = await original<typeof fs>()
  return {
    ...real,
    openSync: (...args: Parameters<typeof real.openSync>) => {
      opened.files++
      return real.openSync(...args)
    },
    readSync: (...args: Parameters<typeof real.readSync>) => {
      opened.reads++
      return real.readSync(...args)
    },
    readFileSync: (...args: Parameters<typeof real.readFileSync>) => {
      opened.files++
      return real.readFileSync(...args)
    },
  }
})

const FILES = 2_000
const SWEEPS = 12

test(`${SWEEPS} sweeps over ${FILES} unchanged files open none, write nothing, and keep nothing`, async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const { db, journal } = openJournal()
  const root = temporaryFolder()
  for (let n = 0; n < FILES; n++) {
    const s = scribe(`S${n}`)
    s.user(`request ${n}`)
    const path = put(join(root, `p${n % 20}`, `S${n}.jsonl`), s.text())
    // Written long ago, so that no file is worth a look of its own.
    fs.utimesSync(path, 1_700_000_000, 1_700_000_000)
  }
  const service = new IngestService({ journal, emit: () => {}, skip: [], watch: false })
  const sweep = () => service.run({ paths: [root], embed: false, perFile: false })
  expect((await sweep()).new).toBe(FILES)
  expect(opened.files).toBeGreaterThanOrEqual(FILES)

  const heap = async (): Promise<number> => {
    for (let n = 0; n < SWEEPS; n++) await sweep()
    collect()
    return process.memoryUsage().heapUsed
  }
  Object.assign(opened, { files: 0, reads: 0 })
  const changes = () => db.get<{ n: number }>('SELECT total_changes() AS n')?.n ?? -1
  await sweep()
  const before = { heap: await heap(), changes: changes() }
  const after = { heap: await heap(), changes: changes() }
  expect(opened).toEqual({ files: 0, reads: 0 })
  // The source's own "last looked at" is all that is written.
  expect(after.changes - before.changes).toBe(SWEEPS)
  expect((after.heap - before.heap) / 2 ** 20).toBeLessThan(1)
  await service.close()
}, 600_000)
