import type { MessagePort } from 'node:worker_threads'
import type { CurateReport, IndexStatus } from '../../../shared/journal'
import type { BacklogEmbedder, EmbedderStatus } from '../../models'
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

/** What the index worker answers. */
export interface IndexMethods extends Methods {
  'index.status': (input: object) => Promise<IndexStatus>
  /** Works until nothing waits, or for up to a minute; answers with what there is then. */
  'curate.run': (input: { untilIdle: boolean }) => Promise<CurateReport>
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

export function indexMethods(
  db: WriteDb,
  embedder: BacklogEmbedder,
  loop: IndexLoop,
  retention: { close(): Promise<void> },
): IndexMethods {
  const then = async (act: void | Promise<void>): Promise<IndexStatus> => {
    await act
    return loop.status()
  }
  return {
    ...embedderMethods(embedder),
    'index.status': () => loop.status(),
    'curate.run': async ({ untilIdle }) => {
      const started = performance.now()
      await (untilIdle ? loop.idle() : Promise.race([loop.idle(), patience()]))
      return { ...curated(db), ms: Math.round(performance.now() - started) }
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
      await Promise.all([loop.close(), retention.close()])
      await embedder.close()
      db.close()
      return {}
    },
  }
}

const patience = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 60_000).unref())

function curated(db: ReadDb): Omit<CurateReport, 'ms'> {
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
    method: 'extractive',
  }
}
