-- What was brought here from another community, so that a second import brings only what is new.

CREATE TABLE arrivals (
  -- Of the community that it came from.
  host       TEXT NOT NULL,
  kind       TEXT NOT NULL CHECK (kind IN ('person', 'article', 'comment')),
  -- A hash of what it is called there: what is deleted here leaves no name behind, and is not brought again.
  mark       TEXT NOT NULL,
  -- A builder or a post; null for an account that was deleted. A post may be gone.
  our_id     TEXT,
  -- What a person is called there; null for anything else, and for an account that was deleted.
  name       TEXT,
  -- Of an article: so many comments its community told of when all of them had been brought.
  comments   INTEGER,
  arrived_at INTEGER NOT NULL,
  PRIMARY KEY (host, kind, mark),
  CHECK (name IS NULL OR kind = 'person')
) STRICT, WITHOUT ROWID;
CREATE INDEX arrivals_by_ours ON arrivals (our_id) WHERE our_id IS NOT NULL;
