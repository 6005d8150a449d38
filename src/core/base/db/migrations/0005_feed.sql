-- Likes and replies, versions and ratings of prompts, and what moderators hide and people report.

-- Since when nobody but its author and moderators sees it.
ALTER TABLE posts ADD COLUMN hidden_at INTEGER;
-- Since when its author has deleted it: it is hidden too, and its rows go by and by.
ALTER TABLE posts ADD COLUMN removed_at INTEGER CHECK (removed_at IS NULL OR hidden_at IS NOT NULL);
DROP INDEX posts_feed;
DROP INDEX posts_by_author;
DROP INDEX posts_by_parent;
CREATE INDEX posts_feed ON posts (id) WHERE parent_id IS NULL AND hidden_at IS NULL;
CREATE INDEX posts_by_author ON posts (author_id, parent_id, hidden_at, id);
CREATE INDEX posts_by_parent ON posts (parent_id, hidden_at, id) WHERE parent_id IS NOT NULL;
CREATE INDEX posts_hidden_by_author ON posts (author_id, id) WHERE hidden_at IS NOT NULL AND removed_at IS NULL;
CREATE INDEX posts_removed ON posts (removed_at) WHERE removed_at IS NOT NULL;

CREATE TABLE likes (
  post_id    TEXT NOT NULL REFERENCES posts (id) ON DELETE CASCADE,
  builder_id TEXT NOT NULL REFERENCES builders (id) ON DELETE CASCADE,
  liked_at   INTEGER NOT NULL,
  PRIMARY KEY (post_id, builder_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX likes_by_builder ON likes (builder_id, post_id);

-- `prompts` holds the current version, which is what lists show; the ones before it are in `prompt_versions`.
ALTER TABLE prompts ADD COLUMN version INTEGER NOT NULL DEFAULT 1 CHECK (version >= 1);
-- What changed with the current version; empty for a first one.
ALTER TABLE prompts ADD COLUMN note TEXT NOT NULL DEFAULT '' CHECK (length(note) <= 500);
-- When the current version was made; null for a first one, which is as old as the prompt.
ALTER TABLE prompts ADD COLUMN revised_at INTEGER CHECK ((revised_at IS NULL) = (version = 1));
ALTER TABLE prompts ADD COLUMN hidden_at INTEGER;
ALTER TABLE prompts ADD COLUMN removed_at INTEGER CHECK (removed_at IS NULL OR hidden_at IS NOT NULL);
DROP INDEX prompts_by_rank;
DROP INDEX prompts_by_model;
DROP INDEX prompts_by_category;
DROP INDEX prompts_by_model_and_category;
CREATE INDEX prompts_by_rank ON prompts (rank, id, score) WHERE hidden_at IS NULL;
CREATE INDEX prompts_by_model ON prompts (model, rank, id, score) WHERE hidden_at IS NULL;
CREATE INDEX prompts_by_category ON prompts (category, rank, id, score) WHERE hidden_at IS NULL;
CREATE INDEX prompts_by_model_and_category ON prompts (model, category, rank, id, score) WHERE hidden_at IS NULL;
CREATE INDEX prompts_removed ON prompts (removed_at) WHERE removed_at IS NOT NULL;

CREATE TABLE prompt_versions (
  prompt_id    TEXT NOT NULL REFERENCES prompts (id) ON DELETE CASCADE,
  number       INTEGER NOT NULL CHECK (number >= 1),
  title        TEXT NOT NULL CHECK (length(title) BETWEEN 1 AND 200),
  body         TEXT NOT NULL CHECK (length(body) BETWEEN 1 AND 20000),
  model        TEXT NOT NULL CHECK (length(model) BETWEEN 1 AND 50),
  note         TEXT NOT NULL CHECK (length(note) <= 500),
  rating_count INTEGER NOT NULL CHECK (rating_count >= 0),
  rating_sum   INTEGER NOT NULL CHECK (rating_sum BETWEEN rating_count AND 5 * rating_count),
  created_at   INTEGER NOT NULL,
  PRIMARY KEY (prompt_id, number)
) STRICT;

CREATE TABLE prompt_ratings (
  prompt_id  TEXT NOT NULL REFERENCES prompts (id) ON DELETE CASCADE,
  version    INTEGER NOT NULL CHECK (version >= 1),
  builder_id TEXT NOT NULL REFERENCES builders (id) ON DELETE CASCADE,
  stars      INTEGER NOT NULL CHECK (stars BETWEEN 1 AND 5),
  rated_at   INTEGER NOT NULL,
  PRIMARY KEY (prompt_id, version, builder_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX prompt_ratings_by_builder ON prompt_ratings (builder_id);

CREATE TABLE reports (
  id          TEXT NOT NULL PRIMARY KEY CHECK (id GLOB 'rpt_*'),
  -- A post, job, prompt or builder: no one table to refer to, and a report outlives what it is about.
  subject_id  TEXT NOT NULL,
  reporter_id TEXT NOT NULL REFERENCES builders (id) ON DELETE CASCADE,
  reason      TEXT NOT NULL CHECK (length(reason) BETWEEN 1 AND 500),
  created_at  INTEGER NOT NULL,
  settled_at  INTEGER,
  -- Null where it settled itself, and where the operator did it.
  settled_by  TEXT REFERENCES builders (id) ON DELETE SET NULL,
  -- Upheld: the thing was hidden or the builder suspended. Gone: its author deleted it.
  outcome     TEXT CHECK (outcome IN ('upheld', 'dismissed', 'gone')),
  UNIQUE (subject_id, reporter_id),
  CHECK ((settled_at IS NULL) = (outcome IS NULL))
) STRICT;
CREATE INDEX reports_by_reporter ON reports (reporter_id);
CREATE INDEX reports_by_settler ON reports (settled_by) WHERE settled_by IS NOT NULL;
CREATE INDEX reports_open ON reports (id) WHERE settled_at IS NULL;
CREATE INDEX reports_settled ON reports (id) WHERE settled_at IS NOT NULL;
