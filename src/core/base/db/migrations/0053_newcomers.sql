-- Whether somebody answers for a member: then the limits of newcomers do not hold for them. For how long they would hold
-- is what the community says now, counted from when the member came.
ALTER TABLE builders ADD COLUMN is_vouched INTEGER NOT NULL DEFAULT 0 CHECK (is_vouched IN (0, 1));
UPDATE builders SET is_vouched = 1 WHERE newcomer_until IS NULL;
ALTER TABLE builders DROP COLUMN newcomer_until;

-- Of what is counted within a day there are several kinds now: newcomers' pictures and links beside what is published.
CREATE TABLE quota_counts (
  builder_id TEXT NOT NULL REFERENCES builders (id) ON DELETE CASCADE,
  kind       TEXT NOT NULL CHECK (kind IN ('posts', 'pictures', 'links')),
  -- The end of a span of ten minutes, by the steady time.
  ends_at    INTEGER NOT NULL,
  n          INTEGER NOT NULL CHECK (n > 0),
  PRIMARY KEY (builder_id, kind, ends_at)
) STRICT, WITHOUT ROWID;
INSERT INTO quota_counts SELECT builder_id, 'posts', ends_at, posts FROM quota_spans;
DROP TABLE quota_spans;
ALTER TABLE quota_counts RENAME TO quota_spans;
