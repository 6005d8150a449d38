-- Up to where each builder has read the feed. Ids of posts that may be gone by now: places, and no references.
CREATE TABLE feed_visits (
  builder_id TEXT NOT NULL PRIMARY KEY REFERENCES builders (id) ON DELETE CASCADE,
  -- The newest post that was there at the end of the visit before this one; '' where there was none.
  before_id  TEXT NOT NULL,
  -- The newest that was there when they looked last.
  newest_id  TEXT NOT NULL,
  looked_at  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
