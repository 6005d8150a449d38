-- Accounts that an admin deleted (docs/contract.md#9.12): hidden at once, and erased once `due_at`, of the steady
-- time, has come. Until then an owner can undo it, so what the row of the account lost is kept here.
CREATE TABLE pending_deletions (
  builder_id    TEXT NOT NULL PRIMARY KEY REFERENCES builders (id) ON DELETE CASCADE,
  username      TEXT NOT NULL UNIQUE,
  name          TEXT NOT NULL,
  bio           TEXT NOT NULL,
  role          TEXT NOT NULL,
  suspended_at  INTEGER,
  -- The usernames before, as JSON.
  former        TEXT NOT NULL,
  directory_seq INTEGER NOT NULL,
  deleted_by    TEXT REFERENCES builders (id) ON DELETE SET NULL,
  created_at    INTEGER NOT NULL,
  due_at        INTEGER NOT NULL,
  state         TEXT NOT NULL CHECK (state IN ('hiding', 'hidden', 'restoring'))
) STRICT, WITHOUT ROWID;
CREATE INDEX pending_deletions_by_due ON pending_deletions (due_at);
CREATE INDEX pending_deletions_by_state ON pending_deletions (state);
CREATE INDEX pending_deletions_by_deleter ON pending_deletions (deleted_by) WHERE deleted_by IS NOT NULL;

-- What such a deletion has hidden, and what undoing it shows again. Moderators may have hidden other things before.
CREATE TABLE hidden_by_deletion (
  subject_id TEXT NOT NULL PRIMARY KEY,
  builder_id TEXT NOT NULL REFERENCES builders (id) ON DELETE CASCADE,
  kind       TEXT NOT NULL CHECK (kind IN ('post', 'prompt', 'job', 'thread')),
  -- Of a thread, who was in it, as JSON: without its members nobody finds it.
  members    TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX hidden_by_deletion_of_builder ON hidden_by_deletion (builder_id, subject_id);
