-- The list of mail kinds is in the code alone (MAIL_KINDS), so that a new kind needs no new table. SQLite cannot drop
-- a CHECK, so this migration copies the table.
CREATE TABLE mails_next (
  seq        INTEGER PRIMARY KEY AUTOINCREMENT,
  -- Null for a recovery without an account, an invitation by the operator, and an applicant.
  builder_id TEXT REFERENCES builders (id) ON DELETE CASCADE,
  kind       TEXT NOT NULL,
  -- Null for the address that the builder has when the mail is sent.
  address    TEXT CHECK (length(address) BETWEEN 3 AND 254),
  -- The token of the link in the mail, sealed.
  token      BLOB,
  -- The notification group of a mail about one, or the id of an application.
  group_id   TEXT,
  -- A digest covers the notifications behind the first position, up to the last.
  after_place INTEGER,
  up_to_place INTEGER,
  -- The same for all attempts, so that a mailbox that gets the mail twice shows it once.
  message_id TEXT NOT NULL UNIQUE,
  -- By the steady time.
  created_at INTEGER NOT NULL,
  due_at     INTEGER NOT NULL,
  -- When the mail is worth nothing any more.
  ends_at    INTEGER NOT NULL,
  attempts   INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0)
) STRICT;
INSERT INTO mails_next (seq, builder_id, kind, address, token, group_id, after_place, up_to_place, message_id,
  created_at, due_at, ends_at, attempts)
SELECT seq, builder_id, kind, address, token, group_id, after_place, up_to_place, message_id,
  created_at, due_at, ends_at, attempts FROM mails;
DROP TABLE mails;
ALTER TABLE mails_next RENAME TO mails;
CREATE INDEX mails_due ON mails (due_at, seq);
CREATE INDEX mails_by_builder ON mails (builder_id);
