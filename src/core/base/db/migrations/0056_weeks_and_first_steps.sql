-- What is known of a week (from a Monday, UTC) and follows from no days: how many different members were active, and how
-- many of those who had joined in the week before.
CREATE TABLE weekly_figures (
  starts_at INTEGER PRIMARY KEY,
  active    INTEGER NOT NULL DEFAULT 0,
  returned  INTEGER NOT NULL DEFAULT 0
) STRICT;

-- Who was active in the week under way, and nothing of weeks that are over.
CREATE TABLE active_builders (
  builder_id TEXT NOT NULL REFERENCES builders (id) ON DELETE CASCADE,
  starts_at  INTEGER NOT NULL,
  PRIMARY KEY (builder_id, starts_at)
) STRICT, WITHOUT ROWID;

-- Whether a member has gone to what the community has newcomers read, and whether they have put the first steps away.
ALTER TABLE builders ADD COLUMN has_read_welcome INTEGER NOT NULL DEFAULT 0 CHECK (has_read_welcome IN (0, 1));
ALTER TABLE builders ADD COLUMN has_put_steps_away INTEGER NOT NULL DEFAULT 0 CHECK (has_put_steps_away IN (0, 1));
