-- Times are whole milliseconds since the epoch. Ids are TypeIDs made from their row's created_at, so that
-- «newest first» is «greatest id first», and one column is order, key and cursor.

CREATE TABLE builders (
  id           TEXT NOT NULL PRIMARY KEY CHECK (id GLOB 'builder_*'),
  username     TEXT NOT NULL UNIQUE CHECK (length(username) BETWEEN 1 AND 32 AND username NOT GLOB '*[^a-z0-9_-]*'),
  name         TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
  bio          TEXT NOT NULL DEFAULT '' CHECK (length(bio) <= 500),
  xp           INTEGER NOT NULL DEFAULT 0 CHECK (xp >= 0),
  streak_days  INTEGER NOT NULL DEFAULT 0 CHECK (streak_days >= 0),
  is_admin     INTEGER NOT NULL DEFAULT 0 CHECK (is_admin IN (0, 1)),
  created_at   INTEGER NOT NULL,
  suspended_at INTEGER
) STRICT;

CREATE TABLE builder_badges (
  builder_id TEXT NOT NULL REFERENCES builders (id) ON DELETE CASCADE,
  badge      TEXT NOT NULL CHECK (length(badge) BETWEEN 1 AND 50),
  earned_at  INTEGER NOT NULL,
  PRIMARY KEY (builder_id, badge)
) STRICT, WITHOUT ROWID;

