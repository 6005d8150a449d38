-- Invitations go by mail, too: one more kind of mails. SQLite changes no CHECK, so the table is made anew.
CREATE TABLE mails_anew (
  seq        INTEGER PRIMARY KEY AUTOINCREMENT,
  -- Null for a way back in that nobody has, and an invitation of the operator's.
  builder_id TEXT REFERENCES builders (id) ON DELETE CASCADE,
  kind       TEXT NOT NULL CHECK (kind IN ('confirm', 'moved', 'recovery', 'notification', 'digest', 'invitation')),
  -- Null for wherever its builder reads mail at that moment.
  address    TEXT CHECK (length(address) BETWEEN 3 AND 254),
  -- Of a link in it, sealed.
  token      BLOB,
  -- Of what a notification's mail tells, and which places a digest tells of: behind the first, up to the last.
  group_id   TEXT,
  after_place INTEGER,
  up_to_place INTEGER,
  -- Stays over all attempts: a mailbox that gets it twice shows it once.
  message_id TEXT NOT NULL UNIQUE,
  -- By the steady time.
  created_at INTEGER NOT NULL,
  due_at     INTEGER NOT NULL,
  -- When it says nothing any more.
  ends_at    INTEGER NOT NULL,
  attempts   INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0)
) STRICT;
INSERT INTO mails_anew (seq, builder_id, kind, address, token, group_id, after_place, up_to_place, message_id,
  created_at, due_at, ends_at, attempts)
SELECT seq, builder_id, kind, address, token, group_id, after_place, up_to_place, message_id,
  created_at, due_at, ends_at, attempts FROM mails;
DROP TABLE mails;
ALTER TABLE mails_anew RENAME TO mails;
CREATE INDEX mails_due ON mails (due_at, seq);
CREATE INDEX mails_by_builder ON mails (builder_id);

-- What was sent within a day to people who are no members, so that it stays little. An address stands here as a mark
-- that only this installation's key makes.
CREATE TABLE invitation_mails (
  seq        INTEGER PRIMARY KEY AUTOINCREMENT,
  -- Who invites; null for the operator, and who is gone.
  builder_id TEXT REFERENCES builders (id) ON DELETE SET NULL,
  mark       BLOB NOT NULL CHECK (length(mark) = 32),
  -- By the steady time.
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX invitation_mails_by_builder ON invitation_mails (builder_id, created_at);
CREATE INDEX invitation_mails_by_mark ON invitation_mails (mark, created_at);
CREATE INDEX invitation_mails_by_time ON invitation_mails (created_at);
