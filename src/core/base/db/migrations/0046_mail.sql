-- Where members have mail sent, and what is on its way there.

CREATE TABLE mail_addresses (
  builder_id    TEXT NOT NULL PRIMARY KEY REFERENCES builders (id) ON DELETE CASCADE,
  -- Where they read it: confirmed by a link that came there. Not unique: a couple may share a mailbox.
  address       TEXT CHECK (length(address) BETWEEN 3 AND 254),
  -- The one that waits to be confirmed, and the SHA-256 of the token in the link to it.
  pending       TEXT CHECK (length(pending) BETWEEN 3 AND 254),
  pending_hash  BLOB UNIQUE CHECK (length(pending_hash) = 32),
  pending_until INTEGER,
  -- What comes there of notifications.
  mails         TEXT NOT NULL DEFAULT 'daily' CHECK (mails IN ('at_once', 'daily', 'weekly', 'off')),
  -- When the next digest is due, where there are any; and up to which place of the notifications the last one told.
  digest_at     INTEGER,
  digest_place  INTEGER NOT NULL DEFAULT 0,
  -- When a way back in was last sent.
  recovery_at   INTEGER,
  -- How many mails about single notifications went there within a day from that moment on.
  mailed_from   INTEGER NOT NULL DEFAULT 0,
  mailed_count  INTEGER NOT NULL DEFAULT 0,
  CHECK ((pending IS NULL) = (pending_hash IS NULL) AND (pending IS NULL) = (pending_until IS NULL))
) STRICT;
CREATE INDEX mail_addresses_by_address ON mail_addresses (address COLLATE NOCASE) WHERE address IS NOT NULL;
CREATE INDEX mail_addresses_by_digest ON mail_addresses (digest_at) WHERE digest_at IS NOT NULL;
CREATE INDEX mail_addresses_unplanned ON mail_addresses (builder_id)
WHERE address IS NOT NULL AND digest_at IS NULL AND mails IN ('daily', 'weekly');

-- Up to which place the notifications have been sent on.
INSERT INTO settings (name, value) SELECT 'reach-place', coalesce(max(place), 0) FROM notifications;

-- One row for each mail that is to be sent. It holds no words: they are made when it is sent.
CREATE TABLE mails (
  seq        INTEGER PRIMARY KEY AUTOINCREMENT,
  -- Null for a way back in that nobody has.
  builder_id TEXT REFERENCES builders (id) ON DELETE CASCADE,
  kind       TEXT NOT NULL CHECK (kind IN ('confirm', 'moved', 'recovery', 'notification', 'digest')),
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
CREATE INDEX mails_due ON mails (due_at, seq);
CREATE INDEX mails_by_builder ON mails (builder_id);

-- The secret address of a member's own feed: by its hash it is found, and sealed it is shown to its owner again.
CREATE TABLE feed_addresses (
  builder_id TEXT NOT NULL PRIMARY KEY REFERENCES builders (id) ON DELETE CASCADE,
  hash       BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
  sealed     BLOB NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
