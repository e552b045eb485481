import type { CallName } from '../../shared/contract'

export type WorkerName = 'ingest' | 'index' | 'query' | 'logic'

/** Calls the engine answers itself: they span workers or need the host. */
export type OwnCall =
  | 'app.info'
  | 'app.openExternal'
  | 'app.pickFolder'
  | 'app.pickSave'
  | 'doctor.run'
  | 'backup.run'
  | 'query.run'
  | 'query.stop'
  | 'hooks.status'
  | 'hooks.install'
  | 'hooks.remove'

/** Which worker answers a call. A call that is missing here does not compile. */
export const routes: Readonly<Record<Exclude<CallName, OwnCall>, WorkerName>> = {
  'sources.detect': 'ingest',
  'sources.list': 'ingest',
  'sources.enrol': 'ingest',
  'sources.enrolSample': 'ingest',
  'sources.pause': 'ingest',
  'sources.resume': 'ingest',
  'sources.remove': 'ingest',
  'sources.health': 'ingest',
  'ingest.run': 'ingest',
  'ingest.stream': 'ingest',
  'ingest.status': 'ingest',
  'ingest.cancel': 'ingest',
  'journal.dump': 'ingest',
  'index.status': 'index',
  'curate.run': 'index',
  'curator.status': 'index',
  'curator.retry': 'index',
  'models.list': 'index',
  'curator.estimate': 'query',
  'settings.get': 'query',
  'settings.set': 'query',
  'stats.get': 'query',
  'projects.list': 'query',
  'projects.merge': 'ingest',
  'projects.unmerge': 'ingest',
  'projects.aliases': 'ingest',
  'timeline.days': 'query',
  'timeline.arcs': 'query',
  'timeline.items': 'query',
  'cells.list': 'query',
  'cells.get': 'query',
  'cells.rename': 'query',
  'items.get': 'query',
  'items.verify': 'query',
  'retention.get': 'query',
  'retention.set': 'query',
  'retention.preview': 'query',
  'retention.run': 'query',
  'search.run': 'query',
  'nearest.run': 'query',
  'planes.list': 'query',
  'planes.save': 'query',
  'planes.remove': 'query',
  'hydrate.run': 'query',
  'turn.run': 'query',
  'receipts.list': 'query',
  'receipts.get': 'query',
  'receipts.replay': 'query',
  'lastTry.run': 'query',
  'receipts.compare': 'query',
  'feedback.give': 'query',
  'feedback.undo': 'query',
  'feedback.list': 'query',
  'traces.list': 'query',
  'traces.get': 'query',
  'traces.compare': 'query',
  'tokens.count': 'query',
  'gates.list': 'query',
  'gates.show': 'query',
  'gates.add': 'query',
  'gates.import': 'query',
  'gates.predict': 'query',
  'gates.draft': 'query',
  'gates.setTaskType': 'query',
  'gates.decide': 'query',
  'metrics.get': 'query',
  'facts.assert': 'query',
  'export.run': 'query',
}
