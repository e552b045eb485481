import { type Migration, script } from './migration'

export const gates: Migration = {
  version: 5,
  name: 'gates',
  up: script(`
CREATE TABLE gates (
  id TEXT PRIMARY KEY,
  lineage TEXT NOT NULL,
  round INTEGER NOT NULL,
  title TEXT NOT NULL,
  state TEXT NOT NULL,
  task_type TEXT NOT NULL,
  -- Where the task type was read from. What only the artifact told is kept from the prior.
  task_from TEXT NOT NULL CHECK (task_from IN ('person', 'context', 'artifact')),
  project TEXT,
  agent TEXT,
  origin TEXT NOT NULL CHECK (origin IN ('transcript', 'cli', 'app', 'hook', 'mcp')),
  status TEXT NOT NULL CHECK (status IN ('open', 'decided', 'ended')),
  question TEXT NOT NULL DEFAULT '',
  session_id TEXT,
  goal TEXT NOT NULL DEFAULT '',
  -- The plan's and the decision's items, where the gate came from a transcript.
  plan_handle TEXT UNIQUE,
  decision_handle TEXT,
  draft TEXT NOT NULL DEFAULT '',
  created_at INTEGER NOT NULL,
  provenance TEXT NOT NULL DEFAULT '[]',
  labels TEXT NOT NULL DEFAULT '[]'
) STRICT;
CREATE INDEX gates_status ON gates (status, created_at);
CREATE INDEX gates_lineage ON gates (lineage, round);
CREATE INDEX gates_session ON gates (session_id);

-- Versions count through a lineage, not through one gate.
CREATE TABLE artifacts (
  gate_id TEXT NOT NULL REFERENCES gates (id) ON DELETE CASCADE,
  version INTEGER NOT NULL,
  text TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (gate_id, version)
) STRICT, WITHOUT ROWID;

CREATE TABLE gate_upstream (
  gate_id TEXT NOT NULL REFERENCES gates (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  text TEXT NOT NULL,
  PRIMARY KEY (gate_id, name)
) STRICT, WITHOUT ROWID;

-- body is the prediction as JSON; seal is the salted sha256 of gate, version and body, fixed before the person
-- decides. memory: the chunks that took part and the percepts that moved it.
CREATE TABLE predictions (
  gate_id TEXT PRIMARY KEY REFERENCES gates (id) ON DELETE CASCADE,
  version INTEGER NOT NULL,
  seal TEXT NOT NULL,
  salt TEXT NOT NULL,
  sealed_at INTEGER NOT NULL,
  peeked INTEGER NOT NULL DEFAULT 0,
  engine TEXT NOT NULL,
  body TEXT NOT NULL,
  memory TEXT NOT NULL
) STRICT;

CREATE TABLE decisions (
  gate_id TEXT PRIMARY KEY REFERENCES gates (id) ON DELETE CASCADE,
  action TEXT NOT NULL,
  outcome TEXT NOT NULL CHECK (outcome IN ('approve', 'correct', 'reject')),
  speech_act TEXT NOT NULL,
  notes TEXT NOT NULL DEFAULT '',
  via TEXT NOT NULL CHECK (via IN ('app', 'cli', 'transcript')),
  decided_at INTEGER NOT NULL,
  surprise_bits REAL,
  pointer TEXT
) STRICT;

-- One remembered interaction. interaction: its place in the count that activation decays over.
CREATE TABLE chunks (
  id TEXT PRIMARY KEY,
  interaction INTEGER NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('gate', 'turn', 'observation')),
  gate_id TEXT REFERENCES gates (id) ON DELETE CASCADE,
  state TEXT NOT NULL,
  task_type TEXT NOT NULL,
  project TEXT,
  agent TEXT,
  round INTEGER NOT NULL DEFAULT 1,
  size INTEGER NOT NULL DEFAULT 0,
  outcome TEXT NOT NULL,
  -- The texts behind the vectors: they make the lexical space, and vectors of another model anew.
  situation TEXT NOT NULL,
  stimulus TEXT NOT NULL DEFAULT '',
  terms TEXT NOT NULL DEFAULT '[]',
  prior TEXT,
  posterior TEXT,
  salience TEXT NOT NULL DEFAULT '',
  percepts TEXT NOT NULL DEFAULT '[]',
  features TEXT NOT NULL DEFAULT '[]',
  response TEXT NOT NULL DEFAULT '',
  delta TEXT NOT NULL DEFAULT '',
  answered_by TEXT NOT NULL CHECK (answered_by IN ('person', 'proxy')),
  -- Interaction numbers at which it was created, used, or taught.
  traces TEXT NOT NULL DEFAULT '[]',
  -- The model the vectors are of; null while there are none.
  vector_model TEXT,
  v_situation BLOB, v_artifact BLOB, v_stimulus BLOB, v_response BLOB, v_salience BLOB,
  created_at INTEGER NOT NULL,
  provenance TEXT NOT NULL DEFAULT '[]',
  labels TEXT NOT NULL DEFAULT '[]'
) STRICT;
CREATE INDEX chunks_interaction ON chunks (interaction);
CREATE INDEX chunks_gate ON chunks (gate_id);

CREATE TABLE attention (
  state TEXT NOT NULL,
  phrase TEXT NOT NULL,
  present INTEGER NOT NULL DEFAULT 0,
  salient INTEGER NOT NULL DEFAULT 0,
  not_approved INTEGER NOT NULL DEFAULT 0,
  named INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (state, phrase)
) STRICT, WITHOUT ROWID;
`),
}
