-- How much each builder has published within the last day, where the operator has bounded it. What is deleted
-- counts on, so that nobody gains anything by deleting.
CREATE TABLE quota_spans (
  builder_id TEXT NOT NULL REFERENCES builders (id) ON DELETE CASCADE,
  -- The end of a span of ten minutes, by the steady time.
  ends_at    INTEGER NOT NULL,
  posts      INTEGER NOT NULL CHECK (posts > 0),
  PRIMARY KEY (builder_id, ends_at)
) STRICT, WITHOUT ROWID;
