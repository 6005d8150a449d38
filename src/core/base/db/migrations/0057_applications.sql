-- Who asks to be let in. None of them is a builder: that is made when they are let in.
CREATE TABLE applications (
  id           TEXT NOT NULL PRIMARY KEY CHECK (id GLOB 'apl_*'),
  -- Nobody else's while it waits.
  username     TEXT NOT NULL UNIQUE CHECK (length(username) BETWEEN 1 AND 32),
  name         TEXT NOT NULL CHECK (length(name) <= 100),
  -- Of the password; null once it is that of a builder.
  hash         TEXT CHECK (hash GLOB '$argon2id$*'),
  why          TEXT NOT NULL CHECK (length(why) <= 1000),
  state        TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'approved', 'declined')),
  -- What whoever decided it says to them.
  word         TEXT NOT NULL DEFAULT '' CHECK (length(word) <= 1000),
  -- Whom it became.
  builder_id   TEXT REFERENCES builders (id) ON DELETE CASCADE,
  -- By which a browser sees how it stands: SHA-256.
  seat         BLOB UNIQUE CHECK (length(seat) = 32),
  -- Where the answer goes by mail, and the SHA-256 of the token in the link that confirms it.
  mail         TEXT CHECK (length(mail) BETWEEN 3 AND 254),
  mail_hash    BLOB UNIQUE CHECK (length(mail_hash) = 32),
  mail_is_sure INTEGER NOT NULL DEFAULT 0 CHECK (mail_is_sure IN (0, 1)),
  -- Where it was sent from; empty once it is decided.
  address      TEXT NOT NULL,
  -- In which they read.
  language     TEXT NOT NULL CHECK (language IN ('en', 'de', 'es')),
  created_at   INTEGER NOT NULL,
  -- By the steady time: a clock that is set ahead ends nothing.
  ends_at      INTEGER NOT NULL,
  CHECK ((state = 'approved') = (hash IS NULL))
) STRICT;
CREATE INDEX applications_by_state ON applications (state, id);
CREATE INDEX applications_by_address ON applications (address, ends_at);
CREATE INDEX applications_by_end ON applications (ends_at);
CREATE INDEX applications_by_builder ON applications (builder_id);

-- Two more kinds of mails. SQLite changes no CHECK, so the table is made anew.
CREATE TABLE mails_anew (
  seq        INTEGER PRIMARY KEY AUTOINCREMENT,
  -- Null for a way back in that nobody has, an invitation of the operator's, and who only asks to be let in.
  builder_id TEXT REFERENCES builders (id) ON DELETE CASCADE,
  kind       TEXT NOT NULL CHECK (kind IN ('confirm', 'moved', 'recovery', 'notification', 'digest', 'invitation',
                                           'applied', 'answered')),
  -- Null for wherever its builder reads mail at that moment.
  address    TEXT CHECK (length(address) BETWEEN 3 AND 254),
  -- Of a link in it, sealed.
  token      BLOB,
  -- Of what a notification's mail tells, and which places a digest tells of: behind the first, up to the last. Of an
  -- application, its id.
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
