-- What a post or reply said before it was edited. Its current text stands in `posts`, the ones before it are here.

-- When it was last edited, and what its current revision is called; null for one that never was.
ALTER TABLE posts ADD COLUMN edited_at INTEGER;
ALTER TABLE posts ADD COLUMN revision_id TEXT CHECK ((revision_id IS NULL) = (edited_at IS NULL));

CREATE TABLE post_revisions (
  post_id TEXT NOT NULL REFERENCES posts (id) ON DELETE CASCADE,
  -- Counted from 0, which is what was published.
  number  INTEGER NOT NULL CHECK (number >= 0),
  id      TEXT NOT NULL UNIQUE CHECK (id GLOB 'rev_*'),
  text    TEXT NOT NULL CHECK (length(text) BETWEEN 1 AND 2000),
  tags    TEXT NOT NULL CHECK (json_valid(tags)),
  media   TEXT NOT NULL CHECK (json_valid(media)),
  -- When it was written, not when it was replaced.
  at      INTEGER NOT NULL,
  PRIMARY KEY (post_id, number)
) STRICT;

-- Which revision of a post was reported; null for what has none, and for reports from before there were any.
ALTER TABLE reports ADD COLUMN revision_id TEXT;
