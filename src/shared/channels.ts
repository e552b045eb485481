import type { CallName, EventName } from './contract'

// Names alone, so that the preload can list them without carrying zod. The types make a missing or an extra
// name a compile error.

const all =
  <T extends string>() =>
  <const L extends readonly T[]>(list: L & ([T] extends [L[number]] ? unknown : never)): L =>
    list

export const callNames = all<CallName>()([
  'app.info',
  'app.openExternal',
  'app.pickFolder',
  'app.pickSave',
  'settings.get',
  'settings.set',
  'stats.get',
  'doctor.run',
  'backup.run',
  'sources.detect',
  'sources.list',
  'sources.enrol',
  'sources.enrolSample',
  'sources.pause',
  'sources.resume',
  'sources.remove',
  'sources.health',
  'ingest.run',
  'ingest.stream',
  'ingest.status',
  'ingest.cancel',
  'index.status',
  'curate.run',
  'curator.status',
  'curator.estimate',
  'models.list',
  'journal.dump',
  'projects.list',
  'projects.merge',
  'projects.unmerge',
  'projects.aliases',
  'timeline.days',
  'timeline.arcs',
  'timeline.items',
  'cells.list',
  'cells.get',
  'cells.rename',
  'items.get',
  'items.verify',
  'search.run',
  'nearest.run',
  'query.run',
  'facts.assert',
  'planes.list',
  'planes.save',
  'planes.remove',
  'hydrate.run',
  'receipts.list',
  'receipts.get',
  'receipts.replay',
  'lastTry.run',
  'receipts.compare',
  'feedback.give',
  'feedback.undo',
  'feedback.list',
  'traces.list',
  'traces.get',
  'traces.compare',
  'tokens.count',
  'gates.list',
  'gates.show',
  'gates.add',
  'gates.import',
  'gates.predict',
  'gates.draft',
  'gates.setTaskType',
  'gates.decide',
  'metrics.get',
  'export.run',
])

export const eventNames = all<EventName>()([
  'ingest.progress',
  'journal.changed',
  'index.progress',
  'curator.progress',
  'sources.changed',
  'gates.changed',
  'health.changed',
])

export const callChannel = (name: CallName): string => `fovea:call:${name}`
export const eventChannel = (name: EventName): string => `fovea:event:${name}`
