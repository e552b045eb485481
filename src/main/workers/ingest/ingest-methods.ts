import { join } from 'node:path'
import type { Handlers } from '../../../shared/contract'
import {
  detect,
  dumpTo,
  health,
  type JournalContext,
  listRemoved,
  listSources,
  mergeProjects,
  patiently,
  removeSource,
  setState,
  sourceToForget,
  unmergeProject,
  viewOf,
} from '../../journal'
import { projectSql } from '../../store'
import type { IngestService } from './service'

type Calls =
  | 'sources.detect'
  | 'sources.list'
  | 'sources.enrol'
  | 'sources.enrolSample'
  | 'sources.pause'
  | 'sources.resume'
  | 'sources.remove'
  | 'sources.health'
  | 'ingest.run'
  | 'ingest.stream'
  | 'ingest.status'
  | 'ingest.cancel'
  | 'journal.dump'
  | 'projects.merge'
  | 'projects.unmerge'
  | 'projects.aliases'

/** What the ingest worker answers. `resources` holds the bundled sample. */
export function ingestMethods(
  journal: JournalContext,
  service: IngestService,
  resources: string,
): Handlers<Calls> & { close: () => Promise<object> } {
  const { db } = journal
  return {
    'sources.detect': () => ({ candidates: detect(db) }),
    'sources.list': () => ({ sources: listSources(db), removed: listRemoved(db) }),
    'sources.enrol': (input) => ({ source: viewOf(db, service.enrol(input)) }),
    'sources.enrolSample': () => ({ source: viewOf(db, service.enrol({ path: join(resources, 'sample') })) }),
    'sources.pause': ({ id }) => {
      const source = setState(journal, id, 'paused')
      service.sourcesChanged()
      return { source }
    },
    'sources.resume': ({ id }) => {
      const source = setState(journal, id, 'active')
      service.sourcesChanged()
      return { source }
    },
    'sources.remove': async ({ id, keep }) => {
      service.cancel()
      await service.settled()
      if (keep) {
        removeSource(journal, id)
        service.sourcesChanged()
        return { removed: true, itemsForgotten: 0 }
      }
      const { auditId, counts, swept } = await service.erase(sourceToForget(journal, id))
      service.sourcesChanged()
      return { removed: true, itemsForgotten: counts.items, erased: { auditId, swept, ...counts } }
    },
    'sources.health': ({ id, limit }) => health(db, id, limit),
    'ingest.run': (input) => service.run(input),
    'ingest.stream': (input) => service.stream(input),
    'ingest.status': () => service.progress,
    'ingest.cancel': () => ({ cancelled: service.cancel() }),
    'projects.merge': async ({ from, into }) => {
      const items = await patiently(() => mergeProjects(journal, from, into))
      service.told(items)
      return { items }
    },
    'projects.unmerge': async ({ name }) => {
      const items = await patiently(() => unmergeProject(journal, name))
      service.told(items)
      return { items }
    },
    'projects.aliases': () => ({ aliases: projectSql.projectAliases(db) }),
    'journal.dump': ({ out }) => dumpTo(db, out),
    close: async () => {
      await service.close()
      db.close()
      return {}
    },
  }
}
