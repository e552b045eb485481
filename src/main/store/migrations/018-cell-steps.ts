import { type Migration, script } from './migration'

// Single steps follow their goal into its cell a few at a time, so that no step of the curator is long.
export const cellSteps: Migration = {
  version: 18,
  name: 'cell steps',
  up: script(`
-- Goals that moved into a cell and whose steps may stand elsewhere.
CREATE TABLE cell_steps_queue (goal_id INTEGER PRIMARY KEY REFERENCES items (id) ON DELETE CASCADE) STRICT;
INSERT INTO cell_steps_queue SELECT m.item_id FROM cell_items AS m JOIN items AS i ON i.id = m.item_id WHERE i.kind = 'goal';
-- Cells are made of whole goals now: every project is balanced once more.
INSERT INTO cell_balance (project, joined) SELECT DISTINCT project, 1 FROM cells WHERE true ON CONFLICT (project) DO UPDATE SET joined = joined + 1;
`),
}