CREATE TABLE projects (
  id         TEXT NOT NULL PRIMARY KEY CHECK (id GLOB 'prj_*'),
  builder_id TEXT NOT NULL REFERENCES builders (id) ON DELETE CASCADE,
  title      TEXT NOT NULL CHECK (length(title) BETWEEN 1 AND 200),
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX projects_by_builder ON projects (builder_id, id);

CREATE TABLE workspaces (
  id         TEXT NOT NULL PRIMARY KEY CHECK (id GLOB 'ws_*'),
  name       TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
  -- The builder whose personal workspace this is; null for a shared one.
  owner_id   TEXT UNIQUE REFERENCES builders (id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE workspace_members (
  workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
  builder_id   TEXT NOT NULL REFERENCES builders (id) ON DELETE CASCADE,
  role         TEXT NOT NULL CHECK (role IN ('owner', 'member')),
  joined_at    INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, builder_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX workspaces_by_member ON workspace_members (builder_id, workspace_id);

CREATE TABLE tokens (
  id           TEXT NOT NULL PRIMARY KEY CHECK (id GLOB 'tok_*'),
  -- SHA-256 of the whole token; the token itself is nowhere.
  hash         BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
  builder_id   TEXT NOT NULL REFERENCES builders (id) ON DELETE CASCADE,
  workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
  name         TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
  -- Space-separated, as OAuth writes them (RFC 6749 §3.3).
  scopes       TEXT NOT NULL,
  tier         TEXT NOT NULL CHECK (tier IN ('personal', 'enterprise')),
  created_at   INTEGER NOT NULL,
  expires_at   INTEGER,
  last_used_at INTEGER,
  revoked_at   INTEGER
) STRICT;
CREATE INDEX tokens_by_builder ON tokens (builder_id, id);
CREATE INDEX tokens_by_workspace ON tokens (workspace_id);

CREATE TABLE posts (
  id         TEXT NOT NULL PRIMARY KEY CHECK (id GLOB 'post_*'),
  author_id  TEXT NOT NULL REFERENCES builders (id) ON DELETE CASCADE,
  -- A reply has a parent and is not in the feed.
  parent_id  TEXT REFERENCES posts (id) ON DELETE CASCADE,
  text       TEXT NOT NULL CHECK (length(text) BETWEEN 1 AND 2000),
  tags       TEXT NOT NULL DEFAULT '[]' CHECK (json_type(tags) = 'array' AND json_array_length(tags) <= 5),
  media      TEXT NOT NULL DEFAULT '[]' CHECK (json_type(media) = 'array' AND json_array_length(media) <= 4),
  likes      INTEGER NOT NULL DEFAULT 0 CHECK (likes >= 0),
  replies    INTEGER NOT NULL DEFAULT 0 CHECK (replies >= 0),
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX posts_feed ON posts (id) WHERE parent_id IS NULL;
CREATE INDEX posts_by_author ON posts (author_id, parent_id, id);
CREATE INDEX posts_by_parent ON posts (parent_id, id) WHERE parent_id IS NOT NULL;

-- The tags of feed posts once more, to find posts by tag and by tag and author.
CREATE TABLE post_tags (
  tag       TEXT NOT NULL,
  post_id   TEXT NOT NULL REFERENCES posts (id) ON DELETE CASCADE,
  author_id TEXT NOT NULL REFERENCES builders (id) ON DELETE CASCADE,
  PRIMARY KEY (tag, post_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX post_tags_by_author ON post_tags (author_id, tag, post_id);
CREATE INDEX post_tags_by_post ON post_tags (post_id);

CREATE TABLE companies (
  id         TEXT NOT NULL PRIMARY KEY CHECK (id GLOB 'company_*'),
  slug       TEXT NOT NULL UNIQUE CHECK (length(slug) BETWEEN 1 AND 50),
  name       TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE jobs (
  -- Counts up as jobs are posted: the search index walks it from the newest back.
  seq         INTEGER PRIMARY KEY AUTOINCREMENT,
  id          TEXT NOT NULL UNIQUE CHECK (id GLOB 'job_*'),
  posted_at   INTEGER NOT NULL,
  company_id  TEXT NOT NULL REFERENCES companies (id),
  title       TEXT NOT NULL CHECK (length(title) BETWEEN 1 AND 200),
  description TEXT NOT NULL CHECK (length(description) BETWEEN 1 AND 20000),
  location    TEXT NOT NULL CHECK (length(location) BETWEEN 1 AND 100),
  city        TEXT CHECK (length(city) BETWEEN 1 AND 50),
  remote      INTEGER NOT NULL CHECK (remote IN (0, 1)),
  seniority   TEXT NOT NULL
              CHECK (seniority IN ('intern', 'junior', 'mid', 'senior', 'staff', 'principal', 'lead')),
  stack       TEXT NOT NULL CHECK (json_type(stack) = 'array'),
  salary_min  INTEGER NOT NULL CHECK (salary_min >= 0),
  salary_max  INTEGER NOT NULL CHECK (salary_max >= salary_min),
  currency    TEXT NOT NULL CHECK (length(currency) = 3),
  apply_url   TEXT NOT NULL
) STRICT;
CREATE INDEX jobs_by_company ON jobs (company_id, seq);

-- Full text of the jobs on the board. `facets` holds one token for each stack, city, remote and seniority, so that
-- every filter is an intersection inside the index. `+` and `#` are letters: c++ and c# are not c.
CREATE VIRTUAL TABLE job_search USING fts5 (
  title, description, facets,
  content = '', contentless_delete = 1,
  tokenize = "unicode61 remove_diacritics 2 tokenchars '+#'",
  prefix = '1 2 3 4 5 6'
);

-- The titles once more, for ranking: a column filter on the table above would read every job that has the word anywhere.
CREATE VIRTUAL TABLE job_titles USING fts5 (
  title,
  content = '', contentless_delete = 1,
  tokenize = "unicode61 remove_diacritics 2 tokenchars '+#'",
  prefix = '1 2 3 4 5 6'
);

CREATE TABLE prompts (
  id           TEXT NOT NULL PRIMARY KEY CHECK (id GLOB 'prompt_*'),
  author_id    TEXT NOT NULL REFERENCES builders (id) ON DELETE CASCADE,
  title        TEXT NOT NULL CHECK (length(title) BETWEEN 1 AND 200),
  body         TEXT NOT NULL CHECK (length(body) BETWEEN 1 AND 20000),
  model        TEXT NOT NULL CHECK (length(model) BETWEEN 1 AND 50),
  category     TEXT NOT NULL CHECK (length(category) BETWEEN 1 AND 50),
  rating_count INTEGER NOT NULL DEFAULT 0 CHECK (rating_count >= 0),
  rating_sum   INTEGER NOT NULL DEFAULT 0 CHECK (rating_sum BETWEEN rating_count AND 5 * rating_count),
  -- What people see: the mean of the ratings, two decimals, 0 with none.
  score        REAL NOT NULL DEFAULT 0 CHECK (score BETWEEN 0 AND 5),
  -- What orders the list: the Bayesian mean, with five ratings of 3.0 as the prior.
  rank         REAL NOT NULL DEFAULT 3 CHECK (rank BETWEEN 1 AND 5),
  created_at   INTEGER NOT NULL
) STRICT;
CREATE INDEX prompts_by_rank ON prompts (rank, id, score);
CREATE INDEX prompts_by_author ON prompts (author_id, id);
CREATE INDEX prompts_by_model ON prompts (model, rank, id, score);
CREATE INDEX prompts_by_category ON prompts (category, rank, id, score);
CREATE INDEX prompts_by_model_and_category ON prompts (model, category, rank, id, score);

CREATE TABLE webhook_endpoints (
  id              TEXT NOT NULL PRIMARY KEY CHECK (id GLOB 'whe_*'),
  workspace_id    TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
  created_by      TEXT REFERENCES builders (id) ON DELETE SET NULL,
  url             TEXT NOT NULL CHECK (length(url) <= 2048),
  -- Sealed with the key file: a stolen database signs nothing.
  secret_sealed   BLOB NOT NULL,
  -- The secret before a rotation; it signs too until then.
  previous_sealed BLOB,
  previous_until  INTEGER,
  created_at      INTEGER NOT NULL,
  -- The first failed attempt since the last acknowledged one.
  failing_since   INTEGER,
  disabled_at     INTEGER,
  disabled_reason TEXT,
  UNIQUE (workspace_id, url),
  CHECK ((disabled_at IS NULL) = (disabled_reason IS NULL))
) STRICT;
CREATE INDEX webhook_endpoints_by_creator ON webhook_endpoints (created_by);
CREATE INDEX webhook_endpoints_by_workspace ON webhook_endpoints (workspace_id, id);

CREATE TABLE webhook_subscriptions (
  type        TEXT NOT NULL,
  endpoint_id TEXT NOT NULL REFERENCES webhook_endpoints (id) ON DELETE CASCADE,
  PRIMARY KEY (type, endpoint_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX webhook_subscriptions_by_endpoint ON webhook_subscriptions (endpoint_id, type);

CREATE TABLE events (
  id           TEXT NOT NULL PRIMARY KEY CHECK (id GLOB 'evt_*'),
  type         TEXT NOT NULL,
  -- The envelope of §6 as it goes out: the same bytes on every attempt.
  body         TEXT NOT NULL CHECK (json_valid(body)),
  -- The one workspace that may see it; null for a public fact.
  workspace_id TEXT REFERENCES workspaces (id) ON DELETE CASCADE,
  created_at   INTEGER NOT NULL
) STRICT;
CREATE INDEX events_of_workspace ON events (workspace_id, id);

CREATE TABLE deliveries (
  id          TEXT NOT NULL PRIMARY KEY CHECK (id GLOB 'dlv_*'),
  event_id    TEXT NOT NULL REFERENCES events (id) ON DELETE CASCADE,
  endpoint_id TEXT NOT NULL REFERENCES webhook_endpoints (id) ON DELETE CASCADE,
  state       TEXT NOT NULL CHECK (state IN ('attempting', 'awaiting_retry', 'acknowledged', 'failed')),
  attempts    INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0),
  -- When the next attempt is to be made; for a running one, when it counts as lost. Null where none is to be made.
  due_at      INTEGER,
  -- When the first attempt of the present run of the schedule began; the 24 hours count from it.
  first_at    INTEGER,
  settled_at  INTEGER,
  created_at  INTEGER NOT NULL,
  UNIQUE (event_id, endpoint_id),
  CHECK ((settled_at IS NULL) = (state IN ('attempting', 'awaiting_retry')))
) STRICT;
CREATE INDEX deliveries_due ON deliveries (endpoint_id, due_at, id) WHERE due_at IS NOT NULL;
CREATE INDEX deliveries_next ON deliveries (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX deliveries_by_endpoint ON deliveries (endpoint_id, id);
-- Only of the failed: every index that a state is in costs each attempt a page.
CREATE INDEX deliveries_failed ON deliveries (endpoint_id, id) WHERE state = 'failed';

CREATE TABLE attempts (
  id          TEXT NOT NULL PRIMARY KEY CHECK (id GLOB 'att_*'),
  delivery_id TEXT NOT NULL REFERENCES deliveries (id) ON DELETE CASCADE,
  started_at  INTEGER NOT NULL,
  duration_ms INTEGER NOT NULL CHECK (duration_ms >= 0),
  -- The status of the answer, or null where none came.
  status      INTEGER,
  -- What went wrong, in words; null for an acknowledged attempt.
  error       TEXT,
  -- The first KiB of the answer, as text.
  answer      TEXT
) STRICT;
CREATE INDEX attempts_by_delivery ON attempts (delivery_id, id);

CREATE TABLE idempotency_keys (
  builder_id  TEXT NOT NULL REFERENCES builders (id) ON DELETE CASCADE,
  workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
  route       TEXT NOT NULL,
  key         TEXT NOT NULL CHECK (length(key) BETWEEN 1 AND 255),
  -- SHA-256 of the request's body: the same key with another body is refused.
  fingerprint BLOB NOT NULL CHECK (length(fingerprint) = 32),
  -- Sealed, because the answer to a webhook registration holds its signing secret.
  answer      BLOB NOT NULL,
  created_at  INTEGER NOT NULL,
  PRIMARY KEY (builder_id, workspace_id, route, key)
) STRICT;
CREATE INDEX idempotency_keys_by_workspace ON idempotency_keys (workspace_id);
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);

-- Single facts of this installation, such as which builder the demo community belongs to.
CREATE TABLE settings (
  name  TEXT NOT NULL PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
