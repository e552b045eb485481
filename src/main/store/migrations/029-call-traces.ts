import { type Migration, script } from './migration'

// The trace of a prompt to a language model stands with its call; a faculty's own traces are found by its id.
export const callTraces: Migration = {
  version: 29,
  name: 'call-traces',
  up: script(`
ALTER TABLE traces ADD COLUMN call_id INTEGER REFERENCES model_calls (id) ON DELETE CASCADE;
CREATE INDEX traces_call ON traces (call_id) WHERE call_id IS NOT NULL;
CREATE INDEX traces_faculty ON traces (faculty, created_at);
`),
}
