-- An invitation has a label, and may bring more than one person in.
ALTER TABLE links ADD COLUMN label TEXT NOT NULL DEFAULT '' CHECK (length(label) <= 60);
ALTER TABLE links ADD COLUMN uses INTEGER NOT NULL DEFAULT 1 CHECK (uses BETWEEN 1 AND 1000);
-- With the last use `used_at` is set.
ALTER TABLE links ADD COLUMN used INTEGER NOT NULL DEFAULT 0 CHECK (used BETWEEN 0 AND uses);
UPDATE links SET used = 1 WHERE used_at IS NOT NULL;

-- By whose invitation somebody came. It outlives the link, which is dropped some weeks after its end.
CREATE TABLE invited (
  builder_id TEXT NOT NULL PRIMARY KEY REFERENCES builders (id) ON DELETE CASCADE,
  -- Null for the operator, and where that builder is gone.
  invited_by TEXT REFERENCES builders (id) ON DELETE SET NULL,
  label      TEXT NOT NULL CHECK (length(label) <= 60)
) STRICT;
CREATE INDEX invited_by_inviter ON invited (invited_by);
