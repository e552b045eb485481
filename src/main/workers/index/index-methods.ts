import type { MessagePort } from 'node:worker_threads'
import type { CurateReport, IndexStatus } from '../../../shared/journal'
import type { CuratorStatus, InstalledModels } from '../../../shared/models'
import { askAgain, modelSettings } from '../../curator'
import { type BacklogEmbedder, type EmbedderStatus, ollamaModel } from '../../models'
import {
  cellSql,
  curatorSql,
  indexSql,
  noveltySql,
  type ReadDb,
  rollupSql,
  timelineSql,
  type WriteDb,
} from '../../store'
import type { Methods } from '../rpc'
import { embedderMethods, serveEmbedder } from './embedder-port'
import type { IndexLoop } from './index-loop'
import type { ModelLoop } from './model-loop'

/** What the index worker answers. */
export interface IndexMethods extends Methods {
  'index.status': (input: object) => Promise<IndexStatus>
  /** Works until nothing waits, or for up to a minute; answers with what there is then. */
  'curate.run': (input: { untilIdle: boolean }) => Promise<CurateReport>
  'curator.status': (input: object) => CuratorStatus
  'curator.retry': (input: object) => { again: number }
  'models.list': (input: object) => Promise<InstalledModels>
  /** A setting, a gate or the power changed: what the model may do can have changed with it. */
  'models.kick': (input: { onBattery?: boolean | null }) => object
  /** Serves `embed` on a port that another worker holds the other end of. */
  connect: (input: { port: MessagePort }) => object
  /** Answers when the model is there, or is known not to come. */
  loaded: (input: object) => Promise<EmbedderStatus>
  /** There are new items. */
  kick: (input: object) => object
  /** Answers when nothing is left that can be done now. */
  idle: (input: object) => Promise<object>
  pause: (input: object) => Promise<IndexStatus>
  resume: (input: object) => Promise<IndexStatus>
  /** Answers when the last write is done and the model is gone. */
  close: (input: object) => Promise<object>
}

export interface IndexParts {
  db: WriteDb
  embedder: BacklogEmbedder
  loop: IndexLoop
  models: ModelLoop
  retention: { close(): Promise<void> }
  /** Tells the model's work what the machine runs on. */
  power: (onBattery: boolean | null) => void
}

export function indexMethods({ db, embedder, loop, models, retention, power }: IndexParts): IndexMethods {
  const then = async (act: void | Promise<void>): Promise<IndexStatus> => {
    await act
    return loop.status()
  }
  return {
    ...embedderMethods(embedder),
    'index.status': () => loop.status(),
    'curate.run': async ({ untilIdle }) => {
      const started = performance.now()
      const work = curateAll(loop, models)
      await (untilIdle ? work : Promise.race([work, patience()]))
      const model = models.status()
      return {
        ...curated(db),
        method: model.model === null ? 'extractive' : 'model',
        model,
        ms: Math.round(performance.now() - started),
      }
    },
    'curator.status': () => models.status(),
    'curator.retry': () => {
      const again = askAgain(db, Date.now())
      loop.kick()
      models.kick()
      return { again }
    },
    'models.list': () => ollamaModel({ host: modelSettings(db).host, timeoutMs: PROBE_MS }).status(),
    'models.kick': ({ onBattery }) => {
      if (onBattery !== undefined) power(onBattery)
      models.kick()
      return {}
    },
    connect: ({ port }) => {
      serveEmbedder(port, embedder)
      return {}
    },
    loaded: () => embedder.loaded(),
    kick: () => {
      loop.kick()
      return {}
    },
    idle: async () => {
      await loop.idle()
      return {}
    },
    pause: () => then(loop.pause()),
    resume: () => then(loop.resume()),
    close: async () => {
      await Promise.all([models.close(), retention.close()])
      await loop.close()
      await embedder.close()
      db.close()
      return {}
    },
  }
}

/** Rules, vectors and the model side by side, then what follows from what it made, until nothing has anything left to do. */
async function curateAll(loop: IndexLoop, models: ModelLoop): Promise<void> {
  for (let before = -1; ; ) {
    await Promise.all([loop.idle(), models.settled()])
    const { made } = await models.settled()
    if (made === before) return
    before = made
  }
}

/** This thread may be busy with vectors while the server's answer is there already. */
const PROBE_MS = 5_000

const patience = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 60_000).unref())

function curated(db: ReadDb): Omit<CurateReport, 'ms' | 'method' | 'model'> {
  const { echo, ...repeats } = noveltySql.countRepeats(db)
  return {
    arcs: timelineSql.countArcs(db, undefined),
    rungs: curatorSql.countRungs(db),
    rollups: rollupSql.countRollups(db),
    cells: cellSql.countCells(db),
    repeats,
    echoes: echo,
    left: {
      rungs: curatorSql.countQueued(db),
      vectors: indexSql.countPending(db),
      neighbours: noveltySql.countNeighbourQueue(db),
    },
  }
}
