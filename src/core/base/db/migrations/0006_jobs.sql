-- The life of a job, whose company it is, saved filters and what matches them; and events that are one builder's alone.

-- The builder who named a company first, and the workspace they did it in: its members may publish for the company too. Both are
-- null for one that the operator made.
ALTER TABLE companies ADD COLUMN made_by TEXT REFERENCES builders (id) ON DELETE SET NULL;
ALTER TABLE companies ADD COLUMN workspace_id TEXT REFERENCES workspaces (id) ON DELETE SET NULL;
CREATE INDEX companies_by_maker ON companies (made_by) WHERE made_by IS NOT NULL;
CREATE INDEX companies_by_workspace ON companies (workspace_id) WHERE workspace_id IS NOT NULL;

-- Null for a job that the operator published, or whose publisher is gone.
ALTER TABLE jobs ADD COLUMN published_by TEXT REFERENCES builders (id) ON DELETE SET NULL;
ALTER TABLE jobs ADD COLUMN closed_at INTEGER;
-- Since when moderators keep it off the board.
ALTER TABLE jobs ADD COLUMN hidden_at INTEGER;
-- Whether the search index holds it: neither closed nor hidden, nor found to be past its 60 days.
ALTER TABLE jobs ADD COLUMN on_board INTEGER NOT NULL DEFAULT 1 CHECK (on_board IN (0, 1));
CREATE INDEX jobs_by_publisher ON jobs (published_by, seq) WHERE published_by IS NOT NULL;
CREATE INDEX jobs_on_board ON jobs (seq) WHERE on_board = 1;
CREATE INDEX jobs_on_board_by_age ON jobs (posted_at) WHERE on_board = 1;

CREATE TABLE job_filters (
  id         TEXT NOT NULL PRIMARY KEY CHECK (id GLOB 'flt_*'),
  builder_id TEXT NOT NULL REFERENCES builders (id) ON DELETE CASCADE,
  name       TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
  q          TEXT NOT NULL CHECK (length(q) <= 1000),
  -- `q` in the words of the search index: [{"words": […], "isPrefix": false}, …].
  terms      TEXT NOT NULL CHECK (json_type(terms) = 'array'),
  stack      TEXT NOT NULL CHECK (json_type(stack) = 'array'),
  city       TEXT CHECK (length(city) BETWEEN 1 AND 50),
  remote     INTEGER CHECK (remote IN (0, 1)),
  seniority  TEXT NOT NULL CHECK (json_type(seniority) = 'array'),
  salary_min INTEGER CHECK (salary_min >= 0),
  currency   TEXT CHECK (length(currency) = 3),
  created_at INTEGER NOT NULL,
  CHECK ((salary_min IS NULL) = (currency IS NULL))
) STRICT;
CREATE INDEX job_filters_by_builder ON job_filters (builder_id, id);

-- The reverse index. Every job that a filter matches has one of its anchors among its own keys, so only the filters under a
-- job's keys have to be looked at.
CREATE TABLE job_filter_anchors (
  key       TEXT NOT NULL,
  filter_id TEXT NOT NULL REFERENCES job_filters (id) ON DELETE CASCADE,
  PRIMARY KEY (key, filter_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX job_filter_anchors_by_filter ON job_filter_anchors (filter_id, key);

-- One for each builder and job, for ever: a job that is changed or opened again tells nobody twice.
CREATE TABLE job_matches (
  builder_id TEXT NOT NULL REFERENCES builders (id) ON DELETE CASCADE,
  job_id     TEXT NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
  -- The filter that fits best.
  filter_id  TEXT REFERENCES job_filters (id) ON DELETE SET NULL,
  score      REAL NOT NULL CHECK (score BETWEEN 0 AND 1),
  -- The parts of the score.
  why        TEXT NOT NULL CHECK (json_type(why) = 'object'),
  matched_at INTEGER NOT NULL,
  PRIMARY KEY (builder_id, job_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX job_matches_by_job ON job_matches (job_id);
CREATE INDEX job_matches_by_filter ON job_matches (filter_id) WHERE filter_id IS NOT NULL;

-- Jobs whose filters are not all looked at yet, and how far it got: keys in their order, filters in that of their ids.
CREATE TABLE job_matchings (
  job_id       TEXT NOT NULL PRIMARY KEY REFERENCES jobs (id) ON DELETE CASCADE,
  after_key    TEXT NOT NULL,
  after_filter TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- The one builder whom a private event is for; such an event has no workspace.
ALTER TABLE events ADD COLUMN builder_id TEXT REFERENCES builders (id) ON DELETE CASCADE;
CREATE INDEX events_of_builder ON events (builder_id, id) WHERE builder_id IS NOT NULL;
DROP INDEX events_of_workspace;
CREATE INDEX events_of_workspace ON events (workspace_id, builder_id, id);
