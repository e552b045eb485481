// Invented memory, for looking at screens without an engine.
export * from './fake/ids'
export * from './fake/journal'
export * from './fake/recall'
export * from './fake/review'
export * from './fake/traces'
