import { type Migration, script } from './migration'

// How many arcs and items each project has, counted as they change: the summary of a project tells it, and would
// otherwise count all of them for each new arc.
export const projectTotals: Migration = {
  version: 21,
  name: 'project-totals',
  up: script(`
-- project: its name, '' for none. A project without arcs has no row.
CREATE TABLE project_totals (
  project TEXT PRIMARY KEY,
  arcs INTEGER NOT NULL,
  items INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO project_totals SELECT coalesce(project, ''), count(*), sum(items) FROM arcs GROUP BY 1;
CREATE TRIGGER arcs_counted AFTER INSERT ON arcs BEGIN INSERT INTO project_totals VALUES (coalesce(NEW.project, ''), 1, NEW.items) ON CONFLICT (project) DO UPDATE SET arcs = arcs + 1, items = items + excluded.items; END;
CREATE TRIGGER arcs_recounted AFTER UPDATE OF project, items ON arcs WHEN OLD.project IS NOT NEW.project OR OLD.items <> NEW.items BEGIN UPDATE project_totals SET arcs = arcs - 1, items = items - OLD.items WHERE project = coalesce(OLD.project, ''); INSERT INTO project_totals VALUES (coalesce(NEW.project, ''), 1, NEW.items) ON CONFLICT (project) DO UPDATE SET arcs = arcs + 1, items = items + excluded.items; DELETE FROM project_totals WHERE arcs = 0; END;
CREATE TRIGGER arcs_discounted AFTER DELETE ON arcs BEGIN UPDATE project_totals SET arcs = arcs - 1, items = items - OLD.items WHERE project = coalesce(OLD.project, ''); DELETE FROM project_totals WHERE arcs = 0; END;
`),
}
