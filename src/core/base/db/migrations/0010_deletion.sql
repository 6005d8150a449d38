-- Accounts that are deleted: gone for everyone at once, and dropped from the tables in slices.

-- Since when; the row stays until all that hangs on it is deleted.
ALTER TABLE builders ADD COLUMN removed_at INTEGER
  CHECK (removed_at IS NULL OR (suspended_at IS NOT NULL AND is_admin = 0));
CREATE INDEX builders_removed ON builders (id) WHERE removed_at IS NOT NULL;

-- The names of deleted accounts, for good: what says `@ada` elsewhere must not come to mean somebody else.
CREATE TABLE former_usernames (
  username   TEXT NOT NULL PRIMARY KEY,
  removed_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The ledger goes with the account, in slices like the rest, and not otherwise.
DROP TRIGGER xp_entries_stay;
CREATE TRIGGER xp_entries_stay BEFORE DELETE ON xp_entries
WHEN EXISTS (SELECT 1 FROM builders WHERE id = OLD.builder_id AND removed_at IS NULL)
BEGIN SELECT RAISE(ABORT, 'the ledger is only appended to'); END;
