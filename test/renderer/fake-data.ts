<<<<<<< HEAD
// Invented, realistic data for the renderer's tests and previews.
export * from './fake-ids'
export * from './fake-memory'
export * from './fake-recall'
export * from './fake-review'
=======
// Invented memory, for looking at screens without an engine.
export * from './fake/ids'
export * from './fake/journal'
export * from './fake/recall'
export * from './fake/review'
>>>>>>> main
